"""What follows from archiving an agent: its runs end, its claims are given up, its issues are free."""

from forge.context import Context
from forge.store.items import Item
from forge.work.background.continuations import departures
from forge.work.backlog.workflows.giving_back import give_back_issue
from forge.work.issues.changes import begin_change, keys_of_runs
from forge.work.issues.desks import open_issue
from forge.work.issues.followers import ClaimItem
from forge.work.issues.inbox.rows import OF_AGENT
from forge.work.issues.issues import ISSUES_OF_AGENT, Half, IssueItem
from forge.work.issues.runs.runs import LiveGuardItem
from forge.work.issues.saving import save
from forge.work.record.continuations.continuations import ContinuationItem, Stretch
from forge.work.workspace.people.names import keys_of


def stretches(ctx: Context, of: ContinuationItem) -> list[Stretch[Item]]:
    """The agent's claims, its live runs, and its issues that are not done: an issue may be in each."""
    workspace_id, agent_id = of.workspace_id, of.subject_id
    own = OF_AGENT(workspace_id, agent_id)
    assigned = ISSUES_OF_AGENT(workspace_id, agent_id, Half.LIVE)

    def leave(item: Item) -> bool:
        return _leave(ctx, agent_id, item)

    return [
        Stretch(ClaimItem, own, leave, prefix=ClaimItem.stored.prefix()),
        Stretch(LiveGuardItem, own, leave, prefix=LiveGuardItem.stored.prefix()),
        Stretch(IssueItem, assigned, leave, index_name="agent"),
    ]


def _leave(ctx: Context, agent_id: str, item: Item) -> bool:
    """The agent and one issue part, in one transaction; whether they had anything to do with each other.

    A lock is given back before, as whoever holds it would.
    """
    desk = open_issue(ctx, _issue_of(item))
    if not departures.is_bound_to(desk.issue, agent_id):
        return False
    if desk.issue.claimed_by_agent_id == agent_id and give_back_issue(ctx, desk.issue, by=ctx.tool):
        desk = open_issue(ctx, desk.issue.id)
    issue = desk.issue
    own = keys_of_runs(issue, issue.live_runs_of(agent_id))
    change = begin_change(desk, [*keys_of(issue), *own])
    departures.leave(change, agent_id)
    save(ctx.plan(), change)
    ctx.commit()
    return True


def _issue_of(item: Item) -> str:
    if isinstance(item, IssueItem):
        return item.id
    if isinstance(item, ClaimItem | LiveGuardItem):
        return item.issue_id
    raise TypeError(f"{type(item).__name__} leads to no issue")
