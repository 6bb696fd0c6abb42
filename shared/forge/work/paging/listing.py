"""The page that a list answers with: its rows slimmed to what was asked for, and never too long to send."""

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic.alias_generators import to_camel

from forge.contract.models import Model, Page
from forge.contract.names import closest
from forge.errors import InvalidInput
from forge.store.items import Item
from forge.store.pages import Found

MAX_ANSWER = 40_000
"""Characters. More than that drowns the model that reads it."""

# What a page grows by when it is cut: `truncated`, and a cursor of the length that inputs take at most.
_ROOM_TO_SAY_SO = 1_100
_MOST_ADVICE = 5

ItemT = TypeVar("ItemT", bound=Item)
PageT = TypeVar("PageT", bound=Page[Any])


def chosen(row: type[Model], fields: Sequence[str] | None) -> set[str] | None:
    """The fields of a row that were asked for, by their names in Python; None when all of them are.

    A row's id always comes with them: without it nobody could go on with what a list found.
    """
    if not fields:
        return None
    # A model that was not used yet has no aliases.
    known = {field.alias or to_camel(name): name for name, field in row.model_fields.items()}
    unknown = [name for name in dict.fromkeys(fields) if name not in known]
    if unknown:
        raise InvalidInput(
            "Some fields are not in the rows of this list.",
            issues={"fields": " ".join(_advice(name, list(known)) for name in unknown[:_MOST_ADVICE])},
        )
    return {known[name] for name in fields} | ({"id"} & row.model_fields.keys())


def page_of(
    found: Found[ItemT],
    rows: Sequence[Model],
    *,
    kind: type[PageT],
    fields: set[str] | None = None,
    **more: object,
) -> PageT:
    """The page that shows what was found, one row for each item, `more` being what else it says.

    Rows that would make the answer too long are left for the next page, but the first one is always shown.
    """
    if len(rows) != len(found.items):
        raise ValueError("a page that is cut goes on after the item of its last row, so each needs its own")
    whole = {"data": rows, "next_cursor": found.next_cursor, "truncated": found.is_truncated or None}
    page = kind.model_validate(whole | more)
    size = _fitting(rows, fields, length=len(page.render(fields)))
    if size == len(rows):
        return page
    cut = {"data": rows[:size], "next_cursor": found.cursor_after(size - 1), "truncated": True}
    page = kind.model_validate(cut | more)
    page.render(fields)
    return page


def _fitting(rows: Sequence[Model], fields: set[str] | None, *, length: int) -> int:
    """How many of the rows can be sent, when all of them make a text of this length."""
    size = len(rows)
    if length <= MAX_ANSWER:
        return size
    length += _ROOM_TO_SAY_SO
    while size > 1 and length > MAX_ANSWER:
        size -= 1
        length -= length_of(rows[size], fields) + len(",")
    return size


def length_of(shown: Model, fields: set[str] | None = None) -> int:
    """Of its JSON; in characters, as answers are counted."""
    return len(shown.__pydantic_serializer__.to_json(shown, by_alias=True, include=fields).decode())


def _advice(name: str, known: Sequence[str]) -> str:
    if likely := closest(name, known, limit=1):
        return f"There is no {name!r}; did you mean {likely[0]}?"
    return f"There is no {name!r}; there are {', '.join(known)}."
