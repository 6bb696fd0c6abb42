"""What an export leaves out: everything else of a workspace is in it, also what is added to Forge later.

Two lists, both closed. What stands in neither is exported.
"""

import re
from collections.abc import Mapping
from fnmatch import translate

from forge.store.physical import INDEXES, PARTITION, SORT, TTL

_DERIVED: Mapping[str, str] = {
    "TERM#*": "words that issues are found by: of their titles and descriptions",
    "REF#*/TERMS": "the same by issue",
    "UNIQUE#*": "who has a name, of whoever has it",
    "COUNT#*": "counts of issues",
    "QUEUE/*": "the order of what is queued: of the heads of issues",
    "QUEUE#*": "the same of what is held or blocked",
    "BL#*": "the order of a backlog: of the heads of issues",
    "HELD#*": "the same of what is held",
    "LINE/*": "the order in which issues wait for an agent",
    "WATCHING#*": "what somebody watches: of the watches of issues",
    "MESSAGE#*/PLACE": "where a message is: in its thread",
    "AGENT#*/LIVE#*": "guards of live runs",
    "AGENT#*/CLAIM#*": "claims by agent: of the heads of issues",
    "AGENTKEYS#*": "hashes of an agent's keys; the keys themselves are in KEYS",
    "BLOCKGRAPH/*": "a version that additions to the graph of blockers take turns by",
}
_PASSING: Mapping[str, str] = {
    "IDEMPOTENCY#*": "answers to repeated calls, for a day",
    "TICKETS#*": "how many callers choose from a queue right now",
    "LEASE#*": "locks that end by themselves",
    "LOCKS#*": "the same by session",
    "TASK#*": "calls that were put off, with their arguments, for a week",
    "TIMERS/*": "what could not be settled in time, until it is",
    "CONTINUATIONS/*": "the rest of a change that is under way",
    "HOOKED#*": "messages of GitHub that have had their effect, for a week",
    "CREATION#*": "issues that are being made on GitHub, for two days",
    "THREAD#*#STREAM/*": "drafts of replies, for some minutes",
    "EXPORT#*": "orders of exports",
    "EXPORTS/*": "which of them is the last",
}
LEFT_OUT: Mapping[str, str] = {**_DERIVED, **_PASSING}
"""Partition and sort key, without the workspace, and why."""

_LEFT_OUT = re.compile("|".join(translate(pattern) for pattern in LEFT_OUT))

_SECRET = re.compile(r"(?:^|_)(?:secret|token|hash|password|credential)s?$|^live_keys$")
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


def is_secret(attribute: str) -> bool:
    return _SECRET.search(attribute) is not None
