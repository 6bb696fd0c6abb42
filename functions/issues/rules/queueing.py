"""Putting issues into the queue and taking them out."""

from forge.context import Context
from forge.errors import Conflict
from forge.work.issues.changes import Call, IssueChange, Reason, keys_of_agents
from forge.work.issues.desks import open_issue
from forge.work.issues.views import IssueRow, row_of
from forge.work.log import dispatch
from forge.work.log.events import EventKind
from forge.work.people.names import keys_of
from forge.work.runs import modes


def set_queued(ctx: Context, given: str, *, is_queued: bool) -> IssueRow:
    desk = open_issue(ctx, given)
    issue = desk.issue
    desk.fetch([*keys_of(issue), *keys_of_agents(desk)])
    if issue.queued is is_queued:
        return row_of(issue, desk.names)
    if is_queued and not issue.is_open:
        raise Conflict("This issue is closed.", hint="Open it with issues.transition first.")
    with ctx.transaction() as tx:
        change = IssueChange(desk, tx)
        change.set(queued=is_queued)
        if is_queued:
            _announce(change)
            dispatch.offer(change)
        else:
            change.announce(EventKind.ISSUE_UPDATED, {"queued": False}, action="unqueue")
        saved = change.save()
    return row_of(saved, desk.names)


def _announce(change: IssueChange) -> None:
    issue, desk = change.issue, change.desk
    agent = desk.names.agent(issue.assigned_agent_id)
    calls = []
    if agent is not None:
        engagement = modes.for_assignee(desk.workspace, agent, issue)
        calls = [Call(agent.id, Reason.ASSIGNED, engagement)]
    told = {"number": issue.number, "assignedAgentId": issue.assigned_agent_id}
    change.announce(EventKind.ISSUE_QUEUED, told, action="queue", calls=calls)
