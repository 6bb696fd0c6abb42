"""The portable JSON schema: the subset that every provider and client accepts.

The full pydantic model validates; what is published says no more than type, description, properties,
required, items and enum. Bounds, formats and defaults move into the description.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from forge.contract.models import RARE_KEYWORD

KEYWORDS = frozenset({"type", "description", "properties", "required", "items", "enum"})
MAX_DEPTH = 4
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
# Ids, cursors and names of fields are copied, not written: nobody needs to know how long one may be.
_COPIED = re.compile(r"\.(id|\w*Ids?|cursor|fields)(\[\])?$")
# So long a text or list is nobody's by accident; whoever sends a longer one is told.
_BEYOND_REACH = {"": 100_000, " chars": 200, " items": 1000}
# Not "type": the contracts have arguments of that name.
RESERVED_NAMES = frozenset({"properties", "items", "required", "enum"})

Node = dict[str, Any]


class NotPortable(TypeError):
    """The model uses something that some client would reject; said when the catalog is compiled."""


def portable_schema(model: type[BaseModel]) -> Node:
    full = model.model_json_schema(by_alias=True, mode="validation")
    root = _portable(full, full.get("$defs", {}), path=model.__name__, depth=0)
    # A model's own docstring is for its reader; the tool's description is published instead.
    root.pop("description", None)
    return root


def rare_paths(model: type[BaseModel]) -> list[str]:
    """Where the fields stand that agents seldom need: `order`, or `checks.kind` for one of a list's items."""
    full = model.model_json_schema(by_alias=True, mode="validation")
    return sorted(_rare(full, full.get("$defs", {}), path=model.__name__))


def _rare(node: Mapping[str, Any], definitions: Mapping[str, Node], *, path: str) -> Iterator[str]:
    node = _resolved(node, definitions, path)
    rare = node.get(RARE_KEYWORD, ())
    yield from rare
    for name, child in node.get("properties", {}).items():
        if name not in rare:
            yield from (f"{name}.{inner}" for inner in _rare(child, definitions, path=f"{path}.{name}"))
    if "items" in node:
        yield from _rare(node["items"], definitions, path=f"{path}[]")


def _portable(node: Mapping[str, Any], definitions: Mapping[str, Node], *, path: str, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise NotPortable(f"{path}: nested deeper than {MAX_DEPTH} levels, or recursive")
    node = _resolved(node, definitions, path)
    kind = node.get("type")
    if not isinstance(kind, str) or kind == "null":
        raise NotPortable(f"{path}: has no single type; annotate it with WithJsonSchema")
    out: Node = {"type": kind}
    if description := _description(node, has_bounds=not _COPIED.search(path)):
        out["description"] = description
    if kind == "object":
        out |= _object(node, definitions, path=path, depth=depth)
    if kind == "array":
        if not isinstance(node.get("items"), Mapping):
            raise NotPortable(f"{path}: an array needs typed items")
        out["items"] = _portable(node["items"], definitions, path=f"{path}[]", depth=depth + 1)
    if values := _enum(node, path):
        out["enum"] = values
    return out


def _object(node: Mapping[str, Any], definitions: Mapping[str, Node], *, path: str, depth: int) -> Node:
    if depth and not node.get("properties"):
        # Anything may be in it; three adapters close an object whose properties are none.
        return {}
    properties = {}
    for name, child in node.get("properties", {}).items():
        if name in RESERVED_NAMES or not _NAME.fullmatch(name):
            raise NotPortable(f"{path}.{name}: some providers refuse a parameter of this name")
        properties[name] = _portable(child, definitions, path=f"{path}.{name}", depth=depth + 1)
    out: Node = {"properties": properties}
    if required := node.get("required"):
        out["required"] = list(required)
    return out


def _resolved(node: Mapping[str, Any], definitions: Mapping[str, Node], path: str) -> Node:
    """Follow references and drop the null branch; the node's own words win over its target's."""
    own = {key: value for key, value in node.items() if key not in {"$ref", "anyOf", "allOf"}}
    if "$ref" in node:
        target = definitions[str(node["$ref"]).rsplit("/", 1)[-1]]
        target = {key: value for key, value in target.items() if key != "description"}
        return _resolved(target, definitions, path) | own
    branches = [branch for branch in node.get("anyOf", []) if branch.get("type") != "null"]
    if len(branches) == 1:
        return _resolved(branches[0], definitions, path) | own
    if branches or "oneOf" in node or "allOf" in node:
        raise NotPortable(f"{path}: unions can't be published; annotate it with WithJsonSchema")
    return dict(own)


def _enum(node: Mapping[str, Any], path: str) -> list[str] | None:
    values = node.get("enum", [node["const"]] if "const" in node else None)
    if values is None:
        return None
    if not all(isinstance(value, str) for value in values):
        raise NotPortable(f"{path}: enums must be strings")
    return list(values)


def _description(node: Mapping[str, Any], *, has_bounds: bool) -> str:
    facts = [*_format(node), *(_bounds(node) if has_bounds else ()), *_default(node)]
    text = str(node.get("description", "")).strip()
    if not facts:
        return text
    return f"{text} ({', '.join(facts)})".strip()


def _format(node: Mapping[str, Any]) -> list[str]:
    words = {"date-time": "ISO-8601 time", "date": "ISO-8601 date", "uri": "URL", "email": "e-mail"}
    return [words.get(node["format"], node["format"])] if "format" in node else []


def _bounds(node: Mapping[str, Any]) -> list[str]:
    facts = []
    for low, high, unit in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " chars"),
        ("minItems", "maxItems", " items"),
    ):
        # At least one character or item goes without saying for a required value.
        least = node.get(low) if node.get(low) not in (None, 1) or unit == "" else None
        most = node.get(high)
        if most is not None and most >= _BEYOND_REACH[unit]:
            most = None
        if least is not None and most is not None:
            facts.append(f"{least}-{most}{unit}")
        elif most is not None:
            facts.append(f"max {most}{unit}")
        # Nor need anybody be told not to count below nothing.
        elif least:
            facts.append(f"min {least}{unit}")
    facts += [f"> {node['exclusiveMinimum']}"] if "exclusiveMinimum" in node else []
    facts += [f"< {node['exclusiveMaximum']}"] if "exclusiveMaximum" in node else []
    return facts


def _default(node: Mapping[str, Any]) -> list[str]:
    default = node.get("default")
    # What is left out of a yes or no goes without saying.
    if default is None or default is False or default in ([], {}, ""):
        return []
    shown = default if isinstance(default, str) else json.dumps(default, ensure_ascii=False)
    return [f"default {shown}"]
