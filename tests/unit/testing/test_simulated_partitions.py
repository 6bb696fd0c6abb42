"""A hot partition: what it takes for long, what it takes for a while, and when a split helps."""

import pytest

from forge.testing.simulation.partitions import HotKey, Order, Physical, steady

THOUSAND = Physical(units=1_000)


def pressed(order: Order, *, units: float, seconds: int, kept_seconds: float = 0) -> HotKey:
    key = HotKey(THOUSAND, order, kept_seconds=kept_seconds)
    for _ in range(seconds):
        key.ask(units)
    return key


def test_what_it_has_each_second_it_gives_for_ever() -> None:
    assert pressed(Order.GROWS, units=1_000, seconds=5_000).outcome.refused == 0


def test_what_is_more_is_refused() -> None:
    assert pressed(Order.GROWS, units=1_500, seconds=100).outcome.refused == 500 * 100


def test_what_nobody_wanted_is_kept_for_five_minutes_and_no_longer() -> None:
    key = pressed(Order.GROWS, units=0, seconds=10_000)

    given = [key.ask(11_000) for _ in range(40)]

    # The burst holds for as long as the bucket has more than comes in.
    assert given[:29] == [11_000] * 29
    assert given[-1] == 1_000


def test_a_split_helps_where_keys_lie_all_over() -> None:
    key = pressed(Order.SPREADS, units=1_800, seconds=700)

    assert key.outcome.parts == 2
    assert key.ask(1_800) == 1_800


@pytest.mark.parametrize("order", [Order.ITEM, Order.GROWS])
def test_no_split_helps_one_item_or_what_grows_at_its_end(order: Order) -> None:
    key = pressed(order, units=1_800, seconds=5_000)

    assert key.ask(1_800) == 1_000


def test_calls_by_chance_are_refused_from_the_limit_on() -> None:
    below = steady(2, 480, physical=THOUSAND, order=Order.GROWS)
    above = steady(2, 520, physical=THOUSAND, order=Order.GROWS)

    assert below.share_refused < 0.001 < above.share_refused


def test_chance_is_the_same_for_the_same_seed() -> None:
    first, again, other = (
        steady(2, 500, physical=THOUSAND, order=Order.GROWS, seed=seed) for seed in (1, 1, 2)
    )

    assert first == again != other
