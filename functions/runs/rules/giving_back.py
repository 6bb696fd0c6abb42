"""What becomes of an issue whose agent gives it back: the next one's work or, the third time, a question."""

from datetime import timedelta

from forge.work.issues import assignments
from forge.work.issues.announcements import ISSUE_QUEUED, ISSUE_RELEASED, Queued, Released
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import NO_CLAIM
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.plans.requests.asking import Ask
from forge.work.plans.requests.requests import Severity
from functions.runs.rules.reporting import ends_work

MOST_IN_A_ROW = 3


def give_back(change: IssueChange, run: RunItem, reason: str, *, after_minutes: int | None) -> bool:
    """The run is over, and its issue is for others; whether people have to be asked about it instead."""
    over = [one for one in change.issue.live_runs if one.run_id == run.id]
    change.end_runs(over, lambda _: (RunStatus.ABANDONED, f"Given back: {reason}"))
    if not ends_work(run):
        # A step is given out by its plan, and who only judged or talked leaves nothing to be taken.
        return False
    _let_go(change, run)
    times = change.issue.times_given_back + 1
    if times >= MOST_IN_A_ROW or not change.issue.is_open:
        change.set(queued=False, queued_from=None, times_given_back=0)
        return times >= MOST_IN_A_ROW and change.issue.is_open
    wait = timedelta(minutes=after_minutes) if after_minutes else None
    was_queued = change.issue.queued
    change.set(queued=True, queued_from=change.now + wait if wait else None, times_given_back=times)
    if not was_queued:
        told = Queued(number=change.issue.number, assigned_agent_id=change.issue.assigned_agent_id)
        change.announce(ISSUE_QUEUED, told, action="queue")
    return False


def question(name: str, reason: str) -> Ask:
    """The request to people about an issue that agents gave back too often."""
    return Ask(
        title=f"{name} was given back {MOST_IN_A_ROW} times in a row: what shall become of it?",
        body=f"The last reason:\n\n{reason}\n\nIt is out of the queue; issues.queue puts it back.",
        severity=Severity.WARNING,
    )


def _let_go(change: IssueChange, run: RunItem) -> None:
    issue = change.issue
    if issue.assigned_agent_id == run.agent_id and issue.dispatch_reason is not None:
        # No person has decided that it is this agent's.
        assignments.take_back(change)
    elif issue.claimed_by_agent_id == run.agent_id and not issue.is_locked(change.now):
        change.set(**NO_CLAIM)
        change.announce(ISSUE_RELEASED, Released(claimed=False), action="release")
