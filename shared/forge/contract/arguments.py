"""From the arguments a caller wrote to the model a tool takes: kind where it can be, clear where not.

Agents send objects as JSON text, `null` or `"null"` for what they leave out, one value where a list is due,
names of what they want where switches are due, or the other way round. Such arguments are mended, but only
after the strict reading failed: most calls never pay for it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeGuard, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from forge.contract.models import Model, NullIsAValue
from forge.contract.names import closest_field
from forge.contract.shapes import (
    SEQUENCES,
    annotation_at,
    choices_of,
    chosen,
    plain_type,
    shape_of,
    shown_path,
    wrong_choice,
)
from forge.contract.synonyms import as_said, published
from forge.errors import InvalidInput
from forge.jsontext import BadJson, decode

SCHEMA_HINT = 'catalog.describe {{"names": ["{tool}"]}} shows the input schema.'
_MAX_ISSUES = 20
_MAX_ERRORS = 1000
_META = "_meta"
# What models send for "not given"; some even put it into a list.
_NULLS = (None, "null", ["null"], [None])
_CHOICES = frozenset({"enum", "literal_error"})

ModelT = TypeVar("ModelT", bound=Model)


def parse(
    model: type[ModelT], arguments: Mapping[str, object], *, tool: str, schema_hint: str = SCHEMA_HINT
) -> ModelT:
    """Validate the arguments of a call, or raise InvalidInput naming every field that is wrong."""
    if _META in arguments or _has_models(model) or _has_nulls(arguments):
        arguments = _without_nulls(model, arguments)
    validator = model.__pydantic_validator__  # what model_validate calls; its detours take 0.45 of 2.25 µs
    try:
        return validator.validate_python(arguments, by_name=False)  # type: ignore[no-any-return]
    except ValidationError as error:
        if error.error_count() > _MAX_ERRORS:
            raise _hopeless(error, tool, schema_hint) from None
    named = published(model, arguments, nothing=_NULLS)
    try:
        return model.model_validate(_mend_object(model, named), by_name=False)
    except ValidationError as error:
        issues = as_said(model, arguments, _issues(model, error))
        raise _invalid(issues, tool, schema_hint) from None


def _has_nulls(arguments: Mapping[str, object]) -> bool:
    """A loop, because three searches through the values take twice as long."""
    for value in arguments.values():
        if value is None or value == "null" or (type(value) is list and value in _NULLS):
            return True
    return False


@cache
def _has_models(model: type[BaseModel]) -> bool:
    """Whether a null may hide further down, where strict validation would take it for a text."""
    return any(_model_in(field.annotation) for field in model.model_fields.values())


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model that an annotation holds, by itself or in a list."""
    kind = plain_type(annotation)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    inner = get_args(kind) if get_origin(kind) in SEQUENCES else ()
    return _model_in(inner[0]) if inner else None


def _without_nulls(model: type[BaseModel], arguments: Mapping[str, object]) -> dict[str, object]:
    """Leave out what only says that it is left out, here and in the models within."""
    fields = _fields_by_alias(model)
    return {
        name: _nulls_dropped(fields[name].annotation, value) if name in fields else value
        for name, value in arguments.items()
        if name != _META and not (name in fields and _means_absent(value, fields[name]))
    }


def _nulls_dropped(annotation: Any, value: object) -> object:
    model = _model_in(annotation)
    if model is None:
        return value
    if isinstance(value, Mapping):
        return _without_nulls(model, value)
    if isinstance(value, list):
        return [_without_nulls(model, one) if isinstance(one, Mapping) else one for one in value]
    return value


def _means_absent(value: object, field: FieldInfo) -> bool:
    if field.is_required():
        return False
    if value is None:
        return not any(isinstance(mark, NullIsAValue) for mark in field.metadata)
    return value in _NULLS


def _fields_by_alias(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _mend_object(model: type[BaseModel], value: Mapping[str, object]) -> dict[str, object]:
    fields = _fields_by_alias(model)
    return {
        name: _mend(fields[name].annotation, item) if name in fields else item
        for name, item in _without_nulls(model, value).items()
    }


def _mend(annotation: Any, value: object) -> object:
    """Bring one value nearer to its annotation; what can't be mended is left for validation to refuse."""
    kind = plain_type(annotation)
    if choices_of(kind) and get_origin(kind) not in SEQUENCES:
        named = _switched_on(value)
        return chosen(kind, named[0] if isinstance(named, list) and len(named) == 1 else value)
    origin = get_origin(kind) or kind
    if not isinstance(origin, type):
        return value
    if issubclass(origin, BaseModel | Mapping):
        return _mend_mapping(origin, value)
    if origin in SEQUENCES:
        return _mend_list(get_args(kind), value)
    return value


def _mend_mapping(kind: type, value: object) -> object:
    parsed = _from_json_text(value, dict)
    if not issubclass(kind, BaseModel):
        return parsed
    if not isinstance(parsed, Mapping) and _is_of_switches(kind):
        names = _mend_list((str,), parsed)
        parsed = dict.fromkeys(names, True) if _are_texts(names) else parsed
    return _mend_object(kind, parsed) if isinstance(parsed, Mapping) else parsed


@cache
def _is_of_switches(kind: type[BaseModel]) -> bool:
    """Whether each of its fields is on or off, so that the names of those that are on say as much."""
    return all(field.default is False for field in kind.model_fields.values())


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _switched_on(value: object) -> object:
    """The names of what is on, for who sends switches where names are due."""
    if isinstance(value, Mapping) and all(isinstance(one, bool) for one in value.values()):
        return [name for name, is_on in value.items() if is_on]
    return value


def _mend_list(item_types: tuple[Any, ...], value: object) -> object:
    parsed = _from_json_text(value, list)
    if item_types and choices_of(item_types[0]):
        parsed = _switched_on(_from_json_text(parsed, dict))
    items = parsed if isinstance(parsed, list) else [parsed]
    return [_mend(item_types[0], item) for item in items] if item_types else items


def _from_json_text(value: object, wanted: type) -> object:
    if not isinstance(value, str):
        return value
    try:
        parsed = decode(value)
    except BadJson:
        return value
    return parsed if isinstance(parsed, wanted) else value


def _hopeless(error: ValidationError, tool: str, schema_hint: str) -> InvalidInput:
    """So many mistakes that mending and naming each would be an attack on our time."""
    return InvalidInput(
        f"The arguments of {tool} have {error.error_count()} mistakes.",
        issues={"arguments": "Nearly nothing here is what the tool takes."},
        hint=schema_hint.format(tool=tool),
    )


def _issues(model: type[BaseModel], error: ValidationError) -> dict[str, str]:
    known = _fields_by_alias(model)
    details = error.errors(include_url=False, include_context=False)
    issues = {_path(model, item): _explained(model, item, known) for item in details[:_MAX_ISSUES]}
    for name, shape in _shapes_due(model, known, details[:_MAX_ISSUES]).items():
        issues[name] = f"{issues[name]} Expected: {shape}"
    # Of what may be one thing or another, what is wrong with the one that was meant.
    return {
        path: text for path, text in issues.items() if not any(one.startswith(f"{path}.") for one in issues)
    }


def _invalid(issues: Mapping[str, str], tool: str, schema_hint: str) -> InvalidInput:
    return InvalidInput(
        f"The arguments of {tool} are not valid: {', '.join(issues)}.",
        issues=issues,
        hint=f"Correct the named fields. {schema_hint.format(tool=tool)}",
    )


def _fields_at(model: type[BaseModel], path: Sequence[int | str]) -> Mapping[str, FieldInfo]:
    """The fields of the model that a path leads to; none where it leads to anything else."""
    fields = _fields_by_alias(model)
    for part in path:
        if isinstance(part, str):
            within = _model_in(fields[part].annotation) if part in fields else None
            fields = _fields_by_alias(within) if within else {}
    return fields


def _unknown_field(name: str, known: Mapping[str, FieldInfo], elsewhere: Mapping[str, str]) -> str:
    if not known:
        return "Unknown field. Leave it out."
    if name in elsewhere:
        return f"Not here: use {elsewhere[name]}."
    if meant := closest_field(name, known):
        return f"Unknown field. Did you mean {meant}?"
    return f"Unknown field. There are: {', '.join(list(known)[:_MAX_ISSUES])}."


def _path(model: type[BaseModel], item: ErrorDetails) -> str:
    return ".".join(shown_path(model, item["loc"])) or "arguments"


def _explained(model: type[BaseModel], item: ErrorDetails, known: Mapping[str, FieldInfo]) -> str:
    choices = choices_of(annotation_at(model, item["loc"])) if item["type"] in _CHOICES else []
    if choices:
        return wrong_choice(choices, item["input"])
    if item["loc"] == ("before",) and "cursor" in known:
        return f"{item['msg']}. A nextCursor goes into cursor."
    return _message(item, model, known)


def _shapes_due(
    model: type[BaseModel], known: Mapping[str, FieldInfo], items: Sequence[ErrorDetails]
) -> dict[str, str]:
    """The right shape of each list or object that has another, at the first place where that was noticed."""
    due: dict[str, str] = {}
    seen = set()
    for item in items:
        top = str(item["loc"][0]) if item["loc"] else ""
        if top not in known or top in seen or not (item["type"].endswith("_type") or len(item["loc"]) > 1):
            continue
        seen.add(top)
        shape = shape_of(known[top].annotation)
        if shape.startswith(("{", "[{")):
            due[_path(model, item)] = shape
    return due


def _message(item: ErrorDetails, model: type[BaseModel], known: Mapping[str, FieldInfo]) -> str:
    if item["type"] == "missing":
        return "This field is required."
    if item["type"] == "model_type":
        return "This must be an object."
    if item["type"] == "extra_forbidden":
        *path, name = item["loc"]
        elsewhere = getattr(model, "elsewhere", {}) if not path else {}
        return _unknown_field(str(name), _fields_at(model, path), elsewhere)
    field = known.get(str(item["loc"][0])) if len(item["loc"]) == 1 else None
    if item["type"] == "string_pattern_mismatch" and field is not None and field.description:
        # What the field is for helps more than a regular expression.
        return f"Not of the expected form: {field.description}"
    return item["msg"].removeprefix("Value error, ")
