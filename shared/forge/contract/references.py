"""Which arguments refer to something, and to what: read off the types of their fields."""

from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel

from forge.contract.models import Model


class Kind(StrEnum):
    """What can be referred to, as callers call it."""

    STATUS = "status"
    AGENT = "agent"
    PERSON = "person"
    LABEL = "label"
    PROJECT = "project"
    INITIATIVE = "initiative"
    CYCLE = "cycle"
    RUNTIME = "runtime"
    CREW = "crew"
    ISSUE = "issue"


class Refers(NamedTuple):
    """Marks a type of argument: `Annotated[str, Refers(Kind.LABEL)]`.

    What a call is about is its subject: one that is not there is not found, and no mistake in the arguments.
    """

    kind: Kind
    is_subject: bool = False


class ReferenceField(NamedTuple):
    """An argument that refers to one thing or, in a list, to several."""

    name: str
    alias: str
    kind: Kind
    is_subject: bool
    is_many: bool


def references_in(model: type[BaseModel]) -> tuple[ReferenceField, ...]:
    """The arguments of a model that refer to something; those of models within it are not looked at."""
    return _references_in(model)


@cache
def _references_in(model: type[BaseModel]) -> tuple[ReferenceField, ...]:
    found = []
    for name, field in model.model_fields.items():
        marks = [mark for mark in field.metadata if isinstance(mark, Refers)] or _marks_in(field.annotation)
        if marks:
            is_many = _has_list(field.annotation)
            found.append(ReferenceField(name, field.alias or name, *marks[0], is_many=is_many))
    return tuple(found)


def _marks_in(annotation: Any) -> list[Refers]:
    """Those of an annotation that is optional, or a list."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return []
    own = [mark for mark in getattr(annotation, "__metadata__", ()) if isinstance(mark, Refers)]
    return own or [mark for part in get_args(annotation) for mark in _marks_in(part)]


def _has_list(annotation: Any) -> bool:
    return getattr(annotation, "__origin__", None) is list or any(map(_has_list, get_args(annotation)))
