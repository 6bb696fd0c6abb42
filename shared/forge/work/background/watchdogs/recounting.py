"""The weekly recount of an agent's open issues, the number by which `maxConcurrent` is kept.

It changes in the same transaction as each issue, so it is right; should it ever not be, an agent would get
too much or nothing at all, for good. The index that lists an agent's issues lags behind, so a difference
counts only when a second look finds the same.
"""

from datetime import timedelta
from typing import NamedTuple

from forge.store.keys import Key
from forge.store.places import due_attributes
from forge.store.table import Table
from forge.store.walks import MAX_READ
from forge.work.issues.followers import follows, load_of
from forge.work.issues.issues import ISSUES_OF_AGENT, Half, IssueItem
from forge.work.record.log.events import record_change
from forge.work.workspace.people.agents import RECOUNTED_EVERY, LoadItem
from forge.work.workspace.workers import Worker

AGAIN = timedelta(minutes=10)
LOAD = "agent-load"


class Recount(NamedTuple):
    correction: int
    """What the number has to be raised by."""
    suspected: int
    look_after: timedelta


def decide(load: LoadItem, counted: int | None) -> Recount:
    """What follows from a count; None where there were too many to count."""
    difference = 0 if counted is None else counted - load.open
    if difference and difference != load.suspected:
        return Recount(0, difference, AGAIN)
    return Recount(difference, 0, RECOUNTED_EVERY)


def look(worker: Worker, key: Key) -> bool:
    """Count one agent's issues; whether its number was put right."""
    table = worker.store.table
    load = table.find(LoadItem, key)
    if load is None or load.recount_at is None or load.recount_at > worker.now:
        return False
    found = decide(load, _counted(table, load))
    after = load.changed(
        open=load.open + found.correction,
        suspected=found.suspected,
        recount_at=worker.now + found.look_after,
    )
    tx = worker.begin(load.workspace_id)
    tx.adjust(
        key,
        assign={
            "open": after.open,
            "suspected": after.suspected,
            "recount_at": after.recount_at,
            **due_attributes(key, after.recount_at),
        },
        # An issue that moved meanwhile moves the number, and is counted by the next sweep.
        equal={"open": load.open, "recount_at": load.recount_at},
    )
    if found.correction:
        record_change(tx, LOAD, load.agent_id, action="recount", before=load, after=after)
    worker.store.commit(tx)
    return bool(found.correction)


def _counted(table: Table, load: LoadItem) -> int | None:
    partition = ISSUES_OF_AGENT(load.workspace_id, load.agent_id, Half.LIVE)
    rows = table.query_all(partition, index="agent", most=MAX_READ)
    if rows.next_position is not None:
        return None
    one = load_of(load.workspace_id, load.agent_id)
    return sum(one in follows(issue) for issue in rows.of(IssueItem))
