"""What follows from registering a repository or renaming its labels: each issue comes into its place."""

from forge.context import Context
from forge.store.items import Item
from forge.work.issues import heads
from forge.work.issues.backlog_rows.places import placed
from forge.work.issues.desks import open_issue
from forge.work.issues.issues import BOARD, Half, IssueItem
from forge.work.record.continuations.continuations import ContinuationItem
from forge.work.record.continuations.walks import Stretch
from forge.work.record.log import events
from forge.work.workspace import workspaces


def stretches(ctx: Context, of: ContinuationItem) -> list[Stretch[Item]]:
    """The board, as far as it is not done: whoever changes an issue meanwhile does this for it."""
    workspace = workspaces.get(ctx.table, of.workspace_id)

    def is_elsewhere(item: Item) -> bool:
        return isinstance(item, IssueItem) and placed(item, workspace) is not item

    def settle(item: Item) -> bool:
        return isinstance(item, IssueItem) and _settle(ctx, item.id)

    board = BOARD(of.workspace_id, Half.LIVE)
    return [Stretch[Item](IssueItem, board, settle, is_elsewhere, index_name="board")]


def _settle(ctx: Context, issue_id: str) -> bool:
    """Audited and not announced: of the issue itself nothing has changed."""
    desk = open_issue(ctx, issue_id)
    issue, after = desk.issue, placed(desk.issue, desk.workspace)
    if after is issue:
        return False
    tx = ctx.plan()
    heads.replace(tx, issue, after)
    events.record_change(tx, "issue", issue.id, action="place", before=issue, after=after, issue_id=issue.id)
    ctx.commit()
    return True
