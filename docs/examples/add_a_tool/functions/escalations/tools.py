"""The escalations' tools."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.terms import EXECUTE_ONLY
from forge.contract.tools import Namespace
from forge.work.issues.announcements import ISSUE_PRIORITIZED
from forge.work.issues.changes import begin_change
from forge.work.issues.desks import open_issue
from forge.work.issues.runs.announcements import RUN_STARTED
from forge.work.issues.saving import save
from forge.work.issues.views import IssueRow, row_of
from forge.work.workspace.people.names import keys_of
from functions.escalations import rules
from functions.escalations.models import Escalate

namespace = Namespace("escalations", "Say that an issue is worse than it looked.")


@namespace.writes(
    modes=EXECUTE_ONLY,
    costs=Cost(reads=2, writes=1, items=9),
    emits=[ISSUE_PRIORITIZED, RUN_STARTED],
    asks=["make it more urgent", "this can't wait"],
)
def escalate(request: Escalate, ctx: Context) -> IssueRow:
    """Make an issue one step more urgent, and return it; whoever has it hears of it.

    One that is URGENT already is a conflict. To set any other priority, use issues.update.
    Example: {"issueId": "DEMO-1"}
    """
    desk = open_issue(ctx, request.issue_id)
    change = begin_change(desk, keys_of(desk.issue))
    rules.escalate(change, to_the_top=request.to_the_top)
    return row_of(save(ctx.plan(), change), desk.names)
