"""JSON is read strictly: what comes in can always go out again, and nothing else comes in."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.jsontext import MAX_DEPTH, BadJson, decode, encode, quote

JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**400), 10**400)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def arrays(depth: int, innermost: str = "") -> str:
    return "[" * depth + innermost + "]" * depth


def objects(depth: int) -> str:
    return '{"a":' * (depth - 1) + "{}" + "}" * (depth - 1)


def narrow_objects(depth: int) -> str:
    """As short as objects within one another can be."""
    return '{"":' * (depth - 1) + "{}" + "}" * (depth - 1)


@given(JSON_VALUES)
@settings(deadline=None, derandomize=True)
def test_what_is_written_is_read_back_the_same(value: Any) -> None:
    assert decode(encode(value)) == value
    assert decode(encode(value).encode()) == value


@given(JSON_VALUES)
@settings(deadline=None, derandomize=True)
def test_what_others_write_is_read_the_same(value: Any) -> None:
    assert decode(json.dumps(value, indent=1)) == value


@given(st.text(alphabet='[]{}",:\\ud8eE+-.0123456789NaIinftrul \t\n', max_size=40))
@settings(deadline=None, derandomize=True, max_examples=500)
def test_no_text_is_read_into_something_that_can_not_be_written(text: str) -> None:
    try:
        value = decode(text)
    except BadJson:
        return

    assert decode(encode(value).encode()) == value


@given(st.binary(max_size=40))
@settings(deadline=None, derandomize=True)
def test_no_bytes_bring_the_reader_down(data: bytes) -> None:
    try:
        decode(data)
    except BadJson:
        return


@given(st.text())
@settings(deadline=None, derandomize=True)
def test_a_quoted_text_is_an_encoded_one(text: str) -> None:
    assert quote(text) == encode(text)


@pytest.mark.parametrize("space", [" ", "\n", "\t", "\r\n "])
def test_white_space_around_a_value_does_not_count(space: str) -> None:
    assert decode(f'{space}{{"a": 1}}{space}') == {"a": 1}


def test_text_is_written_compactly_and_as_it_is() -> None:
    assert encode({"a": [1, None, True], "é": "名\n"}) == '{"a":[1,null,true],"é":"名\\n"}'


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "Infinity",
        "-Infinity",
        '{"a": NaN}',
        "[-Infinity]",
        "1e999",
        "-1e999",
        '{"a": [1E400]}',
        "9" * 5000,
        "-" + "9" * 5000,
        "[" + "9" * 1_000_000 + "]",
    ],
)
def test_a_number_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadJson) as caught:
        decode(text)

    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e-999", 0.0), ("1e308", 1e308), ("9" * 400, int("9" * 400)), ("-0", 0), ("1.0", 1.0)],
)
def test_a_number_at_the_edge_is_read(text: str, value: float) -> None:
    assert decode(text) == value


@pytest.mark.parametrize("nested", [arrays, objects, narrow_objects])
def test_nesting_at_the_limit_is_read(nested: Callable[[int], str]) -> None:
    assert decode(nested(MAX_DEPTH))


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, MAX_DEPTH + 2, 500, 100_000])
@pytest.mark.parametrize("nested", [arrays, objects, narrow_objects])
def test_nesting_over_the_limit_is_refused(nested: Callable[[int], str], depth: int) -> None:
    with pytest.raises(BadJson):
        decode(nested(depth))


def test_deep_text_that_never_ends_is_refused() -> None:
    with pytest.raises(BadJson):
        decode("[" * 1_000_000)


@pytest.mark.parametrize("text", [f"[{'[],' * 1000}[]]", json.dumps({"a": "[{" * 1000})])
def test_many_brackets_that_are_not_deep_are_read(text: str) -> None:
    assert decode(text)


def test_a_deep_branch_is_found_among_shallow_ones() -> None:
    with pytest.raises(BadJson):
        decode(f'{{"a": [1, 2], "b": {arrays(MAX_DEPTH)}, "c": {{}}}}')


@pytest.mark.parametrize(
    "text",
    [
        r'"\ud800"',
        r'"\uDC00"',
        r'"\ud83dx"',
        r'"\ude00\ud83d"',
        r'{"\ud800": 1}',
        r'[{"a": ["ok", "\uD800"]}]',
    ],
)
def test_half_of_a_surrogate_pair_is_refused(text: str) -> None:
    with pytest.raises(BadJson):
        decode(text)


@pytest.mark.parametrize(
    ("text", "value"), [(r'"\ud83d\ude00"', "😀"), (r'"\uD83D\uDE00"', "😀"), (r'"\\ud800"', r"\ud800")]
)
def test_a_whole_pair_and_mere_backslashes_are_read(text: str, value: str) -> None:
    assert decode(text) == value


@pytest.mark.parametrize(
    "data",
    [
        b"\xff",
        b'"\xed\xa0\x80"',
        b'"\xc0\xaf"',
        b'"caf\xe9"',
        '{"a": 1}'.encode("utf-16"),
        b"\xef\xbb\xbf{}",
        "\ufeff{}",
    ],
)
def test_anything_but_plain_utf_8_is_refused(data: str | bytes) -> None:
    with pytest.raises(BadJson):
        decode(data)


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", "}", "[1,]", '{"a":1,}', "{'a': 1}", "01", "1.", ".5", "+1", "tru", '"\x01"', '"a', "1 2"],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(BadJson):
        decode(text)


def test_a_complaint_does_not_repeat_the_body() -> None:
    with pytest.raises(BadJson) as caught:
        decode('{"password": "hunter2" "a": 1}')

    assert "hunter2" not in str(caught.value)
