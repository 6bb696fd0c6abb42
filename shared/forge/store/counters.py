"""Counts that many change at once: sharded sums, series of numbers, and tickets that spread a crowd."""

from collections import Counter
from datetime import datetime

from forge.store.codec import decode_value
from forge.store.failures import ConditionFailed
from forge.store.keys import At, Shared
from forge.store.physical import SORT, TTL
from forge.store.ranges import SortRange
from forge.store.table import Table
from forge.store.transactions import Transaction

SHARDS = 8
TICKET_SECONDS = 2

COUNT = Shared("WS#{workspace_id}#COUNT#{name}", "{dimension}#{shard}")
NUMBER = At("WS#{workspace_id}#NUMBERS", "{series}")
TICKET = At("WS#{workspace_id}#TICKETS#{queue}", "{bucket:012}")

_COUNT = "count"
_MAX_DIMENSIONS = 1000


def add_to_count(tx: Transaction, name: str, *, dimension: str, delta: int) -> None:
    """Change a count in the transaction that changes what is counted."""
    # By the transaction, so that the shards share the load.
    shard = int(tx.token[:8], 16) % SHARDS
    key = COUNT(tx.origin.caller.workspace_id, name, dimension, shard)
    tx.tally(key, _COUNT, delta)


def read_counts(
    table: Table, workspace_id: str, name: str, *, prefix: str = "", first: str = ""
) -> Counter[str]:
    """The sum of each dimension, or of those with this prefix or from the first one on; in one request."""
    partition, among = COUNT.partition(workspace_id, name), SortRange(prefix=prefix, first=first)
    rows = table.query_all(partition, most=_MAX_DIMENSIONS * SHARDS, sort=among, because="there are few")
    counts: Counter[str] = Counter()
    for row in rows:
        dimension = row[SORT]["S"].rpartition("#")[0]
        counts[dimension] += decode_value(row[_COUNT])
    return counts


def next_number(table: Table, workspace_id: str, series: str) -> int:
    """The next number of a series. A lost answer leaves a gap, never a number given twice."""
    row = table.update(
        NUMBER(workspace_id, series), "ADD #count :one", names={"#count": _COUNT}, values={":one": 1}
    )
    return int(decode_value(row[_COUNT]))


def next_number_until(table: Table, workspace_id: str, series: str, *, purge_after: datetime) -> int:
    """The same for a series that comes to an end, and leaves nothing behind."""
    row = table.update(
        NUMBER(workspace_id, series),
        "ADD #count :one SET #ttl = :ttl",
        names={"#count": _COUNT, "#ttl": TTL},
        values={":one": 1, ":ttl": int(purge_after.timestamp())},
    )
    return int(decode_value(row[_COUNT]))


def claim_number(table: Table, workspace_id: str, series: str, *, claim: str) -> int:
    """The next number for a call that may be made again: until it is released, the same claim gets the same.

    So neither two who make the call at once nor one who repeats it after a crash use up a second number.
    """
    try:
        row = table.update(
            NUMBER(workspace_id, series),
            "SET #count = if_not_exists(#count, :none) + :one, #claim = if_not_exists(#count, :none) + :one",
            names={"#count": _COUNT, "#claim": _claimed(claim)},
            values={":none": 0, ":one": 1},
            condition="attribute_not_exists(#claim)",
        )
    except ConditionFailed as failed:
        row = failed.old_item or {}
    return int(decode_value(row[_claimed(claim)]))


def release_number(table: Table, workspace_id: str, series: str, *, claim: str) -> None:
    """The call is over: from now on its idempotency record speaks for it."""
    table.update(
        NUMBER(workspace_id, series),
        "REMOVE #claim SET #count = if_not_exists(#count, :none)",
        names={"#count": _COUNT, "#claim": _claimed(claim)},
        values={":none": 0},
    )


def _claimed(claim: str) -> str:
    return f"claim#{claim}"


def take_ticket(table: Table, workspace_id: str, queue: str, now: datetime) -> int:
    """How many are choosing from this queue right now, the caller included: 1 when alone.

    Whoever holds ticket n starts at the n-th candidate, so that a crowd spreads over as many.
    """
    bucket = int(now.timestamp()) // TICKET_SECONDS
    row = table.update(
        TICKET(workspace_id, queue, bucket),
        "ADD #count :one SET #ttl = :ttl",
        names={"#count": _COUNT, "#ttl": "ttl"},
        values={":one": 1, ":ttl": int(now.timestamp()) + 3600},
    )
    return int(decode_value(row[_COUNT]))


def return_ticket(table: Table, workspace_id: str, queue: str, taken_at: datetime) -> None:
    bucket = int(taken_at.timestamp()) // TICKET_SECONDS
    table.update(
        TICKET(workspace_id, queue, bucket),
        "ADD #count :less",
        names={"#count": _COUNT},
        values={":less": -1},
    )
