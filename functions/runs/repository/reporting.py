"""Finding a run with its issue, and lists of runs."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from forge.context import Context
from forge.contract.terms import EngagementMode
from forge.store import keys
from forge.store.keys import Key
from forge.store.pages import Found
from forge.store.readings import Readings
from forge.store.transactions import Transaction
from forge.store.walks import Listing, one_partition
from forge.work.content.artifacts.artifacts import ARTIFACT_COUNT, ArtifactItem
from forge.work.content.artifacts.drafts import draft
from forge.work.content.references.resolving import places_of, require_there
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.claims import holds
from forge.work.issues.desks import (
    Desk,
    Parts,
    Reference,
    no_such_issue,
    nothing_more,
    open_issue,
    resolve,
    settings_key,
)
from forge.work.issues.edits import transitions
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.issues.pages.sights import Sight
from forge.work.issues.runs import runs, silence
from forge.work.issues.runs.announcements import RUN
from forge.work.issues.runs.reports import FollowUp, RunTextItem
from forge.work.issues.runs.runs import RUNS_FOR_PEOPLE, RUNS_LISTED, RUNS_OF_AGENT, RUNS_OF_ISSUE, RunItem
from forge.work.issues.saving import save
from forge.work.plans import charges, moves
from forge.work.plans.budgets import limits
from forge.work.plans.changes import PlanChange
from forge.work.plans.opening import open_step
from forge.work.plans.saving import Settled, settled
from forge.work.plans.saving import save as save_plan
from forge.work.record import texts
from forge.work.record.log.events import record_change
from forge.work.workspace.people import runtimes
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.names import Names
from forge.work.workspace.statuses import StatusCopy
from functions.runs.models.reporting import CompleteRun, Evidence, ListRuns
from functions.runs.rules import reporting as rules
from functions.runs.rules.reporting import Expected


def open_run(ctx: Context, run_id: str) -> tuple[RunItem, Desk]:
    """A run with its issue, which the caller may see; two requests."""
    run, readings = _get(ctx, run_id)
    return run, open_issue(ctx, run.issue_id, readings=readings)


def open_own(ctx: Context, run_id: str, parts: Parts = nothing_more) -> tuple[RunItem, Desk]:
    """The same, for what only the agent whose run it is may do."""
    run, readings = _get(ctx, run_id)
    runs.require_own(run, ctx.caller)
    desk = open_issue(ctx, run.issue_id, parts, readings=readings)
    holds.require_own_run(desk, run)
    return run, desk


def open_reported(ctx: Context, run_id: str, artifact_ids: Sequence[str]) -> tuple[RunItem, Desk, Expected]:
    """The caller's own run, and what is asked of its end; two requests."""
    workspace_id = ctx.caller.workspace_id
    places = {one: ArtifactItem.at(workspace_id, one) for one in artifact_ids}

    def parts(issue_id: str) -> list[Key]:
        own = AgentItem.at(workspace_id, str(ctx.caller.agent_id))
        counted = ARTIFACT_COUNT(workspace_id, issue_id)
        return [BodyItem.at(workspace_id, issue_id), own, counted, *places.values()]

    run, desk = open_own(ctx, run_id, parts)
    named = {one: desk.find(ArtifactItem, place) for one, place in places.items()}
    return run, desk, rules.expected_of(run, desk.issue, body_of(desk).verification_checklist, named)


def begin_completion(desk: Desk, run: RunItem, wanted: str | None) -> tuple[IssueChange, StatusCopy | None]:
    """The change of the issue that a completion is, and where the issue goes; one request at most."""
    asked = transitions.status_of(desk.workspace, wanted, field="transitionTo") if wanted else None
    status = rules.next_status(desk.workspace, desk.issue, run, wanted=asked)
    # `open_own` has looked whether another session has it.
    if status is None:
        return begin_change(desk, takes_over=True), None
    change = begin_change(
        desk,
        transitions.runs_to_end(desk.issue, status),
        issue_ids=transitions.issues_to_settle(desk.issue, status),
        takes_over=True,
    )
    return change, status


class ChargedPlan(NamedTuple):
    """The plan of a run that was for a step of it, with what the run costs it, decided."""

    change: PlanChange
    settled: Settled | None
    """None where the plan only costs more."""
    cost: Decimal


def charged_at_end(change: IssueChange, run: RunItem) -> ChargedPlan | None:
    """What the end of a run does to its plan: its step goes to review. Four requests; None without a step."""
    if run.execution_step_id is None:
        return None
    ctx = change.desk.ctx
    plan = PlanChange(open_step(ctx, run.execution_step_id), change)
    if run.engagement_mode is EngagementMode.EXECUTE:
        moves.bring_to_review(plan, run.execution_step_id, run_id=run.id)
    cost = limits.difference(run.cost_usd, change.ended[0].cost_usd)
    if cost:
        charges.stop_ahead(plan, cost)
        charges.enforce_after(ctx, plan.plan)
    return ChargedPlan(plan, settled(plan), cost)


def save_with_plan(tx: Transaction, change: IssueChange, charged: ChargedPlan | None) -> None:
    """Save the change of the issue and, of a run that was for a step, that of its plan along with it."""
    if charged is None or charged.settled is None:
        save(tx, change)
        return
    save_plan(tx, charged.settled)
    charges.charge(tx, charged.change.plan, charged.cost)


def text_of(ctx: Context, run: RunItem, request: CompleteRun) -> RunTextItem:
    name = f"{run.workspace_id}/{run.issue_id}/{ctx.new_id('txt')}"
    return RunTextItem(
        workspace_id=run.workspace_id,
        run_id=run.id,
        summary=texts.keep(ctx.services.store.blobs, request.summary or "", name=name),
        verification_result=[result.model_dump() for result in request.verification_result],
        follow_ups=[FollowUp(**one.model_dump()) for one in request.follow_ups],
    )


def charged_with_usage(ctx: Context, before: RunItem, after: RunItem) -> ChargedPlan | None:
    """What a run's usage does to its plan, if that costs it something; four requests then.

    A plan that this brings beyond its budget stops in the same transaction. What others add meanwhile is
    looked at afterwards.
    """
    cost = limits.difference(before.cost_usd, after.cost_usd)
    if before.execution_step_id is None or not cost:
        return None
    plan = PlanChange(open_step(ctx, before.execution_step_id))
    charges.stop_ahead(plan, cost)
    charged = ChargedPlan(plan, settled(plan) if plan.plan != plan.before else None, cost)
    charges.enforce_after(ctx, plan.plan)
    return charged


def save_usage(tx: Transaction, before: RunItem, after: RunItem, *, charged: ChargedPlan | None) -> None:
    tx.replace(after)
    record_change(
        tx, RUN, after.id, action="record-usage", before=before, after=after, issue_id=after.issue_id
    )
    if charged is None:
        return
    if charged.settled:
        save_plan(tx, charged.settled)
    charges.charge_within(tx, charged.change, charged.cost)


def body_of(desk: Desk) -> BodyItem:
    """Where the checklist is."""
    return desk.get(BodyItem, BodyItem.at(desk.issue.workspace_id, desk.issue.id))


class ListedRuns(NamedTuple):
    """A page of runs, and what is shown with each."""

    found: Found[RunItem]
    issues: Mapping[str, IssueItem]
    names: Names


def read_list(ctx: Context, request: ListRuns) -> ListedRuns:
    """Runs whose issue the caller may see, those that started last first."""
    asked = resolve(ctx, request.issue_id) if request.issue_id else None
    asked_for = places_of(request, ctx)
    sight: Sight[RunItem] = Sight(
        ctx,
        lambda run: run.issue_id,
        lambda run: [AgentItem.at(run.workspace_id, run.agent_id)],
        asked=asked.issue_id if asked else None,
        also=[settings_key(ctx), *asked_for],
    )
    found = sight.page(
        RunItem,
        _listing(ctx, request, asked=asked),
        request,
        _filter(request, asked=asked),
        only=RunItem.at(ctx.caller.workspace_id, request.id) if request.id else None,
    )
    require_there(asked_for, sight.reach.readings)
    if asked:
        sight.reach.show(asked, missing=no_such_issue(str(request.issue_id)))
    seen = {run.issue_id: issue for run in found.items if (issue := sight.reach.find(run.issue_id))}
    if request.needs_person:
        left = found.become(lambda run: run if silence.is_left(run, seen[run.issue_id]) else None)
        return ListedRuns(left, seen, sight.reach.names)
    return ListedRuns(found, seen, sight.reach.names)


def _get(ctx: Context, run_id: str) -> tuple[RunItem, Readings]:
    key = RunItem.at(ctx.caller.workspace_id, run_id)
    readings = ctx.table.read([key])
    run = readings.find(RunItem, key)
    if run is None:
        raise runs.no_such_run(run_id)
    return run, readings


def _listing(ctx: Context, request: ListRuns, *, asked: Reference | None) -> Listing:
    """What the most selective index gives; the rest of the filters is looked at in memory."""
    workspace_id = ctx.caller.workspace_id
    partition, index = RUNS_LISTED(workspace_id), "updated"
    if asked:
        partition, index = RUNS_OF_ISSUE(workspace_id, asked.issue_id), "subject"
    elif request.needs_person:
        partition, index = RUNS_FOR_PEOPLE(workspace_id), "board"
    elif request.agent_id:
        partition, index = RUNS_OF_AGENT(workspace_id, request.agent_id), "agent"
    # Rows begin with their time and go on with an id, so that this leaves out those of the time itself.
    start = keys.sortable_time(request.before) if request.before else ""
    return one_partition(partition, index, start=start, is_descending=True)


def _filter(request: ListRuns, *, asked: Reference | None) -> Callable[[RunItem], bool] | None:
    """What the index can't tell; None where it tells everything."""
    wanted: dict[str, object] = {"status": request.status, "needs_person": request.needs_person or None}
    if asked or request.needs_person or request.id:
        wanted |= {"agent_id": request.agent_id, "issue_id": asked.issue_id if asked else None}
    given = {name: value for name, value in wanted.items() if value is not None}
    if not given:
        return None
    return lambda run: all(getattr(run, name) == value for name, value in given.items())


def artifact_of(ctx: Context, desk: Desk, evidence: Evidence | None) -> ArtifactItem | None:
    """What a run is completed with, if anything; it is written with the rest."""
    if evidence is None:
        return None
    return draft(
        ctx,
        title=evidence.title,
        issue_id=desk.issue.id,
        kind=evidence.artifact_type,
        evidence=runtimes.evidence_of(ctx),
    )
