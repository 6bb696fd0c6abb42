"""Every key of the table. If a key is not built here, it does not exist.

Each starts with its workspace, so that no query can cross tenants. The exceptions are closed, hold no issue
content, and stand together at the end.
"""

from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

_LONGEST_NAME = 200


class Key(NamedTuple):
    partition: str
    sort: str


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


def workspace(workspace_id: str) -> Key:
    return Key(f"WS#{workspace_id}#WORKSPACE", "META")


def statuses(workspace_id: str) -> str:
    return f"WS#{workspace_id}#STATUSES"


def status(workspace_id: str, status_id: str) -> Key:
    return Key(statuses(workspace_id), status_id)


def labels(workspace_id: str) -> str:
    return f"WS#{workspace_id}#LABELS"


def label(workspace_id: str, label_id: str) -> Key:
    return Key(labels(workspace_id), f"LABEL#{label_id}")


def label_count(workspace_id: str, label_id: str) -> Key:
    """Apart from the label, because every labelling changes it and no edit of the label may undo that."""
    return Key(labels(workspace_id), f"COUNT#{label_id}")


def members(workspace_id: str) -> str:
    return f"WS#{workspace_id}#MEMBERS"


def member(workspace_id: str, user_id: str) -> Key:
    return Key(members(workspace_id), user_id)


def agents(workspace_id: str) -> str:
    return f"WS#{workspace_id}#AGENTS"


def agent(workspace_id: str, agent_id: str) -> Key:
    return Key(agents(workspace_id), f"AGENT#{agent_id}")


def agent_pulse(workspace_id: str, agent_id: str) -> Key:
    """Status and last heartbeat, apart from the agent: they change every minute."""
    return Key(agents(workspace_id), f"PULSE#{agent_id}")


def api_keys(workspace_id: str) -> str:
    return f"WS#{workspace_id}#KEYS"


def api_key(workspace_id: str, key_id: str) -> Key:
    return Key(api_keys(workspace_id), key_id)


def log(workspace_id: str) -> str:
    return f"WS#{workspace_id}#LOG"


def log_row(workspace_id: str, moment: datetime, row_id: str) -> Key:
    return Key(log(workspace_id), f"{sortable_time(moment)}#{row_id}")


def log_of_subject(workspace_id: str, subject_type: str, subject_id: str) -> str:
    return f"WS#{workspace_id}#SUBJECT#{subject_type}#{subject_id}"


def guard(workspace_id: str, kind: str, value: str) -> Key:
    """Holds a name that must be unique in its workspace; case does not make a difference."""
    name = value.casefold()
    # A partition key ends at 2,048 bytes, and some names are URLs.
    shown = name if len(name.encode()) <= _LONGEST_NAME else sha256(name.encode()).hexdigest()
    return Key(f"WS#{workspace_id}#UNIQUE#{kind}#{shown}", "GUARD")


def counter(workspace_id: str, name: str) -> str:
    return f"WS#{workspace_id}#COUNT#{name}"


def counter_shard(workspace_id: str, name: str, *, dimension: str, shard: int) -> Key:
    return Key(counter(workspace_id, name), f"{dimension}#{shard}")


def number(workspace_id: str, series: str) -> Key:
    return Key(f"WS#{workspace_id}#NUMBERS", series)


def ticket(workspace_id: str, queue: str, *, bucket: int) -> Key:
    return Key(f"WS#{workspace_id}#TICKETS#{queue}", f"{bucket:012}")


def lease(workspace_id: str, name: str) -> Key:
    return Key(f"WS#{workspace_id}#LEASE#{name}", "LEASE")


def idempotency(workspace_id: str, key_id: str, *, tool: str, given: str) -> Key:
    digest = sha256(given.encode()).hexdigest()
    return Key(f"WS#{workspace_id}#IDEMPOTENCY#{key_id}", f"{tool}#{digest}")


# The closed list of keys outside every workspace.


def authentication(key_hash: str) -> Key:
    return Key(f"KEY#{key_hash}", "KEY")


def user(user_id: str) -> Key:
    return Key(f"USER#{user_id}", "USER")


def email(address: str) -> Key:
    return Key(f"EMAIL#{sha256(address.strip().lower().encode()).hexdigest()}", "EMAIL")


def workspace_slug(slug: str) -> Key:
    return Key(f"WSNAME#SLUG#{slug}", "NAME")


def workspace_key(key: str) -> Key:
    return Key(f"WSNAME#KEY#{key}", "NAME")


DUE_PARTITIONS = tuple(f"DUE#{number}" for number in range(4))


def due(owner: Key, moment: datetime) -> IndexKey:
    """When the sweep must look at an item again; spread over a few partitions by its own key."""
    place = sha256(f"{owner.partition}|{owner.sort}".encode()).digest()[0] % len(DUE_PARTITIONS)
    return IndexKey("due", DUE_PARTITIONS[place], sortable_time(moment))
