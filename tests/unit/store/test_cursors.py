"""Cursors: opaque, unsigned, and therefore believed in nothing."""

from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import ErrorCode, InvalidInput
from forge.store.cursors import Cursors

BY_AGE = Cursors("ws_1", "things", "by age")


@given(place=st.text(min_size=1, max_size=80))
def test_a_place_survives_the_way_out_and_back(place: str) -> None:
    assert BY_AGE.place_in(BY_AGE.after(place)) == place


@given(place=st.text(min_size=1, max_size=80))
def test_a_cursor_can_stand_in_a_url_as_it_is(place: str) -> None:
    assert set(BY_AGE.after(place)) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@pytest.mark.parametrize(
    "other",
    [
        Cursors("ws_2", "things", "by age"),
        Cursors("ws_1", "people", "by age"),
        Cursors("ws_1", "things", "by name"),
        Cursors("ws_1", "things"),
        Cursors("ws_1", "thingsby", " age"),
        Cursors(),
    ],
)
def test_a_cursor_of_another_workspace_list_or_order_is_refused(other: Cursors) -> None:
    with pytest.raises(InvalidInput):
        BY_AGE.place_in(other.after("0001"))


@given(garbage=st.text(max_size=60))
def test_garbage_is_invalid_input(garbage: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        BY_AGE.place_in(garbage)
    assert caught.value.code is ErrorCode.INVALID_INPUT
    assert set(caught.value.issues or ()) == {"cursor"}


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "not base64 at all!",
        "ünïcode",
        "\ud800",
        "A",
        BY_AGE.after(""),
        BY_AGE.after("0001")[1:],
        BY_AGE.after("0001")[:9],
        urlsafe_b64encode(b"\xff\xfe").decode(),
        urlsafe_b64encode(b"[" * 500).decode(),
    ],
)
def test_what_no_list_gave_out_is_invalid_input(cursor: str) -> None:
    with pytest.raises(InvalidInput):
        BY_AGE.place_in(cursor)
