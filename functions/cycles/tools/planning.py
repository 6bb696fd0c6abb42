"""Putting issues into cycles, and taking them out."""

from forge.context import Context
from forge.contract.effects import CALLS, Cost
from forge.contract.references import Kind
from forge.contract.terms import EXECUTE_ONLY
from forge.work.content.cycles import placing
from forge.work.content.cycles.cycles import CycleItem
from forge.work.issues.announcements import ISSUE_EDITED
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.desks import Desk, open_issue
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.announcements import RUN_STARTED
from forge.work.issues.saving import save, save_many
from forge.work.issues.views import row_of
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.names import keys_of
from functions.cycles import repository, rules
from functions.cycles.models import MAX_PLANNED, AddIssue, IssueInCycle, PlanCycle, Planned, RemoveIssue
from functions.cycles.tools import namespace


@namespace.writes(
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=3, writes=1, items=8).up_to(
        reads=13, writes=MAX_PLANNED // rules.CHUNK, items=84, because="issues move in chunks"
    ),
    emits=[ISSUE_EDITED],
    asks=["fill the sprint", "commit to several issues for an iteration", "planning of an upcoming sprint"],
)
def plan(request: PlanCycle, ctx: Context) -> Planned:
    """Put up to 500 issues into a cycle, or take them out of it; how many really moved.

    All are checked first: if one is unknown or out of reach, none moves. Then they move in chunks; of what
    somebody else changed at that very moment `failed` tells, or a conflict: call again. Nobody is woken.
    Example: {"cycleId": "Sprint 12", "issueIds": ["DEMO-1", "DEMO-2"]}
    """
    rules.require_some(request.issue_ids, request.remove_issue_ids, most=MAX_PLANNED)
    cycle = repository.get(ctx, request.cycle_id).cycle
    coming = repository.open_named(ctx, request.issue_ids, field="issueIds")
    going = repository.open_named(ctx, request.remove_issue_ids, field="removeIssueIds")
    desks = {desk.issue.id: desk for desk in (*coming, *going)}
    moves = rules.moves([one.issue for one in coming], [one.issue for one in going], cycle.id)

    def moved(desk: Desk) -> IssueChange:
        change = IssueChange(desk)
        placing.put(change, moves[desk.issue.id], action="plan", is_quiet=True)
        return change

    chunks = rules.chunks([desks[issue_id].issue for issue_id in moves])
    failed = save_many(ctx, desks, chunks, moved)
    done = [moves[one] for one in moves.keys() - {failure.id for failure in failed}]
    removed = done.count(None) if request.remove_issue_ids else None
    return Planned(planned=done.count(cycle.id), removed=removed, cycle_id=cycle.id, failed=failed)


@namespace.writes(
    modes=EXECUTE_ONLY,
    idempotent=True,
    name="addIssue",
    costs=Cost(reads=2, writes=1, items=9).up_to(items=38, because=CALLS),
    emits=[ISSUE_EDITED, RUN_STARTED],
    asks=[
        "schedule an issue for the sprint",
        "add a ticket to the iteration",
        "move one issue to the next sprint",
    ],
)
def add_issue(request: AddIssue, ctx: Context) -> IssueInCycle:
    """Put an issue into a cycle, out of whatever cycle has it, and return it.

    For many at once use cycles.plan. Example: {"cycleId": "current", "issueId": "DEMO-1"}
    """
    place = CycleItem.at(ctx.caller.workspace_id, request.cycle_id)
    desk = open_issue(ctx, request.issue_id, lambda _: [place])
    if not desk.has(place):
        raise unknown(Kind.CYCLE, "cycleId", request.cycle_id)
    return _put(ctx, desk, request.cycle_id, action="addToCycle")


@namespace.writes(
    modes=EXECUTE_ONLY,
    idempotent=True,
    name="removeIssue",
    costs=Cost(reads=2, writes=1, items=8).up_to(items=38, because=CALLS),
    emits=[ISSUE_EDITED, RUN_STARTED],
    asks=["drop a ticket from the sprint", "take one issue out of the iteration", "unplan a ticket"],
)
def remove_issue(request: RemoveIssue, ctx: Context) -> IssueInCycle:
    """Take an issue out of its cycle, and return it; one that is in none stays as it is.

    For many at once use cycles.plan with removeIssueIds. Example: {"issueId": "DEMO-1"}
    """
    desk = open_issue(ctx, request.issue_id)
    rules.require_in(desk.issue.cycle_id, request.cycle_id)
    return _put(ctx, desk, None, action="removeFromCycle")


def _put(ctx: Context, desk: Desk, cycle_id: str | None, *, action: str) -> IssueInCycle:
    change = begin_change(desk, keys_of(desk.issue))
    issue: IssueItem = desk.issue
    if issue.cycle_id != cycle_id:
        placing.put(change, cycle_id, action=action)
        issue = save(ctx.plan(), change)
    return IssueInCycle(**dict(row_of(issue, desk.names)) | {"cycle_id": issue.cycle_id})
