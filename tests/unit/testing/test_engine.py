"""The engine in this process does what the emulator's does, only sooner."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ministack.services import dynamodb

from forge.store.ranges import SortRange
from forge.testing import engine, expressions

VALUES: st.SearchStrategy[dict[str, Any]] = st.recursive(
    st.builds(lambda text: {"S": text}, st.text(max_size=20))
    | st.builds(lambda number: {"N": str(number)}, st.integers() | st.decimals(-(10**9), 10**9, places=3))
    | st.builds(lambda flag: {"BOOL": flag}, st.booleans())
    | st.builds(lambda members: {"SS": members}, st.lists(st.text(min_size=1), min_size=1, max_size=3))
    | st.just({"NULL": True}),
    lambda inner: (
        st.builds(lambda items: {"L": items}, st.lists(inner, max_size=3))
        | st.builds(lambda items: {"M": items}, st.dictionaries(st.text(min_size=1), inner, max_size=3))
    ),
    max_leaves=10,
)


@given(VALUES)
def test_a_value_has_the_size_that_the_emulator_gives_it(value: dict[str, Any]) -> None:
    engine.lighten()
    measured = engine.value_bytes(value)

    dynamodb._attribute_value_size = engine._measured
    try:
        assert measured == engine._measured(value)
    finally:
        dynamodb._attribute_value_size = engine.value_bytes


@given(VALUES)
def test_a_copy_is_equal_and_shares_nothing_that_can_be_changed(value: dict[str, Any]) -> None:
    copy = engine.copied({"a": value, "b": value})

    assert copy == {"a": value, "b": value}
    copy["a"].clear()
    assert value


@pytest.mark.parametrize("odd", [defaultdict(dict, {"a": {"S": "x"}}), {"when": object}])
def test_what_is_not_plain_is_copied_all_the_same(odd: Any) -> None:
    assert engine.copied(odd) == odd
    assert type(engine.copied(odd)) is type(odd)


_SORTS = st.text("ab\uffff😀", max_size=3)


@given(st.builds(SortRange, prefix=_SORTS, first=_SORTS, last=_SORTS), _SORTS, st.sampled_from("pq"))
def test_a_row_is_in_a_range_of_keys_exactly_if_the_emulator_says_so(
    asked: SortRange, sort: str, partition: str
) -> None:
    condition, values = asked.condition()
    asking = (
        f"#partition = :partition{condition}",
        {"pk": {"S": partition}, "sk": {"S": sort}},
        {":partition": {"S": "p"}, **values},
        {"#partition": "pk", "#sort": "sk"},
        "KeyConditionExpression",
    )

    assert outcome(expressions.holds, asking) == outcome(expressions._evaluate, asking)


def outcome(evaluate: Callable[..., bool], asking: tuple[object, ...]) -> bool | None:
    try:
        return evaluate(*asking)
    except ValueError:
        return None
