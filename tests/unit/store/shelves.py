"""A list over several sources, and how it is read."""

from collections.abc import Callable

from forge.store.cursors import Cursors
from forge.store.pages import Found, Portion, read_page
from forge.store.store import Store
from forge.store.walks import Listing, Source
from forge.testing.instruments import Parameters, Send, watched
from tests.unit.store.things import WORKSPACE, ThingItem, shelf


def sources(workspace_id: str = WORKSPACE) -> list[Source]:
    """Two stretches of one shelf, and the whole of another."""
    return [
        Source(shelf("top", workspace_id), "updated", "0#"),
        Source(shelf("top", workspace_id), "updated", "1#"),
        Source(shelf("bottom", workspace_id), "updated"),
    ]


def by_age(workspace_id: str = WORKSPACE, *, is_descending: bool = False) -> Listing:
    cursors = Cursors(workspace_id, "things by age", "down" if is_descending else "up")
    return Listing(sources(workspace_id), cursors, is_descending)


def a_thing(source: int, order: int, *, workspace_id: str = WORKSPACE) -> ThingItem:
    """A thing of one of these sources."""
    prefix, name = [("0#", "top"), ("1#", "top"), ("", "bottom")][source]
    return ThingItem(id=f"{prefix}{order:04}", count=order, shelf=name, workspace_id=workspace_id)


def read(
    store: Store,
    *,
    limit: int = 3,
    cursor: str | None = None,
    is_descending: bool = False,
    accepts: Callable[[ThingItem], bool] | None = None,
    workspace_id: str = WORKSPACE,
) -> Found[ThingItem]:
    return read_page(
        store.table,
        ThingItem,
        by_age(workspace_id, is_descending=is_descending),
        Portion(limit, cursor),
        accepts=accepts,
    )


def numbers(found: Found[ThingItem]) -> list[int]:
    return [thing.count for thing in found.items]


def spread(number: int) -> list[ThingItem]:
    """So many things in a row, each in another source than the one before."""
    return [a_thing(order % 3, order) for order in range(number)]


def stingy(store: Store, most: int) -> Store:
    """One Query gives so many rows at most, as it does where a megabyte is full."""

    def handle(operation: str, parameters: Parameters, send: Send) -> dict[str, object]:
        if operation == "Query":
            parameters = {**parameters, "Limit": min(most, parameters["Limit"])}
        return send(**parameters)

    return watched(store, handle)
