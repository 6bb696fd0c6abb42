"""Items as a newer build would write them: more attributes on each level, values that nobody knows."""

from datetime import datetime
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel

from forge.cli.backups.places import kinds
from forge.store.items import Item
from forge.testing.clock import NOON

Row = dict[str, Any]

LATER, ADDED = "added_by_a_newer_build", {"M": {"deep": {"L": [{"N": "1"}, {"NULL": True}]}}}
PLACES = {"laterPk": {"S": "somewhere"}, "laterSk": {"S": "else"}}
UNKNOWN = "INVENTED_LATER"


def an_item(kind: type[Item]) -> Item:
    """One with a value in every field."""
    return kind.model_validate(_values(kind))


def as_newer(row: Row, kind: type[Item]) -> Row:
    """The row with something unknown wherever there can be, where such an item would be."""
    newer = _newer_fields(row, kind)
    partition, sort = kind.from_attributes(newer).key
    return newer | {LATER: ADDED, "pk": {"S": partition}, "sk": {"S": sort}} | PLACES


def with_additions(row: Row) -> Row:
    """A row of whatever kind, with attributes that nobody here knows on each level; its values stay."""
    deeper = {name: _added_within(one) for name, one in row.items() if name not in _FREE}
    return row | deeper | {LATER: ADDED} | PLACES


def with_unknown_values(row: Row) -> Row:
    """A row of whatever kind, with values that nobody here knows where there was one of an enumeration.

    But for what the row's key is made of: a newer build would have stored it elsewhere.
    """
    names = {
        name
        for name in row
        if row[name] in _VALUES.get(name, ()) and row[name]["S"] not in row["sk"]["S"].split("#")
    }
    return row | {name: {"S": UNKNOWN} for name in names}


def additions_in(row: Row) -> dict[str, bool]:
    """For each thing within a row that has an id, and the row itself, whether it has what was added."""
    found = {"": row.get(LATER) == ADDED and row.items() >= PLACES.items()}
    for name, attribute in row.items():
        for one in attribute.get("L", ()) if name != LATER else ():
            within = one.get("M", {})
            identity = (within.get("run_id") or within.get("id") or {}).get("S")
            if identity:
                found[identity] = one["M"].get(LATER) == ADDED
    return found


def _added_within(attribute: Row) -> Row:
    if "M" in attribute:
        return {"M": {name: _added_within(one) for name, one in attribute["M"].items()} | {LATER: ADDED}}
    return {"L": [_added_within(one) for one in attribute["L"]]} if "L" in attribute else attribute


def _newer_fields(row: Row, kind: type[BaseModel]) -> Row:
    fields = {name: field.annotation for name, field in kind.model_fields.items() if name in row}
    return row | {name: _newer(row[name], annotation) for name, annotation in fields.items()}


def _newer(attribute: Row, annotation: Any) -> Row:
    annotation = _without_none(annotation)
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return {"S": UNKNOWN}
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {"M": _newer_fields(attribute["M"], annotation) | {LATER: ADDED}}
    if "L" in attribute:
        return {"L": [_newer(one, get_args(annotation)[0]) for one in attribute["L"]]}
    return attribute


def _values(kind: type[BaseModel]) -> dict[str, Any]:
    return {name: _value(field.annotation) for name, field in kind.model_fields.items()}


def _value(annotation: Any) -> Any:
    annotation = _without_none(annotation)
    plain: dict[Any, Any] = {str: "text", int: 1, float: 1.5, bool: True, datetime: NOON, Any: "anything"}
    if annotation in plain:
        return plain[annotation]
    origin, members = get_origin(annotation), get_args(annotation)
    if origin is dict:
        return {"name": _value(members[1])}
    if origin is not None:
        return origin([_value(members[0])])
    return next(iter(annotation)) if issubclass(annotation, StrEnum) else _values(annotation)


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    (only,) = [one for one in get_args(annotation) if one is not NoneType]
    return only


def _values_by_name() -> dict[str, list[Row]]:
    """What is stored under the name of each field that is an enumeration, whichever item has it."""
    found: dict[str, list[Row]] = {}
    for kind in kinds():
        for name, field in kind.model_fields.items():
            annotation = _without_none(field.annotation)
            if isinstance(annotation, type) and issubclass(annotation, StrEnum):
                found.setdefault(name, []).extend({"S": member.value} for member in annotation)
    return found


_VALUES = _values_by_name()
_FREE = frozenset({"live_keys", "artifacts", "tasks", "versions"})
"""What has names of its own on the next level, and no fields."""
