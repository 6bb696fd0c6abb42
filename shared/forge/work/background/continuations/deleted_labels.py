"""What follows from deleting a label: the issues let go of its id, which nobody is shown any more."""

from forge.context import Context
from forge.store import keys
from forge.store.items import Item
from forge.work.issues import heads
from forge.work.issues.backlog_rows.places import placed
from forge.work.issues.desks import open_issue
from forge.work.issues.issues import ISSUES_LISTED, IssueItem
from forge.work.record.continuations.continuations import LATECOMERS, ContinuationItem
from forge.work.record.continuations.walks import Stretch
from forge.work.record.log import events


def stretches(ctx: Context, of: ContinuationItem) -> list[Stretch[Item]]:
    """All issues by their last change: one that changes while they are walked through moves ahead."""
    label_id = of.subject_id

    def carries(item: Item) -> bool:
        return isinstance(item, IssueItem) and label_id in item.label_ids

    def let_go(item: Item) -> bool:
        return isinstance(item, IssueItem) and _let_go(ctx, item.id, label_id)

    everything = Stretch[Item](
        IssueItem,
        ISSUES_LISTED(of.workspace_id),
        let_go,
        carries,
        index_name="updated",
        again_from=keys.sortable_time(of.begun_at - LATECOMERS),
    )
    return [everything]


def _let_go(ctx: Context, issue_id: str, label_id: str) -> bool:
    """Audited and not announced: what everybody sees of the issue has changed with the label itself."""
    desk = open_issue(ctx, issue_id)
    issue = desk.issue
    if label_id not in issue.label_ids:
        return False
    rest = placed(issue.changed(label_ids=issue.label_ids - {label_id}), desk.workspace)
    tx = ctx.plan()
    heads.replace(tx, issue, rest)
    events.record_change(tx, "issue", issue.id, action="unlabel", before=issue, after=rest, issue_id=issue.id)
    ctx.commit()
    return True
