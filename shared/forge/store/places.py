"""Where items stand in the indexes and how long they are kept, as they declare it beside their fields."""

from datetime import datetime, timedelta
from typing import Any

from forge.store.keys import At, IndexKey, Key, Partition, TypeOf, due
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

    def of(self, item: Any, sorts: dict[str, str]) -> IndexKey | None:
        """`sorts` are those by the same templates that are known already: most places have the same."""
        at = self.at
        if at.when and not getattr(item, at.when):
            return None
        for name in self._optional:
            if getattr(item, name) is None:
                return None
        sort = sorts.get(at.sort)
        if sort is None:
            sort = sorts[at.sort] = at.sort_of(item)
        return IndexKey(self.index, at.partition_of(item), sort)


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
