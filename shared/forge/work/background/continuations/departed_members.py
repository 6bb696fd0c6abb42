"""What follows from removing a person: what they had claimed or locked, or was assigned to them, is free.

A person's issues are in no index of their own, so all that are not done are looked at.
"""

from forge.context import Context
from forge.store.items import Item
from forge.work.background.continuations import departures
from forge.work.backlog.workflows.giving_back import give_back_issue
from forge.work.issues.changes import begin_change
from forge.work.issues.desks import open_issue
from forge.work.issues.issues import BOARD, Half, IssueItem
from forge.work.issues.saving import save
from forge.work.record.continuations.continuations import ContinuationItem, Stretch
from forge.work.workspace.people import members
from forge.work.workspace.people.names import keys_of


def stretches(ctx: Context, of: ContinuationItem) -> list[Stretch[Item]]:
    """Whoever is back by now keeps what is left."""
    workspace_id, user_id = of.workspace_id, of.subject_id
    is_back = members.find(ctx.table, workspace_id, user_id) is not None

    def concerns(item: Item) -> bool:
        return not is_back and isinstance(item, IssueItem) and departures.is_bound_to_person(item, user_id)

    def settle(item: Item) -> bool:
        return isinstance(item, IssueItem) and _leave(ctx, user_id, item.id)

    board = BOARD(workspace_id, Half.LIVE)
    return [Stretch[Item](IssueItem, board, settle, concerns, index_name="board")]


def _leave(ctx: Context, user_id: str, issue_id: str) -> bool:
    desk = open_issue(ctx, issue_id)
    if not departures.is_bound_to_person(desk.issue, user_id):
        return False
    if desk.issue.claimed_by_id == user_id and give_back_issue(ctx, desk.issue, by=ctx.tool):
        desk = open_issue(ctx, issue_id)
    change = begin_change(desk, keys_of(desk.issue))
    departures.leave_as_person(change, user_id)
    if change.announced:
        save(ctx.plan(), change)
        ctx.commit()
    return True
