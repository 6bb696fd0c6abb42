"""Cursors: opaque, unsigned, and therefore believed in nothing."""

from base64 import urlsafe_b64encode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.errors import ErrorCode, InvalidInput
from forge.jsontext import encode
from forge.store.cursors import Position, decode_cursor, encode_cursor


def anything(position: Position) -> bool:
    return True


def encoded(content: object) -> str:
    return urlsafe_b64encode(encode(content).encode()).decode()


@settings(deadline=None)
@given(position=st.dictionaries(st.text(max_size=9), st.text(max_size=40), max_size=4))
def test_a_position_survives_the_way_out_and_back(position: Position) -> None:
    assert decode_cursor(encode_cursor(position), anything) == position


@settings(deadline=None)
@given(position=st.dictionaries(st.text(max_size=9), st.text(max_size=40), max_size=4))
def test_a_cursor_can_stand_in_a_url_as_it_is(position: Position) -> None:
    assert set(encode_cursor(position)) <= set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    )


@settings(deadline=None)
@given(garbage=st.text(max_size=60))
def test_garbage_is_either_a_position_or_invalid_input(garbage: str) -> None:
    try:
        position = decode_cursor(garbage, anything)
    except InvalidInput:
        return
    assert all(isinstance(value, str) for value in position.values())


@pytest.mark.parametrize(
    "cursor",
    [
        "not base64 at all!",
        "ünïcode",
        "A",
        encoded("a text"),
        encoded(["pk", "sk"]),
        encoded({"pk": 1}),
        encoded({"pk": {"S": "WS#ws_1#X"}}),
        encoded({"pk": None}),
        urlsafe_b64encode(b"\xff\xfe").decode(),
        urlsafe_b64encode(b'{"pk": "a"').decode(),
        urlsafe_b64encode(b'{"pk": "\\ud800"}').decode(),
        urlsafe_b64encode(b"[" * 500).decode(),
    ],
)
def test_what_no_list_gave_out_is_invalid_input(cursor: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        decode_cursor(cursor, anything)
    assert caught.value.code is ErrorCode.INVALID_INPUT


def test_a_position_that_the_list_does_not_know_is_invalid_input() -> None:
    cursor = encode_cursor({"pk": "WS#ws_2#LABELS", "sk": "1"})

    with pytest.raises(InvalidInput):
        decode_cursor(cursor, lambda position: position["pk"].startswith("WS#ws_1#"))
