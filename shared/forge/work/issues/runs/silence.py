"""When a run that nothing is heard of has stalled or is given up, and what is written of it."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from forge.store.keys import Key, sortable_time
from forge.store.places import due_attributes, out_of
from forge.store.transactions import Transaction
from forge.work.issues.inbox.rows import Duty
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs import runs
from forge.work.issues.runs.announcements import RUN_STALLED, RunEnded
from forge.work.issues.runs.runs import TOLD_OF_SUMMARY, LiveRunItem, RunItem, RunStatus
from forge.work.record.log.events import record
from forge.work.record.log.rows import Wake
from forge.work.workspace.workspaces import WorkspaceItem

SIGNS_EVERY = timedelta(minutes=2)
"""An agent that is at work is heard of all the time: so often it is written down."""


PARKED_FOR = timedelta(hours=1)
"""A claim whose run waits for a person is kept up for so long, again and again."""

LOOKED_AT_PARKED = PARKED_FOR / 2


class SilenceVerdict(StrEnum):
    """What becomes of a run."""

    STALLED = "STALLED"
    GIVEN_UP = "GIVEN_UP"


def watch_at(run: RunItem, workspace: WorkspaceItem) -> datetime | None:
    """When to look whether the silence has lasted too long; never where somebody else is awaited.

    A judge who says nothing is called again, and then people are: that wait is tended elsewhere.
    """
    if run.duty is Duty.JUDGE:
        return None
    if run.status is RunStatus.ACTIVE and run.awaiting_approval_at is None:
        return _after(run.last_event_at, timedelta(minutes=workspace.agent_run_stale_minutes))
    if run.status is RunStatus.STALLED and run.finished_at:
        return _after(run.finished_at, timedelta(hours=workspace.abandon_stalled_after_hours))
    return None


def watched(run: RunItem, workspace: WorkspaceItem) -> RunItem:
    """The run with the time at which the sweep looks at it, as the settings are now."""
    return run.changed(watch_at=watch_at(run, workspace))


def still_watched(run: RunItem, heard: RunItem, workspace: WorkspaceItem) -> RunItem:
    """The run as it is heard of now; while it works on, that moves no deadline, because that would cost more.

    The sweep looks when it would have, and finds that the silence was shorter.
    """
    is_at_work = run.status is heard.status is RunStatus.ACTIVE and run.watch_at is not None
    return heard.changed(watch_at=run.watch_at) if is_at_work else watched(heard, workspace)


def is_fresh(run: RunItem, workspace: WorkspaceItem, now: datetime) -> bool:
    """Whether its agent was heard of a moment ago, so that another sign of it need not be written down.

    The log has it; whoever finds a run silent asks there before it stalls.
    """
    moment = min(SIGNS_EVERY, timedelta(minutes=workspace.agent_run_stale_minutes) / 10)
    is_awaited = run.status is not RunStatus.ACTIVE or run.called_at is not None or not has_answered(run)
    return not is_awaited and now - run.last_event_at < moment


def given_anew(
    key: Key, workspace: WorkspaceItem, now: datetime, *, duty: Duty | None = None
) -> dict[str, object]:
    """What changes on a live run whose agent is given the issue again: its time begins anew."""
    stale = timedelta(minutes=workspace.agent_run_stale_minutes)
    moment = None if duty is Duty.JUDGE else _after(now, stale)
    return {
        # Whoever gives it out anew has answered what it waited for.
        **_active(key, now, moment),
        "assigned_at": now,
        "ack_due_at": None,
    }


def with_claim_of_parked(issue: IssueItem, agent_id: str, now: datetime) -> IssueItem:
    """Nobody else takes what its agent will go on with."""
    if issue.claimed_by_agent_id != agent_id or issue.claim_expires_at is None:
        return issue
    return issue.changed(claim_expires_at=max(issue.claim_expires_at, now + PARKED_FOR))


def answered(run: RunItem | None, workspace: WorkspaceItem, now: datetime) -> dict[str, object]:
    """What changes on a WAITING run whose agent was answered: it is ACTIVE, without what it waited for."""
    if run is None or run.status is not RunStatus.WAITING:
        return {}
    moment = watch_at(run.resumed(now), workspace)
    return {**_active(run.key, now, moment), "current_step": None}


def _active(key: Key, now: datetime, moment: datetime | None) -> dict[str, object]:
    return {
        "status": RunStatus.ACTIVE,
        "is_blocking": False,
        "request_id": None,
        "last_event_at": now,
        "watch_at": moment,
        **due_attributes(key, moment),
        **out_of("board"),
    }


def verdict(run: RunItem, workspace: WorkspaceItem, now: datetime) -> SilenceVerdict | None:
    """What the silence has come to; None where it goes on as it is."""
    moment = watch_at(run, workspace)
    if moment is None or moment > now:
        return None
    return SilenceVerdict.STALLED if run.status is RunStatus.ACTIVE else SilenceVerdict.GIVEN_UP


def heard_elsewhere(run: RunItem, moments: Iterable[datetime]) -> RunItem:
    """The run, if its agent was heard of otherwise on the issue: then it is silent in none of its runs."""
    return run.changed(last_event_at=max([run.last_event_at, *moments]))


def stalled(run: RunItem, workspace: WorkspaceItem, now: datetime) -> RunItem:
    step = f", at {run.current_step!r}" if run.current_step else ""
    summary = f"Nothing was heard of the agent since {sortable_time(run.last_event_at)}{step}."
    return watched(run.over(RunStatus.STALLED, now, summary=summary), workspace)


def given_up(run: RunItem, now: datetime) -> RunItem:
    """A stalled run as ABANDONED: it ended when it stalled, and now nobody waits for it any more."""
    summary = f"{run.summary or 'It stalled.'} Given up at {sortable_time(now)}."
    return run.changed(status=RunStatus.ABANDONED, watch_at=None, summary=summary[:TOLD_OF_SUMMARY])


def misses_ack(run: RunItem, workspace: WorkspaceItem, now: datetime) -> bool:
    """Whether its agent was told of the assignment and has given no sign since, as far as the run tells.

    Somebody who moves the issue answers for it; that is in the log.
    """
    if run.ack_due_at is None or run.ack_due_at > now or run.status is not RunStatus.ACTIVE:
        return False
    if workspace.required_ack_seconds == 0 or run.assignment_event_id is None:
        return False
    was_told_off = run.unacknowledged_event_id == run.assignment_event_id
    return not was_told_off and not has_answered(run)


def has_answered(run: RunItem) -> bool:
    """Whether the agent was heard of since it was given the issue."""
    since = run.assigned_at or run.started_at
    if run.acknowledged_at and run.acknowledged_at > since:
        return True
    return run.last_event_at > since


def told_off(run: RunItem) -> RunItem:
    return run.changed(ack_due_at=None, unacknowledged_event_id=run.assignment_event_id)


def _after(moment: datetime, wait: timedelta) -> datetime | None:
    """Nothing is waited for where the setting is off."""
    return moment + wait if wait else None


def is_left(run: RunItem, issue: IssueItem) -> bool:
    """Whether it is for a person to see to: what it waits for is not there, or nobody took its work over."""
    is_current = run.status is not RunStatus.STALLED or issue.current_run_id == run.id
    return run.needs_person and is_current and issue.is_open


def stall(tx: Transaction, stalled: RunItem, *, wakes: Sequence[Wake]) -> None:
    """Store a run that stalled, and tell of it. The issue's head must let go of it, too."""
    tx.replace(stalled)
    runs.end_key(tx, stalled)
    tx.delete(LiveRunItem.of_run(stalled))
    told = RunEnded(**runs.identity(stalled), final_status=stalled.status, summary=stalled.summary)
    record(
        tx,
        RUN_STALLED,
        told,
        subject_id=stalled.id,
        action="stall",
        issue_id=stalled.issue_id,
        wakes=wakes,
    )


def give_up(tx: Transaction, over: RunItem) -> None:
    """Store that a run which had stalled is over; its place has been free since then."""
    tx.replace(over)
    runs.tell_end(tx, over)
