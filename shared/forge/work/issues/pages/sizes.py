"""How long an answer may be, and keeping one that short: what matters least is left out first."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from forge.contract.models import Model

MAX_ANSWER = 40_000
"""Characters. More than that drowns the model that reads it."""

RowT = TypeVar("RowT", bound=Model)
DocumentT = TypeVar("DocumentT", bound=Model)
Shorten = Callable[[DocumentT, int], DocumentT]
"""Takes a document that is too long by so many characters, and makes it shorter by that many if it can."""


def length_of(shown: Model, fields: set[str] | None = None) -> int:
    """Of its JSON; in characters, as answers are counted."""
    return len(shown.__pydantic_serializer__.to_json(shown, by_alias=True, include=fields).decode())


def fitted(
    document: DocumentT, least_important_first: Iterable[Shorten[DocumentT]], *, room_to_say_so: int
) -> DocumentT:
    """The document, short enough to be sent if it can be; by that room it grows when it says what is cut."""
    for shorten in least_important_first:
        excess = length_of(document) - MAX_ANSWER
        if excess <= 0:
            return document
        document = shorten(document, excess + room_to_say_so)
    return document


def fewer(
    rows: Sequence[RowT], excess: int, *, least: int = 0, fields: set[str] | None = None
) -> Sequence[RowT]:
    """Without the last ones, until what goes is as long as the excess."""
    size = len(rows)
    while excess > 0 and size > least:
        size -= 1
        excess -= length_of(rows[size], fields) + len(",")
    return rows[:size]


def without_old(rows: Sequence[RowT], excess: int, *, pinned: int, least: int = 0) -> list[RowT]:
    """Without the first ones of a list that ends with the newest, but so many pinned ones go last of all."""
    by_weight = [*rows[:pinned], *rows[pinned:][::-1]]
    kept = fewer(by_weight, excess, least=least)
    return [*kept[:pinned], *kept[pinned:][::-1]]


def how_many_at_most(lengths: Iterable[int]) -> int:
    """Of texts this long, from the first, how many could be sent if there were nothing else; at least one."""
    size, room = 0, MAX_ANSWER
    for length in lengths:
        room -= length
        if room < 0 and size:
            break
        size += 1
    return size
