"""What is told of a decision, and who is called by it."""

from forge.store.transactions import Transaction
from forge.work.issues.announcements import About
from forge.work.issues.changes import IssueChange
from forge.work.log.events import Wake
from forge.work.people.agents import AgentItem
from forge.work.requests import deciding
from forge.work.requests.announcements import REQUEST_SETTLED, RequestSettled
from forge.work.requests.requests import RequestItem
from forge.work.runs import modes
from forge.work.runs.wakes import Call, Reason


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


def record_alone(
    tx: Transaction,
    before: RequestItem,
    after: RequestItem,
    told: RequestSettled,
    *,
    asker: AgentItem | None = None,
) -> None:
    """Where no issue changes; an agent that asked about none is told all the same."""
    is_there = asker is not None and asker.archived_at is None
    deciding.tell(tx, before, after, told, wakes=[Wake(agent_id=asker.id)] if asker and is_there else [])
