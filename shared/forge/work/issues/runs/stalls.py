"""Writing what became of a run that nothing was heard of."""

from collections.abc import Sequence

from forge.store.keys import sortable_time
from forge.store.transactions import Transaction
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs import runs
from forge.work.issues.runs.announcements import RUN_STALLED, RunEnded
from forge.work.issues.runs.runs import LiveGuardItem, RunItem, RunStatus
from forge.work.record.log.events import Wake, record


def is_left(run: RunItem, issue: IssueItem) -> bool:
    """Whether it is for a person to see to: what it waits for is not there, or nobody took its work over."""
    is_current = run.status is not RunStatus.STALLED or issue.current_run_id == run.id
    return run.needs_person and is_current and issue.is_open


def stall(tx: Transaction, stalled: RunItem, *, wakes: Sequence[Wake]) -> None:
    """Store a run that stalled, and tell of it. The issue's head must let go of it, too."""
    tx.replace(stalled)
    tx.delete(LiveGuardItem.of(stalled))
    runs.note(tx, stalled, "STALLED", {"lastEventAt": sortable_time(stalled.last_event_at)})
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
