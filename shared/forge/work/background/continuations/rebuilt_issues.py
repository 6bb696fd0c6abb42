"""Issues that are stored anew because of something else: a label was deleted, or a backlog has other labels.

What follows from an issue is written with it, so this is how all of it is put right.
"""

from collections.abc import Callable

from forge.context import Context
from forge.store import keys
from forge.work.issues import heads
from forge.work.issues.backlog_rows.places import placed
from forge.work.issues.desks import open_issue
from forge.work.issues.issues import BOARD, ISSUES_LISTED, Half, IssueItem
from forge.work.record.continuations.continuations import LATECOMERS, ContinuationItem, Stretch
from forge.work.record.log import events
from forge.work.workspace import workspaces
from forge.work.workspace.workspaces import WorkspaceItem

Rebuilt = Callable[[IssueItem, WorkspaceItem], IssueItem]
"""The issue as it should be, which is the same object where it is so already."""


def without_a_label(ctx: Context, of: ContinuationItem) -> list[Stretch[IssueItem]]:
    """All issues by their last change: one that changes while they are walked through moves ahead."""

    def without(issue: IssueItem, workspace: WorkspaceItem) -> IssueItem:
        if of.subject_id not in issue.label_ids:
            return issue
        return placed(issue.changed(label_ids=issue.label_ids - {of.subject_id}), workspace)

    return [
        Stretch(
            IssueItem,
            ISSUES_LISTED(of.workspace_id),
            _settling(ctx, without, action="unlabel"),
            lambda issue: of.subject_id in issue.label_ids,
            index_name="updated",
            again_from=keys.sortable_time(of.begun_at - LATECOMERS),
        )
    ]


def in_their_places(ctx: Context, of: ContinuationItem) -> list[Stretch[IssueItem]]:
    """The board, as far as it is not done: whoever changes an issue meanwhile does this for it."""
    workspace = workspaces.get(ctx.table, of.workspace_id)

    def is_elsewhere(issue: IssueItem) -> bool:
        return placed(issue, workspace) is not issue

    board = BOARD(of.workspace_id, Half.LIVE)
    settle = _settling(ctx, placed, action="place")
    return [Stretch(IssueItem, board, settle, is_elsewhere, index_name="board")]


def _settling(ctx: Context, rebuilt: Rebuilt, *, action: str) -> Callable[[IssueItem], bool]:
    """Audited and not announced: of the issue itself nothing has changed."""

    def settle(issue: IssueItem) -> bool:
        desk = open_issue(ctx, issue.id)
        before, after = desk.issue, rebuilt(desk.issue, desk.workspace)
        if after is before:
            return False
        tx = ctx.plan()
        heads.replace(tx, before, after)
        events.record_change(
            tx, "issue", before.id, action=action, before=before, after=after, issue_id=before.id
        )
        ctx.commit()
        return True

    return settle
