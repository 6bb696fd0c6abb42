"""The sweep's look at the line: issues that found no agent are offered again, the most urgent first.

What an agent comes online for, gets room for or is made for needs no one to notice it: while anything waits,
somebody looks each minute.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from forge.context import Context
from forge.errors import NotFound
from forge.store import keys
from forge.store.keys import Key
from forge.store.ranges import EVERYTHING, HIGHEST, SortRange
from forge.store.readings import Rows
from forge.store.transactions import VersionMoved
from forge.store.walks import MAX_READ
from forge.work.issues.auto_dispatch import choices, handovers, lines
from forge.work.issues.auto_dispatch.lines import LineItem
from forge.work.issues.changes import begin_change
from forge.work.issues.desks import open_issue
from forge.work.issues.followers import BLOCKED_QUEUE, HELD_QUEUE, QUEUE, QueueItem
from forge.work.issues.saving import save
from forge.work.workspace.people.names import keys_of
from forge.work.workspace.workers import Worker

AGAIN = timedelta(minutes=1)
SELDOM = timedelta(minutes=15)
"""How often to look where all that waits is claimed or blocked."""
MOST_OFFERED = 50
"""In one look: others wait for the sweep, too."""
_MOST_TRIES = 3


def look(worker: Worker, key: Key) -> bool:
    """Give out what can be given; whether that was anything."""
    line = worker.store.table.find(LineItem, key)
    if line is None or line.look_at > worker.now:
        return False
    ctx = worker.context(line.workspace_id)
    is_on = choices.is_auto_dispatching(ctx.services.workspaces.get(line.workspace_id))
    waiting, is_cut = _waiting(ctx) if is_on else ([], False)
    given, is_over = _offer_all(worker, line.workspace_id, waiting[:MOST_OFFERED])
    is_anything_left = is_cut or not is_over or len(waiting) > MOST_OFFERED
    kept_back = _kept_back(ctx) if is_on and not is_anything_left else []
    later = next_look(worker.now, is_anything_left=is_anything_left, kept_back=kept_back)
    tx = ctx.plan()
    if later is None:
        tx.delete(line)
    else:
        tx.replace(line.changed(look_at=later))
    ctx.commit()
    return given > 0


def next_look(
    now: datetime, *, is_anything_left: bool, kept_back: Iterable[datetime | None]
) -> datetime | None:
    """When somebody may have room, or what others have may be free; None when nothing waits."""
    if is_anything_left:
        return now + AGAIN
    moments = [max(until or now + SELDOM, now + AGAIN) for until in kept_back]
    return min([*moments, now + SELDOM]) if moments else None


def _offer_all(worker: Worker, workspace_id: str, waiting: Iterable[QueueItem]) -> tuple[int, bool]:
    """How many were given, and whether all were: who has no room for one has none for the next."""
    given = 0
    for row in waiting:
        outcome = _offer(worker, workspace_id, row.issue_id)
        if outcome is False:
            return given, False
        given += outcome is True
    return given, True


def _offer(worker: Worker, workspace_id: str, issue_id: str) -> bool | None:
    """Whether it was given; None where it no longer waits, False also where others were quicker each time."""
    for _ in range(_MOST_TRIES):
        ctx = worker.context(workspace_id)
        try:
            desk = open_issue(ctx, issue_id)
            is_claimed = desk.issue.is_claimed(worker.now)
            if is_claimed or not lines.waits(desk.issue, desk.workspace):
                return None
            change = begin_change(desk, keys_of(desk.issue))
            handovers.offer(change)
            if not change.announced:
                return False
            save(ctx.plan(), change)
            ctx.commit()
        except NotFound:
            return None
        except VersionMoved:
            continue
        else:
            return True
    return False


def _waiting(ctx: Context) -> tuple[list[QueueItem], bool]:
    """What is nobody's and free now, in its order, with claims that have lapsed; whether there is more."""
    workspace_id = ctx.caller.workspace_id
    lapsed = SortRange(last=f"{keys.sortable_time(ctx.now())}#{HIGHEST}")
    free = _rows(ctx, QUEUE(workspace_id))
    held = _rows(ctx, HELD_QUEUE(workspace_id), lapsed)
    found = sorted([*_nobodys(free), *_nobodys(held)], key=lambda row: row.order)
    return found, free.next_position is not None


def _kept_back(ctx: Context) -> list[datetime | None]:
    """Unassigned queued issues that can't be given out: until when each is claimed, None if it is blocked."""
    workspace_id = ctx.caller.workspace_id
    held = _nobodys(_rows(ctx, HELD_QUEUE(workspace_id)))
    blocked = _nobodys(_rows(ctx, BLOCKED_QUEUE(workspace_id)))
    return [*(row.held_until for row in held), *(None for _ in blocked)]


def _rows(ctx: Context, partition: str, among: SortRange = EVERYTHING) -> Rows:
    return ctx.table.query_all(partition, most=MAX_READ, sort=among)


def _nobodys(rows: Rows) -> list[QueueItem]:
    return [row for row in rows.first_ones().of(QueueItem) if row.assigned_agent_id is None]
