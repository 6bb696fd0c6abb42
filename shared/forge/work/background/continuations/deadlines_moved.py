"""What follows from settings that make things due earlier: open issues and their runs are looked at in time.

What becomes due later needs nothing: it is looked at when it was due, and decided again.
"""

from forge.context import Context
from forge.work.issues.desks import Desk, open_issue
from forge.work.issues.issues import BOARD, Half, IssueItem
from forge.work.issues.neglect import deadlines, neglect
from forge.work.issues.runs import silence
from forge.work.issues.runs.runs import RunItem
from forge.work.record.continuations.continuations import ContinuationItem, Stretch
from forge.work.workspace import workspaces


def stretches(ctx: Context, of: ContinuationItem) -> list[Stretch[IssueItem]]:
    """The board, as far as it is not done: whoever changes an issue meanwhile does this for it."""
    workspace = workspaces.get(ctx.table, of.workspace_id)

    def concerns(issue: IssueItem) -> bool:
        if not issue.is_open:
            return False
        moment = neglect.watch_at(issue, workspace)
        return issue.current_run_id is not None or neglect.is_sooner(moment, issue.watch_at)

    def settle(issue: IssueItem) -> bool:
        return _settle(ctx, issue.id)

    board = BOARD(of.workspace_id, Half.LIVE)
    return [Stretch(IssueItem, board, settle, concerns, index_name="board")]


def _settle(ctx: Context, issue_id: str) -> bool:
    """Move the deadlines of an issue and of its runs; told to nobody, because nothing happened."""
    desk = open_issue(ctx, issue_id)
    moved = _moved_runs(desk)
    moment = neglect.watch_at(desk.issue, desk.workspace)
    is_sooner = neglect.is_sooner(moment, desk.issue.watch_at)
    if not is_sooner and not moved:
        return False
    tx = ctx.plan()
    if is_sooner:
        deadlines.watch_issue(tx, desk.issue, moment)
    for run in moved:
        deadlines.watch_run(tx, run)
    ctx.commit()
    return True


def _moved_runs(desk: Desk) -> list[RunItem]:
    """Those of the issue's live runs, and of the one that stalled, that have to be looked at earlier."""
    issue = desk.issue
    run_ids = {run.run_id for run in issue.live_runs} | {issue.current_run_id} - {None}
    places = [RunItem.at(issue.workspace_id, run_id) for run_id in sorted(map(str, run_ids))]
    desk.fetch(places)
    runs = [run for place in places if (run := desk.find(RunItem, place))]
    watched = [silence.watched(run, desk.workspace) for run in runs]
    return [
        after
        for before, after in zip(runs, watched, strict=True)
        if neglect.is_sooner(after.watch_at, before.watch_at)
    ]
