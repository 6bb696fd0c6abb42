"""`Item`: what stored records have in common, whichever build wrote them.

During an upgrade or a rollback two builds share a table. What only the other one knows (attributes, values of
enumerations, places in indexes) is carried through every change, and never decides anything here.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, ClassVar, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError

from forge.contract.building import BuiltWhenUsed
from forge.store.codec import Attribute, decode_item, encode_item
from forge.store.keys import IndexKey, Key
from forge.store.physical import INDEX_BY_NAME, INDEXES, PARTITION, SORT, TTL
from forge.store.strangers import understood

_MOVABLE = frozenset({TTL, *(name for one in INDEXES for name in (one.partition, one.sort))})
_PLACES = _MOVABLE | {PARTITION, SORT}
"""Attributes that follow from the fields of an item."""

_NOTHING: Mapping[str, Attribute] = {}


class Part(BuiltWhenUsed):
    """What an item holds that has fields of its own; what another build added to it stays in it."""

    model_config = ConfigDict(extra="allow")


class Item(BuiltWhenUsed, ABC):
    """A typed record with its own key, its places in the indexes, and an optimistic version."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    # Kept in an instance's own dict, as cached properties are: copies take it along, and it is neither
    # compared nor dumped.
    _stored: ClassVar[Mapping[str, Attribute]] = _NOTHING
    """What was read."""
    _has_strangers: ClassVar[bool] = False
    """Whether there were values that only another build knows."""

    is_derived: ClassVar[bool] = False

    version: int = 1

    @property
    @abstractmethod
    def key(self) -> Key:
        """Where the item is stored; built by `forge.store.keys`."""

    @property
    def index_keys(self) -> tuple[IndexKey, ...]:
        """Its places in the indexes; none unless a subclass says so."""
        return ()

    @property
    def purge_after(self) -> datetime | None:
        """When DynamoDB may remove it. Never decides anything: time-outs are compared by us."""
        return None

    def changed(self, **fields: object) -> Self:
        """The same item with other values; the version is the transaction's to raise."""
        if unknown := fields.keys() - type(self).model_fields.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        return self.model_copy(update=fields)

    def attributes(self) -> dict[str, Attribute]:
        places = self._places()
        own = encode_item(places | self.model_dump())
        return own | self._carried(places) if self._stored else own

    @classmethod
    def from_attributes(cls, attributes: Mapping[str, Attribute]) -> Self:
        values = decode_item(attributes, leaving_out=_MOVABLE)
        try:
            item = cls.model_validate(values)
        except ValidationError as error:
            item = cls.model_validate(_with_strangers(cls, values, error))
            item.__dict__["_has_strangers"] = True
        item.__dict__["_stored"] = attributes
        return item

    @classmethod
    def is_in(cls, attributes: Mapping[str, Attribute]) -> bool:
        """Whether what is stored there can be of this kind: it has all that every such item has."""
        return all(name in attributes for name, field in cls.model_fields.items() if field.is_required())

    def _places(self) -> dict[str, Any]:
        values: dict[str, Any] = {PARTITION: self.key.partition, SORT: self.key.sort}
        for place in self.index_keys:
            index = INDEX_BY_NAME[place.index_name]
            values |= {index.partition: place.partition, index.sort: place.sort}
        if self.purge_after is not None:
            values[TTL] = int(self.purge_after.timestamp())
        return values

    def _carried(self, places: Mapping[str, Any]) -> dict[str, Attribute]:
        """What was read and is not ours to change: unknown attributes, and places that we would not give."""
        ours = type(self).model_fields.keys() | _PLACES
        unknown = {name: one for name, one in self._stored.items() if name not in ours}
        stored = {name: self._stored[name] for name in _MOVABLE & self._stored.keys()}
        after = encode_item(places)
        if all(after.get(name) == one for name, one in stored.items()):
            return unknown
        before = encode_item(type(self).from_attributes(self._stored)._places())  # noqa: SLF001 - its own kind
        return unknown | {name: one for name, one in stored.items() if self._is_kept(name, before, after)}

    def _is_kept(self, name: str, before: Mapping[str, Attribute], after: Mapping[str, Attribute]) -> bool:
        """A place that this build does not know of, or that follows from a value that it does not know.

        Any other place is ours: the item leaves it, or comes into a better one that this build gives.
        """
        return before.get(name) == after.get(name) and (self._has_strangers or name not in before)


class DerivedItem(Item):
    """A row that follows from another item, and is written with it: the other's condition guards it, too."""

    is_derived = True


def _with_strangers(kind: type[Item], values: dict[str, Any], error: ValidationError) -> dict[str, Any]:
    """The values with whatever no enumeration of ours has taken as it stands; any other error is raised."""
    for problem in error.errors(include_url=False, include_context=False):
        *way, last = problem["loc"]
        if problem["type"] != "enum" or not isinstance(problem["input"], str):
            raise error
        stranger = understood(_annotated_at(kind, problem["loc"]), problem["input"])
        holder: Any = values
        for step in way:
            holder = holder[step]
        if isinstance(holder, set):
            holder.remove(problem["input"])
            holder.add(stranger)
        else:
            holder[last] = stranger
    return values


def _annotated_at(annotation: Any, path: tuple[int | str, ...]) -> Any:
    """What stands at the end of the path: by fields of models, and by members of collections."""
    while get_origin(annotation) in (Union, UnionType):
        (annotation,) = (one for one in get_args(annotation) if one is not NoneType)
    if not path:
        return annotation
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _annotated_at(annotation.model_fields[str(path[0])].annotation, path[1:])
    return _annotated_at(get_args(annotation)[-1], path[1:])
