"""Moving issues through the board."""

from collections.abc import Sequence

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.questions import require_confirmed
from forge.contract.terms import EXECUTE_ONLY
from forge.work.issues.announcements import ISSUE_MOVED
from forge.work.issues.changes import IssueChange, begin_change, decided_on
from forge.work.issues.claims import holds
from forge.work.issues.desks import Desk, open_issue, open_issues
from forge.work.issues.edits import transitions
from forge.work.issues.runs.announcements import RUN_ENDED, RUN_STARTED
from forge.work.issues.saving import save, save_many
from forge.work.issues.views import IssueRow, row_of
from forge.work.workspace.people.names import keys_of
from forge.work.workspace.statuses import StatusCopy
from functions.issues.models.moving import Transitioned, TransitionIssue, TransitionIssues
from functions.issues.rules import moving
from functions.issues.tools import namespace


@namespace.writes(
    for_runs=True,
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=2, writes=1, items=18).up_to(items=77, because="it frees twenty issues"),
    emits=[ISSUE_MOVED, RUN_STARTED, RUN_ENDED],
    asks=[
        "close an issue",
        "mark it as done",
        "change the status",
        "reopen a ticket",
        "move to another column",
        "set the status",
        "cancel a task",
    ],
)
def transition(request: TransitionIssue, ctx: Context) -> IssueRow:
    """Move an issue to another status and return it.

    A DONE or CANCELED one ends all runs of the issue and frees what it blocks.
    Example: {"id": "DEMO-1", "statusId": "Done"}
    """
    desk = open_issue(ctx, request.id)
    status = transitions.status_of(desk.workspace, request.status_id)
    change = begin_change(
        desk,
        [*keys_of(desk.issue), *transitions.runs_to_end(desk.issue, status)],
        issue_ids=transitions.issues_to_settle(desk.issue, status),
    )
    if status.id == desk.issue.status_id:
        return row_of(desk.issue, desk.names)
    holds.require_no_others_claim(desk)
    transitions.move(change, status)
    return row_of(save(ctx.plan(), change), desk.names)


@namespace.writes(
    modes=EXECUTE_ONLY,
    idempotent=True,
    name="bulkTransition",
    costs=Cost(reads=2, writes=1, items=21).up_to(reads=5, writes=50, items=81, because="many in chunks"),
    emits=[ISSUE_MOVED, RUN_STARTED, RUN_ENDED],
    asks=["close a lot of issues together", "many at a time"],
    confirms=f"more than {moving.FEW} issues move",
)
def bulk_transition(request: TransitionIssues, ctx: Context) -> Transitioned:
    """Move up to 200 issues to one status; how many really moved.

    All are checked first: if one is unknown or out of reach, none moves. Then they move in chunks; of what
    somebody else changed at that very moment `failed` tells, or a conflict: call again.
    Example: {"ids": ["DEMO-1", "DEMO-2"], "statusId": "Done"}
    """
    desks = {desk.issue.id: desk for desk in open_issues(ctx, request.ids)}
    status = transitions.status_of(next(iter(desks.values())).workspace, request.status_id)
    wanted = {issue_id: desk for issue_id, desk in desks.items() if desk.issue.status_id != status.id}
    moving.require_unclaimed(wanted.values())
    require_confirmed(ctx, request.confirm, lambda: moving.question(len(wanted), status))
    _fetch_together(list(wanted.values()), status)

    def moved(desk: Desk) -> IssueChange:
        change = begin_change(desk)
        transitions.move(change, status)
        return change

    issues = [desk.issue for desk in wanted.values()]
    chunks = moving.chunks(issues, status, agent_id=ctx.caller.agent_id)
    failed = save_many(ctx, wanted, chunks, moved)
    return Transitioned(count=len(wanted) - len(failed), status_id=status.id, failed=failed)


def _fetch_together(desks: Sequence[Desk], status: StatusCopy) -> None:
    """What each change is decided on, in one request per hundred: the desks share what was read."""
    if not desks:
        return
    keys = [key for desk in desks for key in transitions.runs_to_end(desk.issue, status)]
    others = [other for desk in desks for other in transitions.issues_to_settle(desk.issue, status)]
    keys += [key for desk in desks for key in decided_on(desk)]
    desks[0].fetch(keys, issue_ids=others)
