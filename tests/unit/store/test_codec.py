"""Python values as DynamoDB keeps them, and back."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.store.codec import decode_item, decode_value, encode_item, encode_value
from forge.store.items import Item
from forge.store.keys import At
from forge.store.store import Store
from tests.unit.store.things import ThingItem, find_thing, put


class Size(StrEnum):
    SMALL = "SMALL"


class Grade(Enum):
    FIRST = 1


class NoteItem(Item):
    """An item with room for anything."""

    stored = At("WS#{workspace_id}#NOTES", "one")

    workspace_id: str = "ws_1"
    content: dict[str, Any]


# DynamoDB keeps 38 digits, and magnitudes from 1E-130 on.
_scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**37), 10**37)
    | st.floats(min_value=1e-100, max_value=1e100)
    | st.floats(min_value=-1e100, max_value=-1e-100)
    | st.text()
)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1, max_size=9), inner, max_size=4)
    ),
)


@given(value=_values)
def test_whatever_json_can_say_comes_back_as_it_was(value: object) -> None:
    assert decode_value(encode_value(value)) == value


@given(value=st.booleans() | st.integers(-(10**37), 10**37) | st.text())
def test_texts_truths_and_whole_numbers_keep_their_type(value: object) -> None:
    assert type(decode_value(encode_value(value))) is type(value)


@given(members=st.sets(st.text(), min_size=1))
def test_sets_of_texts_come_back_as_sets(members: set[str]) -> None:
    assert decode_value(encode_value(members)) == members


@given(items=st.dictionaries(st.text(min_size=1, max_size=9), _scalars, max_size=6))
def test_only_what_is_none_is_missing_from_an_item(items: dict[str, object]) -> None:
    stored = decode_item(encode_item(items))

    assert stored == {name: value for name, value in items.items() if value is not None}


def test_an_empty_set_is_left_out_because_it_can_not_be_stored() -> None:
    assert encode_item({"tags": set(), "more": frozenset(), "name": "x"}) == {"name": {"S": "x"}}


def test_empty_texts_lists_and_maps_are_kept() -> None:
    values: dict[str, object] = {"text": "", "list": [], "map": {}, "zero": 0, "no": False}

    assert decode_item(encode_item(values)) == values


def test_none_inside_a_list_or_a_map_keeps_its_place() -> None:
    assert decode_value(encode_value([None, {"a": None}])) == [None, {"a": None}]


def test_true_is_not_one() -> None:
    assert encode_value(True) == {"BOOL": True}
    assert encode_value(1) == {"N": "1"}


def test_an_enum_is_stored_as_its_value() -> None:
    assert encode_value(Size.SMALL) == {"S": "SMALL"}
    assert encode_value(Grade.FIRST) == {"N": "1"}
    assert encode_value({Size.SMALL}) == {"SS": ["SMALL"]}


def test_decimals_are_numbers() -> None:
    assert decode_value(encode_value(Decimal("12.50"))) == 12.5


def test_a_date_is_a_text_to_the_millisecond_in_utc() -> None:
    lisbon_summer = timezone(timedelta(hours=1))
    moment = datetime(2026, 7, 28, 13, 0, 0, 123_999, tzinfo=lisbon_summer)

    assert encode_value(moment) == {"S": "2026-07-28T12:00:00.123Z"}


def test_a_date_that_an_item_stores_comes_back_to_the_millisecond() -> None:
    thing = ThingItem(id="one", seen_at=datetime(2026, 7, 28, 12, 0, 0, 123_456, tzinfo=UTC))

    stored = ThingItem.from_attributes(thing.attributes())

    assert stored.seen_at == datetime(2026, 7, 28, 12, 0, 0, 123_000, tzinfo=UTC)


def test_equal_sets_are_stored_alike() -> None:
    assert encode_value({"b", "a", "c"}) == encode_value({"c", "b", "a"}) == {"SS": ["a", "b", "c"]}


@pytest.mark.parametrize("value", [object(), b"bytes", 1j, timedelta(1)])
def test_what_has_no_place_in_the_table_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        encode_value(value)


def test_the_table_keeps_every_kind_of_value(store: Store) -> None:
    content = {
        "whole": -(10**30),
        "fraction": 0.1,
        "tiny": 1.5e-20,
        "text": "naïve ☃ 🎉 \x00 \u2028",
        "empty": "",
        "yes": True,
        "nothing": None,
        "list": [1, "two", [3.5], {"four": [None]}],
        "map": {"a b": {"#": "$"}},
    }

    put(store, NoteItem(content=content))

    stored = store.table.find(NoteItem, NoteItem.at("ws_1"))
    assert stored is not None
    assert stored.content == content


def test_the_table_keeps_a_whole_item(store: Store) -> None:
    thing = ThingItem(
        id="one",
        count=-3,
        weight=2.5e30,
        tags={"b", "a"},
        seen_at=datetime(2026, 1, 2, 3, 4, 5, 6000, tzinfo=UTC),
    )

    put(store, thing)

    assert find_thing(store, "one") == thing
