"""What the loop's tools read and write besides a change of a plan."""

from forge.contract.references import Kind
from forge.store.followers import follow
from forge.store.transactions import Transaction
from forge.work.issues import assignments
from forge.work.issues.changes import IssueChange, begin_change, keys_of_runs
from forge.work.issues.desks import settings_in
from forge.work.issues.saving import save as save_issue
from forge.work.plans import step_runs
from forge.work.plans.announcements import PLAN, PLANNER_CALLED, PlannerCalled
from forge.work.plans.approvals import approvals
from forge.work.plans.attempts import GoalDesk
from forge.work.plans.changes import TOLD_OF_TEXT
from forge.work.plans.goals import deciders, owed, roles
from forge.work.plans.goals.goals import GoalItem, GoalTextItem
from forge.work.plans.opening import PlanDesk
from forge.work.plans.plans import PlanItem, Step
from forge.work.plans.requests import raising
from forge.work.plans.requests.asking import Ask
from forge.work.plans.requests.deciding import settle_alone
from forge.work.plans.requests.requests import (
    RequestItem,
    RequestStatus,
    RequestTextItem,
    find_whole,
    keys_of_request,
)
from forge.work.plans.waits import waits
from forge.work.plans.waits.waits import WaitKind
from forge.work.record import texts
from forge.work.record.log.events import record
from forge.work.record.log.rows import Wake
from forge.work.workspace.crews.announcements import CrewRole
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.names import Names


def planner_of(desk: GoalDesk, override: str | None) -> AgentItem | None:
    """Whom the caller names, else the crew's planner, else the calling agent; one request."""
    workspace_id, caller_id = desk.goal.workspace_id, desk.ctx.caller.agent_id
    named = [one.agent_id for one in desk.crew.members] if desk.crew else []
    everybody = [one for one in (override, caller_id, *named) if one]
    desk.readings.fetch(AgentItem.at(workspace_id, one) for one in everybody)

    def find(agent_id: str) -> AgentItem | None:
        return desk.readings.find(AgentItem, AgentItem.at(workspace_id, agent_id))

    def at_work(agent_id: str) -> AgentItem | None:
        agent = find(agent_id)
        return agent if agent is not None and agent.archived_at is None else None

    if override is None:
        chosen = roles.holder_of(desk.crew, CrewRole.PLANNER, at_work) or caller_id
        return find(chosen) if chosen else None
    return required(find(override), override, field="plannerAgentId")


def reviewer_of(desk: PlanDesk, step: Step) -> str | None:
    """Who of the crew judges a step, somebody else than who did it if there is one; one request."""
    desk.readings.fetch(desk.keys_of_crew())
    return roles.reviewer_of(step, desk.crew, desk.agent)


def required(agent: AgentItem | None, agent_id: str, *, field: str) -> AgentItem:
    """Somebody whom the caller names has to be there and at work."""
    if agent is None:
        raise unknown(Kind.AGENT, field, agent_id)
    assignments.require_available(agent)
    return agent


def call_planner(
    tx: Transaction,
    desk: GoalDesk,
    plan: PlanItem,
    planner: AgentItem | None,
    *,
    issue: IssueChange | None,
) -> None:
    """Tell whoever plans what the goal is, in a run of its own where the goal has an issue."""
    event_id = desk.ctx.new_id("evt")
    run_id = None
    if issue and planner:
        run_id = step_runs.begin(issue, planner, step_runs.planning(plan), event_id=event_id)
    prompt = (
        f"Break the goal {desk.goal.title!r} into steps: call plans.addSteps with planId {plan.id!r}, then"
        " plans.requestApproval."
    )
    told = PlannerCalled(
        action="decompose",
        goal_id=desk.goal.id,
        goal_title=desk.goal.title,
        goal_description=_description(desk),
        planner_agent_id=planner.id if planner else None,
        prompt=prompt,
    )
    record(
        tx,
        PLANNER_CALLED,
        told,
        subject_id=plan.id,
        action="decompose",
        after=plan,
        issue_id=plan.issue_id,
        wakes=[Wake(agent_id=planner.id, run_id=run_id)] if planner else [],
        event_id=event_id,
    )


def raise_approval(desk: PlanDesk, goal: GoalItem | None, user_id: str | None) -> RequestItem:
    """Ask a person to let the plan run. A yes is one to the steps as they are now.

    One question at a time: the same one is asked once, and another takes the place of the one before it.
    """
    ctx, plan = desk.ctx, desk.plan
    title = f"Approve {len(plan.steps)}-step plan for: {(goal or plan).title}"[:200]
    ask = Ask(title=title, body=approvals.steps_as_text(plan)[:10_000], assigned_user_id=user_id)
    wanted = raising.look_up(ctx, ask)
    before = keys_of_request(plan.workspace_id, plan.approval_id) if plan.approval_id else []
    watch = deciders.watch_of(ctx.caller, plan)
    issue = desk.anchor.issue if desk.anchor else None
    owed_runs = keys_of_runs(issue, step_runs.owed_of(issue, plan)) if issue else []
    desk.readings.fetch([*raising.needs(plan.workspace_id, wanted), *before, *watch, *owed_runs])
    known = desk.anchor or Names(settings_in(ctx, desk.readings), desk.readings)
    one = raising.raised(ctx, wanted, known, source=(PLAN, plan.id), source_state=approvals.state_of(plan))
    asked = _waiting(desk)
    if asked is not None:
        if _is_same(asked[0], one.request):
            return asked[0]
        is_watching = any(map(desk.readings.has, watch))
        deciders.require_may_answer(asked[0], ctx.caller, is_watching=is_watching, is_withdrawn=True)
    change = begin_change(desk.anchor) if desk.anchor else None
    if change is not None:
        for live in step_runs.owed_of(change.issue, plan):
            step_runs.end_owed(change, live, f"Asked for approval with {one.request.id}.")
        raising.announce(change, one)
    tx = ctx.plan()
    after = plan.changed(approval_id=one.request.id, planner_called_at=None)
    tx.replace(after)
    follow(tx, owed.follows(plan), owed.follows(after))
    if asked is not None:
        settle_alone(tx, *asked, RequestStatus.DISMISSED, resolution=f"Asked anew as {one.request.id}.")
    waits.begin(tx, WaitKind.PLAN_APPROVAL, subject_id=one.request.id, plan_id=plan.id)
    if change is None:
        raising.add_alone(tx, one)
    else:
        raising.add(tx, one)
        save_issue(tx, change)
    return one.request


def _waiting(desk: PlanDesk) -> tuple[RequestItem, RequestTextItem] | None:
    """The request by which people are asked already."""
    plan = desk.plan
    found = find_whole(desk.readings, plan.workspace_id, plan.approval_id) if plan.approval_id else None
    return found if found is not None and found[0].is_waiting else None


def _is_same(asked: RequestItem, anew: RequestItem) -> bool:
    return (asked.shown_hash, asked.assigned_user_id) == (anew.shown_hash, anew.assigned_user_id)


def _description(desk: GoalDesk) -> str | None:
    key = GoalTextItem.at(desk.goal.workspace_id, desk.goal.id)
    said = desk.readings.find(GoalTextItem, key)
    return texts.read(desk.ctx.services.store.blobs, said.description)[:TOLD_OF_TEXT] if said else None
