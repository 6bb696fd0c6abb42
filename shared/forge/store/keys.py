"""Keys: how the place of an item is declared, checked when it is declared, and built.

A template such as `WS#{workspace_id}#RUN#{id}` names fields or properties of the item whose place it is; a
time is written by `sortable_time`. Every partition starts with its workspace, so that no query can cross
tenants; the exceptions are closed, and hold no issue content. So are the partitions of the timer index.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar, NamedTuple

OUTSIDE_EVERY_WORKSPACE = ("KEY#", "USER#", "EMAIL#", "WSNAME#", "MAPPING#", "OAUTH#")
DUE_PARTITIONS = tuple(f"DUE#{number}" for number in range(4))

Value = str | int | datetime
TypeOf = Callable[[str], Any]
"""What a field or property of an item is, by its name; raises when there is none."""

_UTC = "+00:00"
_TIMES = (datetime, datetime | None)
_NAMED = re.compile(r"{(\w+)")


class Key(NamedTuple):
    partition: str
    sort: str


class SharedKey(Key):
    """Of a row that follows from many others: all of them add to it, and nobody reads it first."""

    __slots__ = ()


class IndexKey(NamedTuple):
    """Where an item stands in one of the indexes."""

    index_name: str
    partition: str
    sort: str


def sortable_time(moment: datetime) -> str:
    """Fixed width, so that text order is time order: `2026-07-28T12:00:00.000Z`."""
    # Not strftime: it writes early years with fewer digits.
    text = moment.isoformat(timespec="milliseconds")
    if not text.endswith(_UTC):
        text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text[: -len(_UTC)] + "Z"


def by_age(created_at: datetime, thing_id: str) -> str:
    return f"{sortable_time(created_at)}#{thing_id}"


def workspace_prefix(workspace_id: str) -> str:
    return f"WS#{workspace_id}#"


def due(owner: Key, moment: datetime) -> IndexKey:
    """When the sweep must look at an item again; spread over a few partitions by its own key."""
    place = sha256(f"{owner.partition}|{owner.sort}".encode()).digest()[0] % len(DUE_PARTITIONS)
    return IndexKey("due", DUE_PARTITIONS[place], sortable_time(moment))


class Partition:
    """The template of a partition; called with what it names, in that order, it gives one of them."""

    def __init__(self, template: str, *, outside: str = "") -> None:
        """`outside` says why what is stored there is in no workspace."""
        allowed = OUTSIDE_EVERY_WORKSPACE if outside else workspace_prefix("{workspace_id}")
        if not template.startswith(allowed):
            raise TypeError(f"the partition {template} must start with {allowed}")
        self.template = template
        self.outside = outside

    def __call__(self, *values: Value) -> str:
        return self.build(*values)

    @cached_property
    def build(self) -> Callable[..., str]:
        return compiled(", ".join(_names(self.template)), f"f{self.template!r}")


class At:
    """Where items of a kind are stored; called with what its templates name, it gives the key of one."""

    makes: ClassVar[type[Key]] = Key

    def __init__(
        self,
        partition: Partition | str,
        sort: str,
        *,
        when: str = "",
        held_in: tuple[str, str] | None = None,
        **fields: str,
    ) -> None:
        """`fields` of the item that have another name than in the templates.

        An item without the values that its key is made of holds it whole, in the two fields of `held_in`.
        """
        self.partition = partition if isinstance(partition, Partition) else Partition(partition)
        self.sort = sort
        self.when = when
        self.held_in = held_in
        self.fields = {name: name for name in _names(self.partition.template + sort)}
        if unknown := fields.keys() - self.fields.keys():
            raise TypeError(f"{self.partition.template} {sort} does not name {', '.join(unknown)}")
        self.fields |= fields
        self._times: set[str] = set()

    def __call__(self, *values: Value) -> Key:
        key: Key = self.build(*values)
        return key

    def prefix(self, *first: str | int) -> str:
        """What the sort keys begin with of all that have these as their first values."""
        shown = "{".join(self.sort.split("{")[: len(first) + 1])
        return shown.format(**dict(zip(_names(shown), first, strict=True)))

    def declare(self, type_of: TypeOf) -> None:
        """Refuse what the kind of item does not have, and take over which of its values are times."""
        for needed in (self.when, *(self.held_in or ())):
            if needed:
                type_of(needed)
        if not self.held_in:
            types = {name: type_of(field) for name, field in self.fields.items()}
            self._times = {name for name, one in types.items() if one in _TIMES}

    @cached_property
    def build(self) -> Callable[..., Any]:
        """What makes the key of the values that the templates name."""
        partition, sort = self._written({name: name for name in self.fields})
        return compiled(", ".join(self.fields), f"new(Key, ({partition}, {sort}))", Key=self.makes)

    @cached_property
    def of(self) -> Callable[[object], Any]:
        """What makes the key of an item."""
        partition, sort = self.expressions
        return compiled("item", f"new(Key, ({partition}, {sort}))", Key=self.makes)

    @property
    def expressions(self) -> tuple[str, str]:
        """What gives the partition of an `item`, and its sort key."""
        if self.held_in:
            return f"item.{self.held_in[0]}", f"item.{self.held_in[1]}"
        return self._written({name: f"item.{field}" for name, field in self.fields.items()})

    def _written(self, values: dict[str, str]) -> tuple[str, str]:
        values |= {name: f"sortable_time({values[name]})" for name in self._times}
        partition, sort = (
            "f" + repr(_NAMED.sub(lambda found: "{" + values[found[1]], template))
            for template in (self.partition.template, self.sort)
        )
        return partition, sort


class Shared(At):
    """Where rows are that many add to."""

    makes = SharedKey

    def __call__(self, *values: Value) -> SharedKey:
        key: SharedKey = self.build(*values)
        return key


REFERENCES = Partition("WS#{workspace_id}#REF#{name}")
"""What is kept of a thing under its own name, wherever the thing itself is."""


def _names(template: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_NAMED.findall(template)))


def compiled(parameters: str, expression: str, **known: object) -> Callable[..., Any]:
    """As fast as a function that somebody wrote: each call of a tool makes dozens of keys."""
    known |= {"sortable_time": sortable_time, "new": tuple.__new__}
    made: Callable[..., Any] = eval(f"lambda {parameters}: {expression}", known)  # noqa: S307 - of our own templates
    return made
