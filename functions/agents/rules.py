"""What a heartbeat of a runtime means for the runs that are worked on there."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from forge.context import Caller
from forge.errors import InvalidInput
from forge.work.issues.claims import holds
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.workspace.workspaces import WorkspaceItem
from functions.agents.models import Beat, StopReason

AT_WORK, IDLE = 30, 300
"""Seconds between two heartbeats: what holds nothing loses nothing."""
MOST_WRITTEN = 20
"""Runs that one heartbeat writes: the rest come with the next."""
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


def interval(beat: Beat) -> int:
    return AT_WORK if beat.runs else IDLE


def reason_to_stop(
    run: RunItem | None, issue: IssueItem | None, caller: Caller, now: datetime
) -> StopReason | None:
    """Why nobody must work on it there any more; None where it goes on."""
    if run is None or issue is None or run.agent_id != caller.agent_id:
        return StopReason.UNKNOWN
    if not run.is_live:
        return StopReason.ENDED
    if run.execution_step_id is None and holds.is_taken_over(issue, caller, now):
        return StopReason.TAKEN_OVER
    return None


def is_to_be_written(run: RunItem, workspace: WorkspaceItem, now: datetime) -> bool:
    """Whether the run itself has to say that it was heard of; the runtime says so all the time."""
    stale = timedelta(minutes=workspace.agent_run_stale_minutes)
    moment = min(_SIGNS_EVERY, stale / 4) if stale else _SIGNS_EVERY
    is_silent = run.called_at is not None or now - run.last_event_at >= moment
    return run.status is RunStatus.ACTIVE and is_silent


def written_first(runs: Iterable[RunItem]) -> list[RunItem]:
    """Those that were not heard of for longest."""
    return sorted(runs, key=lambda one: (one.last_event_at, one.id))[:MOST_WRITTEN]
