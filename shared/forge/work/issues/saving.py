"""Writing a change of an issue: all of it goes into the one transaction of the call."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from forge.context import Context
from forge.store.transactions import Transaction, VersionMoved
from forge.work.issues import heads, watchers
from forge.work.issues.auto_dispatch import lines
from forge.work.issues.backlog_rows.places import placed
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.issues.neglect import neglect
from forge.work.issues.runs import runs, signs
from forge.work.issues.runs.runs import NO_PLACE, LiveRunItem, RunItem
from forge.work.issues.runs.signs import Touched
from forge.work.issues.views import Failure
from forge.work.record import texts
from forge.work.record.texts import KeptText


def save(tx: Transaction, change: IssueChange, *, is_update: bool = True) -> IssueItem:
    """Settle a change and write everything; the issue as it became.

    What only the sweep has noticed is no update of the issue: it must not look as if somebody saw to it.
    """
    change.settle()
    _write_runs(tx, change)
    for watch in change.watches:
        watchers.add(tx, watch)
    if change.description is not None:
        _write_description(tx, change, change.description)
    change.record(tx, change.issue.id, issue_id=change.issue.id)
    if not change.announced and not change.is_changed:
        # A sign of life, which is nothing that happened to the issue.
        return change.issue
    if not change.is_changed:
        return heads.touch(tx, change.issue)
    if is_update:
        change.set(updated_at=tx.origin.now)
    change.set(watch_at=neglect.watch_at(change.issue, change.desk.workspace))
    change.after = placed(change.issue, change.desk.workspace)
    heads.replace(tx, change.before, change.issue, seat=change.seat)
    if lines.joins(change.before, change.issue, change.desk.workspace):
        lines.form(tx)
    if change.issue.is_open != change.before.is_open:
        blocked = [found for issue_id in change.issue.blocks if (found := change.desk.other(issue_id))]
        heads.settle_blocked(tx, change.issue, blocked)
    return change.issue


def save_new(tx: Transaction, change: IssueChange) -> IssueItem:
    """Store a new issue with its body, runs, watches and log row."""
    change.settle()
    _write_runs(tx, change)
    for watch in change.watches:
        watchers.add(tx, watch)
    change.set(watch_at=neglect.watch_at(change.issue, change.desk.workspace))
    issue = change.after = placed(change.issue, change.desk.workspace)
    body = change.desk.get(BodyItem, BodyItem.at(issue.workspace_id, issue.id))
    if change.description is not None:
        body = body.changed(description=_kept(tx, change, change.description))
    change.record(tx, issue.id, issue_id=issue.id, is_new=True)
    heads.add(tx, issue, body, seat=change.seat)
    if lines.joins(None, issue, change.desk.workspace):
        lines.form(tx)
    return issue


def save_many(
    ctx: Context,
    desks: Mapping[str, Desk],
    chunks: Iterable[Sequence[IssueItem]],
    change: Callable[[Desk], IssueChange],
) -> list[Failure]:
    """Change many issues, a chunk in a transaction; those that somebody else changed meanwhile.

    The last chunk is committed with the answer; one before it that fails does not keep the others back.
    """
    failed: list[Failure] = []
    chunk: Sequence[IssueItem] = ()
    last: Transaction | None = None
    for following in chunks:
        try:
            ctx.commit()
            # A later chunk may hold what an earlier one freed, and has to know that it was changed.
            if last is not None:
                desks[chunk[0].id].take_over(last)
        except VersionMoved:
            failed += [Failure(id=one.id, message="Changed by somebody else; try again.") for one in chunk]
        chunk, last = following, ctx.plan()
        for issue in chunk:
            save(last, change(desks[issue.id]))
    return failed


def _write_runs(tx: Transaction, change: IssueChange) -> None:
    for run in change.begun:
        runs.start(tx, run)
    for heard in change.heard:
        if heard.is_new:
            tx.replace(heard.run)
    for run in change.ended:
        runs.finish(tx, run)
    for touched in change.touched:
        _touch(tx, change.issue, touched)
    signs.see(tx, change.seen)


def _touch(tx: Transaction, issue: IssueItem, touched: Touched) -> None:
    """With its version, so that a change that the agent makes meanwhile does not undo it.

    A run that ends meanwhile must not swallow the call: its place is gone then, and all is decided again. So
    the head need not be written, and many can speak to one agent at once.
    """
    live, workspace_id = touched.live, issue.workspace_id
    tx.adjust(RunItem.at(workspace_id, live.run_id), add={"version": 1}, assign=touched.fields)
    place = LiveRunItem.at(workspace_id, live.agent_id, issue.id, live.place or NO_PLACE)
    if touched.new_mode:
        tx.adjust(place, assign={"mode": touched.new_mode})
    else:
        tx.require(place, holding={"run_id": live.run_id}, refusal=None)


def _write_description(tx: Transaction, change: IssueChange, text: str) -> None:
    issue = change.issue
    body = change.desk.get(BodyItem, BodyItem.at(issue.workspace_id, issue.id))
    tx.replace(body.changed(description=_kept(tx, change, text)))


def _kept(tx: Transaction, change: IssueChange, text: str) -> KeptText:
    name = f"{change.issue.workspace_id}/{change.issue.id}/{tx.origin.new_id('txt')}"
    return texts.keep(change.desk.ctx.services.store.blobs, text, name=name)
