"""Followers: whoever writes an item writes the difference between what followed and what follows."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from forge.store.followers import Counted, Follower, Tally, follow
from forge.store.items import DerivedItem
from forge.store.keys import SharedKey
from forge.store.transactions import Origin, Transaction
from forge.testing.clock import NOON, FakeIds
from tests.unit.store.things import WORKSPACE, ThingRowItem, a_caller, things

_ROWS = st.builds(ThingRowItem, id=st.sampled_from("abc"), name=st.sampled_from(["one", "two"]))
_NUMBERS = st.one_of(
    st.builds(Tally, st.builds(SharedKey, st.just(things()), st.sampled_from("xy")), st.just("open")),
    st.builds(Counted, st.just("issues"), st.sampled_from(["S#1", "S#2"])),
)
_FOLLOWERS = st.lists(st.one_of(_ROWS, _NUMBERS), max_size=8)


def written(before: Sequence[Follower], after: Sequence[Follower]) -> list[dict[str, Any]]:
    tx = Transaction("things", Origin(a_caller(), "things.change", "req_1", NOON, FakeIds()))
    follow(tx, before, after)
    tx.close()
    return [write.request for write in tx.writes]


def stored(writes: list[dict[str, Any]]) -> dict[str, str]:
    """The rows that are put or brought up to date, by id."""
    put = [one["Put"]["Item"] for one in writes if "Put" in one]
    return {row["id"]["S"]: row["name"]["S"] for row in put}


def test_what_is_new_is_put_what_changed_is_updated_and_what_is_gone_is_removed() -> None:
    stays, goes = ThingRowItem(id="stays"), ThingRowItem(id="goes")
    before, after = [stays, goes], [stays.changed(name="other"), ThingRowItem(id="comes")]

    writes = written(before, after)

    assert sorted(operation for one in writes for operation in one) == ["Delete", "Put", "Update"]
    assert stored(writes) == {"comes": "a thing"}


@settings(max_examples=60)
@given(followers=_FOLLOWERS)
def test_what_stays_as_it_is_costs_nothing(followers: list[Follower]) -> None:
    assert written(followers, followers) == []


@settings(max_examples=60)
@given(before=_FOLLOWERS, after=_FOLLOWERS)
def test_numbers_move_by_the_difference(before: list[Follower], after: list[Follower]) -> None:
    writes = written(before, after)

    def numbers(followers: list[Follower]) -> Counter[str]:
        named = [one for one in followers if not isinstance(one, DerivedItem)]
        return Counter(one.key.sort if isinstance(one, Tally) else one.dimension for one in named)

    moved = {
        one["Update"]["Key"]["sk"]["S"].rpartition("#")[0] or one["Update"]["Key"]["sk"]["S"]: int(
            next(iter(one["Update"]["ExpressionAttributeValues"].values()))["N"]
        )
        for one in writes
        if "ADD" in one.get("Update", {}).get("UpdateExpression", "")
    }
    wanted, had = numbers(after), numbers(before)
    assert moved == {name: wanted[name] - had[name] for name in {*wanted, *had} if wanted[name] != had[name]}
    assert all(WORKSPACE in str(one) for one in writes)
