"""What an input field takes, in a line that a caller can copy: shown to whoever sent another shape."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from forge.contract.names import closest_choice

SEQUENCES = frozenset({list, tuple, set, frozenset, Sequence})

_MAX_SHAPE = 400
_MAX_CHOICES = 12
_WORDS: Mapping[Any, str] = {str: "text", int: "number", float: "number", bool: "true or false"}


def plain_type(annotation: Any) -> Any:
    """The one type of an optional or annotated annotation; a real union is left as it is."""
    if get_origin(annotation) is Annotated:
        return plain_type(get_args(annotation)[0])
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    branches = [branch for branch in get_args(annotation) if branch is not NoneType]
    return plain_type(branches[0]) if len(branches) == 1 else annotation


def shape_of(annotation: Any) -> str:
    """As JSON with words for values; what need not be given has a question mark."""
    shape = _shape(plain_type(annotation))
    return shape if len(shape) <= _MAX_SHAPE else f"{shape[:_MAX_SHAPE]}…"


def choices_of(annotation: Any) -> list[str]:
    """The texts that a field is limited to, in whatever holds them; none when any will do."""
    kind = plain_type(annotation)
    if get_origin(kind) in SEQUENCES:
        return choices_of(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return [str(one) for one in get_args(kind)]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    return []


def chosen(annotation: Any, given: object) -> object:
    """The choice that was meant, if only its case, hyphens or spaces are different; else what was given."""
    if not isinstance(given, str):
        return given
    wanted = _folded(given)
    meant = [one for one in choices_of(annotation) if _folded(one) == wanted]
    return meant[0] if len(meant) == 1 else given


def wrong_choice(choices: Sequence[str], given: object) -> str:
    """What to say to somebody who gave none of these."""
    likely = closest_choice(given, choices) if isinstance(given, str) else None
    guess = f"Did you mean {likely}? " if likely else ""
    return f"{guess}Known: {', '.join(choices)}."


def annotation_at(model: type[BaseModel], path: Sequence[str | int]) -> Any:
    """What the field at this place of the arguments takes; None where no field is."""
    annotation: Any = model
    for step in path:
        annotation = _within(plain_type(annotation), step)
    return annotation


def shown_path(model: type[BaseModel], path: Sequence[str | int]) -> list[str]:
    """The place without the branches of unions, whose names are ours alone."""
    annotation: Any = model
    shown = []
    for step in path:
        kind = plain_type(annotation)
        if not _is_union(kind):
            # An unknown name may be anything; a long one must not blow up the answer.
            shown.append(str(step)[:80])
        annotation = _within(kind, step)
    return shown


def _within(kind: Any, step: str | int) -> Any:
    if _is_union(kind):
        return next((one for one in get_args(kind) if getattr(one, "__name__", None) == step), None)
    if isinstance(step, int):
        return get_args(kind)[0] if get_origin(kind) in SEQUENCES else None
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = {field.alias or name: field for name, field in kind.model_fields.items()}
        return fields[step].annotation if step in fields else None
    return None


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType)


def _shape(kind: Any) -> str:
    if get_origin(kind) in SEQUENCES:
        return f"[{_shape(plain_type(get_args(kind)[0]))}, …]"
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return f"{{{', '.join(map(_member, kind.model_fields, kind.model_fields.values()))}}}"
    if choices := choices_of(kind):
        more = "|…" if len(choices) > _MAX_CHOICES else ""
        return "|".join(choices[:_MAX_CHOICES]) + more
    if kind is datetime:
        return "ISO-8601 time"
    if _is_union(kind):
        return " or ".join(_shape(plain_type(one)) for one in get_args(kind))
    return _WORDS.get(kind, "object")


def _member(name: str, field: Any) -> str:
    optional = "" if field.is_required() else "?"
    return f'"{field.alias or name}"{optional}: {_shape(plain_type(field.annotation))}'


def _folded(text: str) -> str:
    return text.strip().replace("-", "_").replace(" ", "_").casefold()
