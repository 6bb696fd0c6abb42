"""The page that a list answers with: its rows slimmed to what was asked for, and never too long to send."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from operator import itemgetter
from typing import Any, Generic, TypeVar, get_args

from pydantic.alias_generators import to_camel

from forge.contract.models import Model, Page
from forge.contract.names import closest
from forge.errors import InvalidInput
from forge.store.pages import Found
from forge.work.issues.pages.sizes import MAX_ANSWER, fewer

# What a page grows by when it is cut: `truncated`, and a cursor of the length that inputs take at most.
_ROOM_TO_SAY_SO = 1_100
_MOST_ADVICE = 5

ThingT = TypeVar("ThingT")
# In quotes: a page of anything would be one more model to build at every start.
PageT = TypeVar("PageT", bound="Page[Any]")


class Pager(Generic[PageT]):
    """Makes the pages of one list; made before anything is read, so that unknown fields cost nothing."""

    __slots__ = ("_fields", "_kind", "_most")

    def __init__(
        self,
        kind: type[PageT],
        fields: Sequence[str] | None = None,
        *,
        usual: AbstractSet[str] | None = None,
        most: int = MAX_ANSWER,
    ) -> None:
        """`usual` are the fields of a row, by their names in Python, where nobody chose any; None for all.

        `most` is how many characters the page may have.
        """
        self._kind = kind
        chosen = _chosen(get_args(kind.model_fields["data"].annotation)[0], fields)
        self._fields = set(usual) if chosen is None and usual else chosen
        self._most = most

    def shows(self, field: str) -> bool:
        """Whether the rows have this field, by its name in Python."""
        return self._fields is None or field in self._fields

    def page(
        self,
        found: Found[ThingT],
        row: Callable[[ThingT], Model],
        *,
        order: Callable[[ThingT], int] | None = None,
        **more: object,
    ) -> PageT:
        """The page that shows what was found, a row for each thing, `more` being what else it says.

        Rows that would make the answer too long are left for the next page, but the first is always shown.
        `order` is for lists that are read in nearly the order in which they are shown.
        """
        rows = [row(thing) for thing in found.items]
        page = self._page(found, rows, order, more)
        excess = len(page.render(self._fields)) - self._most
        if excess <= 0:
            return page
        shown = fewer(rows, excess + _ROOM_TO_SAY_SO, least=1, fields=self._fields)
        cut = found.first(len(shown))
        page = self._page(cut, rows[: len(cut.placed)], order, more)
        page.render(self._fields)
        return page

    def _page(
        self,
        found: Found[ThingT],
        rows: Sequence[Model],
        order: Callable[[ThingT], int] | None,
        more: dict[str, object],
    ) -> PageT:
        if order:
            places = [order(thing) for thing in found.items]
            rows = [row for _, row in sorted(zip(places, rows, strict=True), key=itemgetter(0))]
        said = {
            "data": rows,
            "next_cursor": found.next_cursor,
            "truncated": found.is_truncated or None,
            "reason": found.reason,
        }
        return self._kind.model_validate(said | more)


def _chosen(row: type[Model], fields: Sequence[str] | None) -> set[str] | None:
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


def _advice(name: str, known: Sequence[str]) -> str:
    if likely := closest(name, known, limit=1):
        return f"There is no {name!r}; did you mean {likely[0]}?"
    return f"There is no {name!r}; there are {', '.join(known)}."
