"""What a heartbeat of a runtime means for the runs that are worked on there."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from forge.auth import bounds
from forge.auth.keys import MAX_NARROWING_IDS, KeyOfRun, KeyOrder
from forge.context import NOTHING, Caller, KeyKind, Narrowing
from forge.contract.terms import Scope
from forge.errors import Forbidden, InvalidInput
from forge.work.issues.claims import holds
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.plans.budgets import allowances
from forge.work.workspace.workspaces import WorkspaceItem
from functions.agents.models import Beat, StopReason

AT_WORK, IDLE = 30, 300
"""Seconds between two heartbeats: what holds nothing loses nothing."""
MOST_WRITTEN = 20
"""Runs that one heartbeat writes: the rest come with the next."""
_LIFETIME = timedelta(hours=4)
MOST_NAMED = MAX_NARROWING_IDS - 2
MOST_KEPT_UP = 10
"""The same of claims, whose issues have rows elsewhere."""
_SIGNS_EVERY = timedelta(minutes=2)
"""Less than what makes a run look silent to anybody."""


def require_complete(beat: Beat) -> None:
    """What is said of a runtime is said of one."""
    said = {"slots", "runs", "versions", "draining"} & beat.model_fields_set
    if beat.runtime_id is None and said:
        raise InvalidInput(
            "This tells of a runtime, and none is named.",
            issues={"runtimeId": "Give the id that agents.connect answered."},
        )


SCOPES_OF_A_RUN = frozenset(
    {
        Scope.READ_ISSUES,
        Scope.WRITE_ISSUES,
        Scope.READ_COMMENTS,
        Scope.WRITE_COMMENTS,
        Scope.READ_PROJECTS,
        Scope.READ_USERS,
    }
)


def require_minter(caller: Caller) -> None:
    """Only the key of the agent itself, and nothing that was made from it."""
    bounds.require_key(caller)
    if caller.kind is not KeyKind.AGENT:
        raise Forbidden(
            "Only a key of kind AGENT makes the key of a run.", hint="Use the key of the agent itself."
        )


def ends_at(minutes: int | None, caller: Caller, now: datetime) -> datetime:
    """What was left out ends when the caller's own key does, if that is sooner."""
    if minutes is not None:
        return now + timedelta(minutes=minutes)
    usual = now + _LIFETIME
    return usual if caller.expires_at is None else min(usual, caller.expires_at)


def order_of(
    run: RunItem, issue: IssueItem, seen: Iterable[IssueItem], caller: Caller, *, ends_at: datetime
) -> KeyOrder:
    """A key for the run: what its agent may do, and no more of that than its issue needs.

    `seen` are the issues that stand in a relation to it, and that the caller sees.
    """
    return KeyOrder(
        name=f"run {run.id}",
        kind=KeyKind.SESSION,
        workspace_id=run.workspace_id,
        scopes=[scope for scope in sorted(SCOPES_OF_A_RUN) if scope in caller.scopes],
        linked_agent_id=run.agent_id,
        narrowing=narrowing_of(issue, seen, caller.narrowing),
        of_run=KeyOfRun(run.id, issue.id, caller.session_id, ends_at),
    )


def narrowing_of(issue: IssueItem, seen: Iterable[IssueItem], own: Narrowing) -> Narrowing:
    """The issue's project; where there is none, or it is not the caller's, the issue and what it leads to."""
    is_all_seen = issue.project_id in own.project_ids or not (own.project_ids or own.label_ids)
    nothing = frozenset({NOTHING})
    if issue.project_id is not None and is_all_seen:
        return Narrowing(frozenset({issue.project_id}), frozenset(), nothing, frozenset({issue.id}))
    named = [issue.id, *sorted(one.id for one in seen)][:MOST_NAMED]
    return Narrowing(nothing, frozenset(), nothing, frozenset(named))


def interval(beat: Beat) -> int:
    return AT_WORK if beat.runs else IDLE


def reason_to_stop(
    run: RunItem | None, issue: IssueItem | None, workspace: WorkspaceItem, caller: Caller, now: datetime
) -> StopReason | None:
    """Why nobody must work on it there any more; None where it goes on."""
    if run is None or issue is None or run.agent_id != caller.agent_id:
        return StopReason.UNKNOWN
    if not run.is_live:
        return StopReason.ENDED
    if run.execution_step_id is None and holds.is_taken_over(issue, caller, now):
        return StopReason.TAKEN_OVER
    return StopReason.LIMIT if allowances.passed(workspace, run, now) else None


def is_to_be_written(run: RunItem, workspace: WorkspaceItem, now: datetime) -> bool:
    """Whether the run itself has to say that it was heard of; the runtime says so all the time."""
    stale = timedelta(minutes=workspace.agent_run_stale_minutes)
    moment = min(_SIGNS_EVERY, stale / 4) if stale else _SIGNS_EVERY
    is_silent = run.called_at is not None or now - run.last_event_at >= moment
    return run.status is RunStatus.ACTIVE and is_silent


def written_first(runs: Iterable[RunItem]) -> list[RunItem]:
    """The runs that were not heard of for longest, as many as one heartbeat writes."""
    return sorted(runs, key=lambda one: (one.last_event_at, one.id))[:MOST_WRITTEN]
