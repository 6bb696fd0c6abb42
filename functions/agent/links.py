"""Which issues a conversation is about: those that people had before them when they wrote."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from forge.work.issues.identifiers import IDENTIFIER

MOST_LINKED = 20

_ID = re.compile(r"iss_[0-9][0-9A-Z]{5,25}")


class Links(NamedTuple):
    """Issues by their ids, and by identifiers such as DEMO-12; each once, in the order they come in."""

    ids: list[str]
    identifiers: list[str]


def links_in(snapshots: Iterable[Mapping[str, Any]]) -> Links:
    """Of many, the first."""
    words = dict.fromkeys(word for snapshot in snapshots for word in _words(snapshot) if _is_issue(word))
    first = list(words)[:MOST_LINKED]
    return Links(
        [word for word in first if _ID.fullmatch(word)], [word for word in first if not _ID.fullmatch(word)]
    )


def _is_issue(word: str) -> bool:
    return bool(_ID.fullmatch(word) or IDENTIFIER.fullmatch(word))


def _words(value: Any) -> Iterator[str]:
    """Every text in it, however deep; what things are called in it tells nothing."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from _words(member)
    elif isinstance(value, list):
        for member in value:
            yield from _words(member)
