"""Arguments that nobody should send and somebody will."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

NASTY: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**63,
    10**38 + 1,
    10**200,
    1e-300,
    1e300,
    "",
    " ",
    "null",
    "\x00\x1f\x7f\u2028\u202e#/../%00{}[]👩‍👩‍👧‍👦",
    "ß" * 40,
    "ΐ" * 300,
    "#" * 2_100,
    "😀" * 20_000,
    "x" * 500_000,
    '{"a": "\\ud800"}',
    "[[[[]]]]",
    "0001-01-01T00:00:00+14:00",
    "0300-01-01T00:00:00Z",
    "9999-12-31T23:59:59-14:00",
    "1e400",
    [],
    [""],
    [None],
    ["x" * 3_000],
    ["x" * 500_000],
    [str(number) for number in range(60)],
    [[[[[[]]]]]],
    {},
    {"": ""},
    {"a" * 5_000: {"b": [None, {"c": 1e300}]}},
)
"""Each is given to every field of every tool."""


def with_nasty_parts(schema: Mapping[str, Any]) -> Iterator[Any]:
    """What looks like the schema but for one of its inner fields, which is nasty."""
    if schema.get("type") == "array":
        yield from ([one] for one in _nasty_or_with_nasty_parts(schema.get("items", {})))
    for name, inner in schema.get("properties", {}).items():
        yield from ({name: one} for one in _nasty_or_with_nasty_parts(inner))


def _nasty_or_with_nasty_parts(schema: Mapping[str, Any]) -> Iterator[Any]:
    yield from NASTY
    yield from with_nasty_parts(schema)


def garbled(valid: dict[str, Any], fields: list[str], chance: Random) -> dict[str, Any]:
    """A valid call with some fields replaced, left out, or made up."""
    names = [*fields, _text(chance)]
    wrong = {chance.choice(names): _anything(chance) for _ in range(chance.randint(1, 4))}
    left_out = chance.sample(names, min(len(names), chance.randint(0, 2)))
    return {name: value for name, value in valid.items() if name not in left_out} | wrong


def _anything(chance: Random, deepest: int = 3) -> Any:
    match chance.randrange(8 if deepest else 6):
        case 0:
            return chance.choice((None, True, False))
        case 1:
            return chance.randint(-(2**70), 2**70)
        case 2:
            return chance.uniform(-1, 1) * 10.0 ** chance.randint(-300, 300)
        case 3:
            return _text(chance)
        case 4 | 5:
            return chance.choice(NASTY)
        case 6:
            return [_anything(chance, deepest - 1) for _ in range(chance.randint(0, 4))]
        case _:
            return {_text(chance): _anything(chance, deepest - 1) for _ in range(chance.randint(0, 4))}


def _text(chance: Random) -> str:
    """As many letters that everybody types as others; none that are half a letter."""
    ranges = ((0, 0x7F), (0, 0xD7FF), (0xE000, 0x10FFFF))
    return "".join(chr(chance.randint(*chance.choice(ranges))) for _ in range(chance.randint(0, 60)))


def with_text(
    schema: Mapping[str, Any], valid: Mapping[str, Any], text: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """A call for each text in the schema, however deep: valid but for that one, which is `text`; its path.

    By itself, too, and beside all but one of the others: of two that exclude each other, either is tried.
    """
    for name, inner in schema.get("properties", {}).items():
        for path, value in _with_text(inner, valid.get(name), text):
            others = {one: given for one, given in valid.items() if one != name}
            calls = [others, {}, *({**others} | {left_out: None} for left_out in others)]
            for call in calls:
                beside = {one: given for one, given in call.items() if given is not None}
                yield f"{name}{path}", beside | {name: value}


def _with_text(schema: Mapping[str, Any], valid: Any, text: str) -> Iterator[tuple[str, Any]]:
    if schema.get("type") == "string":
        yield "", text
    elif schema.get("type") == "array":
        first = valid[0] if isinstance(valid, list) and valid else None
        for path, value in _with_text(schema.get("items", {}), first, text):
            yield f".0{path}", [value]
    else:
        like = valid if isinstance(valid, dict) else _like(schema)
        for name, inner in schema.get("properties", {}).items():
            for path, value in _with_text(inner, like.get(name), text):
                yield f".{name}{path}", {**like, name: value}


def _like(schema: Mapping[str, Any]) -> Any:
    """The least that looks like the schema."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        inner = schema.get("properties", {})
        return {name: _like(inner[name]) for name in schema.get("required", ())}
    return {"array": [], "integer": 1, "number": 1, "boolean": True}.get(schema.get("type", ""), "x")
