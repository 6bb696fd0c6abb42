"""What is told of a decision, and who is called by it."""

from forge.store.transactions import Transaction
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.runs import modes
from forge.work.issues.runs.wakes import Call, Reason
from forge.work.issues.saving import save
from forge.work.plans.requests import deciding, requests
from forge.work.plans.requests.announcements import REQUEST_SETTLED, RequestSettled
from forge.work.plans.requests.requests import RequestItem
from forge.work.record.changes import About
from forge.work.record.log.events import Wake
from functions.action_requests import answering
from functions.action_requests.opening import Opened


def settle(
    tx: Transaction,
    opened: Opened,
    after: RequestItem,
    *,
    resolution: str | None,
    said: str,
    note: str | None,
) -> None:
    """Store a decision that does nothing else, and tell the agent that asked; one request at most.

    What still waits for somebody is no decision.
    """
    before = opened.request
    told = deciding.told_of(before, after)
    answer = None if after.is_waiting else answering.answer_of(opened, after.status, said, note)
    if answer is None:
        is_left = not after.is_waiting and answering.is_left(opened, None, None)
        after = after.changed(answer_waits=is_left)
        requests.save(tx, before, after, opened.texts, resolution=resolution)
        record_alone(tx, before, after, told)
        return
    change = begin_change(opened.issue_desk, answering.needs(opened, answer))
    comment = answering.say(change, answer)
    after = after.changed(answer_waits=answering.is_left(opened, change, answer))
    announce(change, before, after, told)
    requests.save(tx, before, after, opened.texts, resolution=resolution)
    answering.write(tx, comment, answer)
    save(tx, change)


def announce(change: IssueChange, before: RequestItem, after: RequestItem, told: RequestSettled) -> None:
    """With a change of the issue: the agent that asked is called if it is still at work there."""
    agent_id = after.requested_by_agent_id
    calls = []
    if agent_id and change.issue.run_at_work_of(agent_id):
        calls = [Call(agent_id, Reason.WATCHING, modes.for_watcher())]
    about = About(after.id, before, after)
    change.announce(
        REQUEST_SETTLED, told, action=after.status.lower(), calls=calls, is_quiet=True, about=about
    )
    change.announced[-1].wakes += _wakes(after)


def record_alone(tx: Transaction, before: RequestItem, after: RequestItem, told: RequestSettled) -> None:
    """Where no issue changes."""
    deciding.tell(tx, before, after, told, wakes=_wakes(after))


def _wakes(after: RequestItem) -> list[Wake]:
    """An agent that is called by no comment is told all the same."""
    return [Wake(agent_id=str(after.requested_by_agent_id))] if after.answer_waits else []
