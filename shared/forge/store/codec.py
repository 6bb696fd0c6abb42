"""Python values as DynamoDB attribute values, and back. By hand: boto3's own refuses floats and dates."""

from collections.abc import Container, Mapping
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from forge.store.keys import sortable_time

Attribute = Mapping[str, Any]

_EXACT = 2**53
"""Up to here every whole number is one float."""

_ABSENT: tuple[object, ...] = (None, frozenset())
"""Left out: an absent attribute says the same, and sets can't be empty."""


def encode_item(values: Mapping[str, object]) -> dict[str, Attribute]:
    return {
        # Most values are texts, and a call for each would be half of all that a change calls.
        name: {"S": value} if type(value) is str else encode_value(value)
        for name, value in values.items()
        if value not in _ABSENT
    }


def decode_item(
    attributes: Mapping[str, Attribute], *, leaving_out: Container[str] = frozenset()
) -> dict[str, Any]:
    return {
        name: attribute["S"] if "S" in attribute else decode_value(attribute)
        for name, attribute in attributes.items()
        if name not in leaving_out
    }


def encode_value(value: object) -> Attribute:
    match value:
        case Enum():
            return encode_value(value.value)
        case str():
            return {"S": value}
        case bool():
            return {"BOOL": value}
        case int() | Decimal():
            return {"N": str(value)}
        case float():
            # As DynamoDB gives it back: 3.0 is 3.
            is_whole = value.is_integer() and abs(value) < _EXACT
            return {"N": str(int(value)) if is_whole else repr(value)}
        case None:
            return {"NULL": True}
        case datetime():
            return {"S": sortable_time(value)}
        case set() | frozenset():
            return {"SS": sorted(str(getattr(one, "value", one)) for one in value)} if value else {"L": []}
        case list() | tuple():
            return {"L": [encode_value(member) for member in value]}
        case Mapping():
            return {"M": {str(name): encode_value(member) for name, member in value.items()}}
        case _:
            raise TypeError(f"{type(value).__name__} can't be stored")


def decode_value(attribute: Attribute) -> Any:
    ((kind, value),) = attribute.items()
    match kind:
        case "N":
            return int(value) if value.lstrip("-").isdigit() else float(value)
        case "NULL":
            return None
        case "SS":
            return set(value)
        case "L":
            return [decode_value(member) for member in value]
        case "M":
            return decode_item(value)
        case _:
            return value
