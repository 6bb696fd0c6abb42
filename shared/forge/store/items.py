"""`Item`: what stored records have in common, whichever build wrote them.

During an upgrade or a rollback two builds share a table. What only the other one knows (attributes, values of
enumerations, places in indexes) is carried through every change, and never decides anything here.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from types import NoneType, UnionType
from typing import Any, ClassVar, Protocol, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError

from forge.contract.building import BuiltWhenUsed
from forge.store.codec import Attribute, decode_item, encode_item
from forge.store.keys import At, IndexKey, Key, Value
from forge.store.physical import INDEXES, PARTITION, SORT, TTL
from forge.store.places import DueAt, In, KeptFor
from forge.store.strangers import understood

_NAMES = {one.name: (one.partition, one.sort) for one in INDEXES}
_MOVABLE = frozenset({TTL, *(name for names in _NAMES.values() for name in names)})
_PLACES = _MOVABLE | {PARTITION, SORT}
"""Attributes that follow from the fields of an item."""

_NOTHING: Mapping[str, Attribute] = {}


class Part(BuiltWhenUsed):
    """What an item holds that has fields of its own; what another build added to it stays in it."""

    model_config = ConfigDict(extra="allow")


class _KeyOf(Protocol):
    def __call__(self, *values: Value) -> Key: ...


class _KeysOfKind:
    """`AgentItem.at(workspace_id, id)`: the key of such an item, by what its templates name in their order.

    A descriptor, so that no call comes in between: this is done dozens of times for each tool.
    """

    def __get__(self, item: object, kind: type["Item"]) -> _KeyOf:
        return kind.stored.build


class Item(BuiltWhenUsed):
    """A typed record that says where it is stored and indexed and how long it is kept, with a version."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    stored: ClassVar[At]
    instead: ClassVar[tuple[At, ...]] = ()
    """Where it is stored while what these say holds; the first that does."""
    indexed: ClassVar[tuple[In | DueAt, ...]] = ()
    kept: ClassVar[KeptFor | None] = None
    """None: until somebody deletes it. Never decides anything: time-outs are compared by us."""

    # Kept in an instance's own dict, as cached properties are: copies take it along, and it is neither
    # compared nor dumped.
    _read: ClassVar[Mapping[str, Attribute]] = _NOTHING
    """What was read."""
    _has_strangers: ClassVar[bool] = False
    """Whether there were values that only another build knows."""

    is_derived: ClassVar[bool] = False
    is_sparse: ClassVar[bool] = False
    """Whether fields are left out while they have a default that says nothing: for what is written often."""
    _telling: ClassVar[tuple[str, ...]] = ("version",)
    """Fields whose default says something."""

    at: ClassVar[_KeysOfKind] = _KeysOfKind()

    version: int = 1

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        stored = [cls.stored] if hasattr(cls, "stored") else []
        for one in (*stored, *cls.instead, *cls.indexed, *filter(None, [cls.kept])):
            one.declare(cls._type_of)
        fields = cls.model_fields.items()
        cls._telling = tuple(name for name, field in fields if not field.is_required() and field.default)

    @property
    def key(self) -> Key:
        stored = self.stored
        for other in self.instead:
            if getattr(self, other.when):
                stored = other
                break
        key: Key = stored.of(self)
        return key

    @property
    def is_indexed(self) -> bool:
        """Whether it has any place in the indexes."""
        return True

    @property
    def index_keys(self) -> tuple[IndexKey, ...]:
        if not self.is_indexed:
            return ()
        sorts: dict[str, str] = {}
        return tuple(found for one in self.indexed if (found := one.of(self, sorts)))

    @property
    def purge_after(self) -> datetime | None:
        return self.kept.until(self) if self.kept else None

    @classmethod
    def of(cls, source: BaseModel, **more: object) -> Self:
        """One beside another: whatever that has by the same names, its version apart, and what is given."""
        wanted = cls.model_fields.keys() - more.keys() - {"version"}
        same = {name: getattr(source, name) for name in wanted if hasattr(source, name)}
        return cls.model_validate(same | more)

    def changed(self, **fields: object) -> Self:
        """The same item with other values; the version is the transaction's to raise."""
        if unknown := fields.keys() - type(self).model_fields.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        return self.model_copy(update=fields)

    def attributes(self) -> dict[str, Attribute]:
        places = self._places()
        values = self.model_dump(exclude_defaults=self.is_sparse)
        if self.is_sparse:
            values |= {name: getattr(self, name) for name in self._telling}
        own = encode_item(places | values)
        return own | self._carried(places) if self._read else own

    @classmethod
    def from_attributes(cls, attributes: Mapping[str, Attribute]) -> Self:
        values = decode_item(attributes, leaving_out=_MOVABLE)
        try:
            item = cls.model_validate(values)
        except ValidationError as error:
            item = cls.model_validate(_with_strangers(cls, values, error))
            item.__dict__["_has_strangers"] = True
        item.__dict__["_read"] = attributes
        return item

    @classmethod
    def is_in(cls, attributes: Mapping[str, Attribute]) -> bool:
        """Whether what is stored there can be of this kind: it has all that every such item has."""
        return all(name in attributes for name, field in cls.model_fields.items() if field.is_required())

    @classmethod
    def _type_of(cls, name: str) -> Any:
        """What a field or a property of this kind is."""
        field = cls.model_fields.get(name)
        if field is not None:
            return field.annotation
        found = getattr(cls, name, None)
        if isinstance(found, property):
            return found.fget.__annotations__["return"]
        if isinstance(found, cached_property):
            return found.func.__annotations__["return"]
        raise TypeError(f"{cls.__name__} has no {name}, by which it would be stored")

    def _places(self) -> dict[str, Any]:
        partition, sort = self.key
        values: dict[str, Any] = {PARTITION: partition, SORT: sort}
        for index_name, partition, sort in self.index_keys:
            partition_name, sort_name = _NAMES[index_name]
            values[partition_name], values[sort_name] = partition, sort
        if (moment := self.purge_after) is not None:
            values[TTL] = int(moment.timestamp())
        return values

    def _carried(self, places: Mapping[str, Any]) -> dict[str, Attribute]:
        """What was read and is not ours to change: unknown attributes, and places that we would not give."""
        ours = type(self).model_fields.keys() | _PLACES
        unknown = {name: one for name, one in self._read.items() if name not in ours}
        stored = {name: self._read[name] for name in _MOVABLE & self._read.keys()}
        after = encode_item(places)
        if all(after.get(name) == one for name, one in stored.items()):
            return unknown
        before = encode_item(type(self).from_attributes(self._read)._places())  # noqa: SLF001 - its own kind
        # Kept is a place that this build does not know, or that follows from a value that it does not know.
        # Any other is ours: the item leaves it, or comes into a better one that this build gives.
        return unknown | {
            name: one
            for name, one in stored.items()
            if before.get(name) == after.get(name) and (self._has_strangers or name not in before)
        }


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
