"""Values of an enumeration that only another build knows: told and kept as they are stored.

While two builds share a table, each meets what only the other one knows. Such a value is a member by type and
text, but none of those that rules name: whatever is allowed to a named member is not allowed to it. Free of
pydantic, because authentication meets them, too.
"""

from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

EnumT = TypeVar("EnumT", bound=StrEnum)


@lru_cache(maxsize=256)
def understood(kind: type[EnumT], value: str) -> EnumT:
    """The member with this value, or a stranger that stands for it."""
    return next((member for member in kind if member.value == value), None) or _stranger(kind, value)


def is_known(member: StrEnum) -> bool:
    """Whether this build has a name for it."""
    return type(member).__members__.get(member.name) is member


def _stranger(kind: type[EnumT], value: str) -> EnumT:
    made = str.__new__(kind, value)
    # What Enum itself gives to its members; nobody looks this one up by its name.
    made._name_ = made._value_ = value
    return made
