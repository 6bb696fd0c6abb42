"""What a key is, and the keys of the store's own items.

Each aggregate builds its keys in one module of its room (`forge.work.issues.issue_keys`, …). If a key is not
built here or there, it does not exist. Every partition starts with its workspace, so that no query can cross
tenants; the exceptions are closed, hold no issue content, and are the keys of `people_keys`,
`workspace_keys` and `backlog_keys` without a workspace, and the partitions of the timer index below.
"""

from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple


class Key(NamedTuple):
    partition: str
    sort: str


class SharedKey(Key):
    """Of a row that follows from many others: all of them add to it, and nobody reads it first."""

    __slots__ = ()


class IndexKey(NamedTuple):
    """Where an item stands in one of the indexes."""

    index_name: str
    partition: str
    sort: str


def sortable_time(moment: datetime) -> str:
    """Fixed width, so that text order is time order: `2026-07-28T12:00:00.000Z`."""
    utc = moment.astimezone(UTC)
    # Not strftime: it writes early years with fewer digits.
    return utc.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def workspace_prefix(workspace_id: str) -> str:
    return f"WS#{workspace_id}#"


def references(workspace_id: str, name: str) -> str:
    """What is kept of a thing under its own name, wherever the thing itself is."""
    return f"WS#{workspace_id}#REF#{name}"


def reference(workspace_id: str, name: str) -> Key:
    """Where a thing lives that is named without its parent: by its id, or an issue by its number."""
    return Key(references(workspace_id, name), "REF")


def counter(workspace_id: str, name: str) -> str:
    return f"WS#{workspace_id}#COUNT#{name}"


def counter_shard(workspace_id: str, name: str, *, dimension: str, shard: int) -> SharedKey:
    return SharedKey(counter(workspace_id, name), f"{dimension}#{shard}")


def number(workspace_id: str, series: str) -> Key:
    return Key(f"WS#{workspace_id}#NUMBERS", series)


def ticket(workspace_id: str, queue: str, *, bucket: int) -> Key:
    return Key(f"WS#{workspace_id}#TICKETS#{queue}", f"{bucket:012}")


def lease(workspace_id: str, name: str) -> Key:
    return Key(f"WS#{workspace_id}#LEASE#{name}", "LEASE")


def idempotency(workspace_id: str, key_id: str, *, tool: str, given: str) -> Key:
    digest = sha256(given.encode()).hexdigest()
    return Key(f"WS#{workspace_id}#IDEMPOTENCY#{key_id}", f"{tool}#{digest}")


# Places in the indexes that aggregates share.


def by_age(created_at: datetime, thing_id: str) -> str:
    return f"{sortable_time(created_at)}#{thing_id}"


def updated(workspace_id: str, kind: str) -> str:
    return f"WS#{workspace_id}#UPDATED#{kind}"


def by_update(workspace_id: str, kind: str, *, moment: datetime, thing_id: str) -> IndexKey:
    """Among all things of a kind, by the time their list is ordered by."""
    return IndexKey("updated", updated(workspace_id, kind), by_age(moment, thing_id))


DUE_PARTITIONS = tuple(f"DUE#{number}" for number in range(4))


def due(owner: Key, moment: datetime) -> IndexKey:
    """When the sweep must look at an item again; spread over a few partitions by its own key."""
    place = sha256(f"{owner.partition}|{owner.sort}".encode()).digest()[0] % len(DUE_PARTITIONS)
    return IndexKey("due", DUE_PARTITIONS[place], sortable_time(moment))
