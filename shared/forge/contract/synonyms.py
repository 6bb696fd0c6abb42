"""Arguments with two names: one is published, the other is taken for it wherever it is free."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from forge.contract.references import Kind, references_in
from forge.errors import InvalidInput

_ONE_ISSUE = ("id", "issueId")


class AlsoCalled(NamedTuple):
    """Marks an argument with another name besides the published one: `Annotated[str, AlsoCalled("url")]`."""

    name: str


def synonyms_of(model: type[BaseModel]) -> Mapping[str, str]:
    """The published name for each other one: what a tool calls its one issue, `id` or `issueId`, is both.

    Where the tool has an argument of the other name, such as an artifact's id, that one is meant.
    """
    return _synonyms_of(model)


@cache
def _synonyms_of(model: type[BaseModel]) -> Mapping[str, str]:
    # A model that was not used yet has no aliases.
    taken = {name: field.alias or to_camel(name) for name, field in model.model_fields.items()}
    ours = {one.alias for one in references_in(model) if one.kind is Kind.ISSUE and not one.is_many}
    pairs = (_ONE_ISSUE, _ONE_ISSUE[::-1])
    of_issues = {
        other: published for published, other in pairs if published in ours and other not in taken.values()
    }
    marked = {
        mark.name: taken[name]
        for name, field in model.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, AlsoCalled)
    }
    return of_issues | marked


def as_said(
    model: type[BaseModel], arguments: Mapping[str, object], issues: Mapping[str, str]
) -> dict[str, str]:
    """What is wrong, under the names that the caller used: `url` where that was said for `externalUrl`."""
    said = {name: other for other, name in synonyms_of(model).items() if other in arguments}

    def renamed(path: str) -> str:
        first, dot, rest = path.partition(".")
        return f"{said[first]}{dot}{rest}" if first in said and first not in arguments else path

    return {renamed(path): issue for path, issue in issues.items()}


def published(
    model: type[BaseModel], arguments: Mapping[str, object], *, nothing: Collection[object]
) -> Mapping[str, object]:
    """The arguments by their published names; `nothing` is what stands for a value that is not given."""
    others = {name: synonym for name, synonym in synonyms_of(model).items() if name in arguments}
    if not others:
        return arguments
    named = {name: value for name, value in arguments.items() if name not in others}
    for other, name in others.items():
        value = arguments[other]
        if value in nothing:
            continue
        if named.get(name, value) not in (value, *nothing):
            raise InvalidInput(
                f"{name} and {other} are the same argument, and have two values.",
                issues={other: f"Leave it out, or {name}."},
            )
        named[name] = value
    return named
