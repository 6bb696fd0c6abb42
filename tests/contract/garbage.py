"""Arguments that nobody should send and somebody will."""

from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

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


_TEXT = st.text(max_size=60)
_NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
_ANYTHING = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXT | st.sampled_from(NASTY),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=8,
)


def garbled(valid: dict[str, Any], fields: list[str]) -> SearchStrategy[dict[str, Any]]:
    """A valid call with some fields replaced, left out, or made up."""
    names = st.sampled_from(fields) if fields else _TEXT
    wrong = st.dictionaries(names | _TEXT, _ANYTHING, min_size=1, max_size=4)
    left_out = st.sets(names, max_size=2)
    return st.builds(
        lambda wrong, left_out: {
            name: value for name, value in (valid | wrong).items() if name not in left_out or name in wrong
        },
        wrong,
        left_out,
    )


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
