"""Waking sleepers: whoever sleeps until there is an issue to claim is told that there may be one.

In waves, those that fell asleep last before the others: they are the likeliest to be there still. Who claims
it first has it; where nobody of a wave does, the next one is told.
"""

from datetime import timedelta

from forge.store.ranges import SortRange
from forge.store.transactions import VersionMoved
from forge.work.content.destinations.messages import FreedMessage
from forge.work.issues.claims import sleepers
from forge.work.issues.claims.sleepers import SLEEPING, SleeperItem, SleeperState, SleepingItem
from forge.work.issues.desks import read_issues
from forge.work.issues.followers import queue_row
from forge.work.issues.issues import IssueItem
from forge.work.workspace.workers import Worker

WAVE = 25
NEXT_WAVE = timedelta(seconds=60)
"""After that, whoever was woken has asked: they do so every half minute."""


def wake(worker: Worker, message: FreedMessage) -> int:
    """Call those for whom one of these issues is; how many there were."""
    free = _still_free(worker, message)
    if not free:
        return 0
    table, workspace_id = worker.store.table, message.workspace_id
    among = SortRange(last=message.before or "")
    found = table.query(SLEEPING(workspace_id), limit=WAVE, sort=among, is_descending=True)
    rows = found.first_ones().of(SleepingItem)
    woken = [row for row in rows if _is_for(row, free, worker)]
    for row in woken:
        _call(worker, row)
    if found.next_position is not None:
        last = rows[-1].key.sort
        rest = message.model_copy(update={"freed": [one.id for one in free], "before": last})
        seconds = int(NEXT_WAVE.total_seconds())
        worker.store.queues.send("dispatch", rest.model_dump(by_alias=True), delay_seconds=seconds)
    return len(woken)


def _still_free(worker: Worker, message: FreedMessage) -> list[IssueItem]:
    reach = read_issues(worker.context(message.workspace_id), message.freed)
    heads = [head for one in message.freed if (head := reach.find(one))]
    return [head for head in heads if head.queued and head.is_open and queue_row(head).is_free]


def _is_for(row: SleepingItem, free: list[IssueItem], worker: Worker) -> bool:
    is_there = row.ends_at > worker.now
    return is_there and any(
        sleepers.suits(head, agent_id=row.agent_id, narrowing=row.narrowing) for head in free
    )


def _call(worker: Worker, row: SleepingItem) -> None:
    """Repeating it does no harm: it looks once more."""
    tx = worker.begin(row.workspace_id)
    place = SleeperItem.at(row.workspace_id, row.id)
    tx.adjust(place, assign={"woken_at": worker.now}, equal={"state": SleeperState.SLEEPING.value})
    try:
        worker.store.commit(tx)
    except VersionMoved:
        # It has claimed something, or was withdrawn, meanwhile.
        return
