"""What follows from settings that make things due earlier: open issues and their runs are looked at in time.

What becomes due later needs nothing: it is looked at when it was due, and decided again.
"""

from forge.context import Context
from forge.store.items import Item
from forge.work.continuations.continuations import ContinuationItem
from forge.work.continuations.walking import Stretch
from forge.work.issues import issue_keys
from forge.work.issues.desks import open_issue
from forge.work.issues.issues import IssueItem
from forge.work.runs import run_keys, silence
from forge.work.runs.runs import RunItem
from forge.work.watchdogs import deadlines, neglect
from forge.work.workspaces import workspaces
from forge.work.workspaces.workspaces import WorkspaceItem


def stretches(ctx: Context, of: ContinuationItem) -> list[Stretch[Item]]:
    """The board, as far as it is not done: whoever changes an issue meanwhile does this for it."""
    workspace = workspaces.get(ctx.table, of.workspace_id)

    def concerns(item: Item) -> bool:
        return isinstance(item, IssueItem) and _concerns(item, workspace)

    def settle(item: Item) -> bool:
        return isinstance(item, IssueItem) and _settle(ctx, item.id)

    board = issue_keys.board(of.workspace_id, is_done=False)
    return [Stretch[Item](IssueItem, board, settle, concerns, index_name="board")]


def _concerns(issue: IssueItem, workspace: WorkspaceItem) -> bool:
    if not issue.is_open:
        return False
    return issue.current_run_id is not None or issue.watch_at != neglect.watch_at(issue, workspace)


def _settle(ctx: Context, issue_id: str) -> bool:
    """Move the deadlines of an issue and of its runs; told to nobody, because nothing happened."""
    desk = open_issue(ctx, issue_id)
    issue, workspace = desk.issue, desk.workspace
    run_ids = {
        *(run.run_id for run in issue.live_runs),
        *([issue.current_run_id] if issue.current_run_id else []),
    }
    places = [run_keys.run(issue.workspace_id, run_id) for run_id in sorted(run_ids)]
    desk.fetch(places)
    runs = [run for place in places if (run := desk.find(RunItem, place))]
    watched = [(run, silence.watched(run, workspace)) for run in runs]
    moved = [after for before, after in watched if after != before]
    moment = neglect.watch_at(issue, workspace)
    if moment == issue.watch_at and not moved:
        return False
    tx = ctx.plan()
    if moment != issue.watch_at:
        deadlines.look_at_issue(tx, issue, moment)
    for run in moved:
        deadlines.look_at_run(tx, run)
    ctx.commit()
    return True
