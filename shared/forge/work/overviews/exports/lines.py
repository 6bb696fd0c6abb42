"""What stands in an export: a first line about it, a line for each item, and a last one with their number."""

import re
from collections.abc import Callable, Mapping
from fnmatch import translate
from typing import Any

from forge import __version__
from forge.jsontext import encode
from forge.store.codec import decode_value
from forge.store.keys import sortable_time, workspace_prefix
from forge.store.physical import INDEXES, PARTITION, SORT, TTL
from forge.store.readings import Attributes, key_of
from forge.work.overviews.exports.orders import ExportItem
from forge.work.workspace.workspaces import WorkspaceItem

DERIVED: Mapping[str, str] = {
    "TERM#*": "words that issues are found by: of their titles and descriptions",
    "REF#*/TERMS": "the same by issue",
    "COUNT#*/S#*": "how many issues are in a status: of the heads of issues",
    "COUNT#*/D#????-??-??#?": "how many were done on a day: the same",
    "COUNT#backlog#*": "how many a backlog has of a type: the same",
    "QUEUE/*": "the order of what is queued: of the heads of issues",
    "QUEUE#*": "the same of what is held or blocked",
    "BL#*": "the order of a backlog: of the heads of issues",
    "HELD#*": "the same of what is held",
    "AGENT#*/CLAIM#*": "claims by agent: of the heads of issues",
    "AGENTKEYS#*": "hashes of an agent's keys; the keys themselves are in KEYS",
    "BLOCKGRAPH/*": "a version that additions to the graph of blockers take turns by",
}
"""What an import makes anew."""
PASSING: Mapping[str, str] = {
    "IDEMPOTENCY#*": "answers to repeated calls, for a day",
    "CALLS/*": "how much of its ceiling a workspace took in the last minute",
    "TICKETS#*": "how many callers choose from a queue right now",
    "NUMBERS/hooks#*": "how many messages GitHub sent in a minute",
    "NUMBERS/drf_*": "chunks of a draft",
    "LEASE#*": "locks that end by themselves",
    "LOCKS#*": "the same by session",
    "TASK#*": "calls that were put off, with their arguments, for a week",
    "OUTBOX#*": "the same of a log that is spread",
    "OUTBOX/*": "what somebody has to be told of, for some seconds",
    "TIMERS/*": "what could not be settled in time, until it is",
    "HOOKED#*": "messages of GitHub that have had their effect, for a week",
    "ERRAND#*": "what GitHub has not been told yet, which may be untrue by then",
    "CREATION#*": "issues that are being made on GitHub, for two days",
    "THREAD#*#STREAM/*": "drafts of replies, for some minutes",
    "ERASURE#*": "orders of erasures",
    "EXPORT#*": "orders of exports",
    "EXPORTS/*": "which of them is the last",
}
LEFT_OUT: Mapping[str, str] = {**DERIVED, **PASSING}
"""Partition and sort key, without the workspace, and why. What stands in neither list is exported, also what
is added to Forge later."""

_LEFT_OUT = re.compile("|".join(translate(pattern) for pattern in LEFT_OUT))
_PASSES = re.compile("|".join(translate(pattern) for pattern in PASSING))

_SECRET = re.compile(
    r"(?:^|_)(?:secrets?|token|(?:key|secret|token)_hash|passwords?|credentials?)$|^live_keys$"
)
"""Names of attributes: what signs, what opens, and what could be guessed from. The rest is shown to operators
anyway."""

BOOKKEEPING = frozenset(
    {PARTITION, SORT, TTL, "version", "workspace_id"}
    | {name for index in INDEXES for name in (index.partition, index.sort)}
)
"""Attributes that follow from the key, or that only the store minds."""


def is_left_out(partition: str, sort: str) -> bool:
    """Of a key without its workspace."""
    return _LEFT_OUT.match(f"{partition}/{sort}") is not None


def is_passing(partition: str, sort: str) -> bool:
    """The same of what no copy takes along."""
    return _PASSES.match(f"{partition}/{sort}") is not None


def is_secret(attribute: str) -> bool:
    return _SECRET.search(attribute) is not None


FORMAT = 2
"""Raised when a reader of the lines before would misread those after."""

_KEPT_TEXT = frozenset({"text", "blob"})
_VERSIONS_OF_FILES = "PIPE#", "FILE#"
"""Where the artifacts of pipelines are: their texts are always in the bucket."""

ReadText = Callable[[str], str | None]
"""A text of the bucket by the name of its object; None where there is none any more."""


def first_line(order: ExportItem, workspace: WorkspaceItem) -> str:
    about = {
        "format": FORMAT,
        "forge": __version__,
        "exportId": order.id,
        "orderedAt": sortable_time(order.created_at),
        "workspace": {
            "id": workspace.id,
            "slug": workspace.slug,
            "key": workspace.key_prefix,
            "name": workspace.name,
        },
    }
    return encode({"export": about})


def last_line(items: int) -> str:
    """Without it, the file was cut."""
    return encode({"end": {"items": items}})


def line_of(row: Attributes, workspace_id: str, read_text: ReadText) -> str | None:
    """An item as plain JSON under its key without the workspace; None for what is left out."""
    partition, sort = key_of(row)
    partition = partition.removeprefix(workspace_prefix(workspace_id))
    if is_left_out(partition, sort):
        return None
    item = {
        name: _exported(decode_value(value), read_text)
        for name, value in sorted(row.items())
        if name not in BOOKKEEPING and not is_secret(name)
    }
    if partition.startswith(_VERSIONS_OF_FILES[0]) and sort.startswith(_VERSIONS_OF_FILES[1]):
        item["text"] = read_text(item["blob"])
    return encode({"key": [partition, sort], "item": item})


def _exported(value: Any, read_text: ReadText) -> Any:
    """A kept text as the text itself, wherever it is kept; anything else as it is."""
    if not isinstance(value, dict) or value.keys() != _KEPT_TEXT:
        return _plain(value)
    text = read_text(value["blob"]) if value["blob"] else value["text"]
    # What is lost is not made up: the name of the object stays.
    return value if text is None else text


def _plain(value: Any) -> Any:
    """Sets as lists."""
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return value
