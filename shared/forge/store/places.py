"""Where items stand in the indexes and how long they are kept, as they declare it beside their fields."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from forge.store.keys import At, IndexKey, Key, Partition, TypeOf, compiled, due
from forge.store.physical import INDEX_BY_NAME


class In:
    """A place in an index; an item is not there when something that the templates name is None."""

    def __init__(
        self, index: str, partition: Partition | str, sort: str, *, when: str = "", **fields: str
    ) -> None:
        if index not in INDEX_BY_NAME:
            raise TypeError(f"there is no index {index}")
        self.index = index
        self.at = At(partition, sort, when=when, held_in=None, **fields)
        self._optional: list[str] = []

    @property
    def partition(self) -> Partition:
        return self.at.partition

    def declare(self, type_of: TypeOf) -> None:
        self.at.declare(type_of)
        self._optional = [name for name in self.at.fields.values() if isinstance(None, type_of(name))]

    @cached_property
    def of(self) -> Callable[[Any, dict[str, str]], IndexKey | None]:
        """What gives the place of an item, and remembers its sort key: most places of an item share one."""
        partition, sort = self.at.expressions
        known = f"sorts.get({sort!r}) or sorts.setdefault({sort!r}, {sort})"
        place = f"new(IndexKey, ({self.index!r}, {partition}, {known}))"
        conditions = [f"item.{name} is not None" for name in self._optional]
        conditions += [f"item.{self.at.when}"] if self.at.when else []
        if conditions:
            place += f" if {' and '.join(conditions)} else None"
        return compiled("item, sorts", place, IndexKey=IndexKey)


class DueAt:
    """When the sweep must look at an item again: a place in the index of deadlines, unless it is None."""

    index = "due"

    def __init__(self, moment: str) -> None:
        self.moment = moment

    def declare(self, type_of: TypeOf) -> None:
        type_of(self.moment)

    def of(self, item: Any, _: dict[str, str]) -> IndexKey | None:
        moment: datetime | None = getattr(item, self.moment)
        return due(item.key, moment) if moment else None


class KeptFor:
    """How long after a moment DynamoDB may remove an item, unless that is None."""

    def __init__(self, period: timedelta = timedelta(), *, since: str) -> None:
        self.period = period
        self.since = since

    def declare(self, type_of: TypeOf) -> None:
        type_of(self.since)

    def until(self, item: Any) -> datetime | None:
        moment: datetime | None = getattr(item, self.since)
        return moment + self.period if moment else None


def out_of(index_name: str) -> dict[str, object]:
    """Takes an item out of an index, for whoever changes it without having read it."""
    index = INDEX_BY_NAME[index_name]
    return {index.partition: None, index.sort: None}


def due_attributes(owner: Key, moment: datetime | None) -> dict[str, object]:
    """When the sweep must look at such an item again; None takes it out of what is ever due."""
    if moment is None:
        return out_of("due")
    index, place = INDEX_BY_NAME["due"], due(owner, moment)
    return {index.partition: place.partition, index.sort: place.sort}
