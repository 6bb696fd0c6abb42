"""Limits of keys and ceilings of workspaces: never exceeded, and next to no request more."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from forge.auth.keys import hash_of
from forge.context import Door
from forge.errors import RateLimited
from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from tests.unit.work.workspace.people.test_authentication import (
    THREADS,
    a_ceiling,
    a_key_hash,
    is_admitted,
)


def calls_admitted(store: Store, world: World, key_hash: str, tries: int, door: Door = Door.RPC) -> int:
    admitted = 0
    for _ in range(tries):
        try:
            admitted += is_admitted(store, world, key_hash, door)
        except RateLimited:
            continue
    return admitted


@pytest.mark.parametrize("limit", [1, 5, 299, 700])
def test_a_key_with_a_limit_of_its_own_passes_so_often_and_in_one_write(
    store: Store, stored_world: World, limit: int
) -> None:
    key_hash = a_key_hash(stored_world)
    a_ceiling(store, key_hash, None, rate_per_minute=limit)
    counter = Counter()

    admitted = calls_admitted(watched(store, counter), stored_world, key_hash, limit, Door.REST)

    # Two for the first of the minute.
    assert (admitted, len(counter.sent)) == (limit, limit + 1)
    with pytest.raises(RateLimited) as refused:
        is_admitted(store, stored_world, key_hash, Door.REST)
    assert refused.value.retry_after_seconds
    stored_world.clock.advance(minutes=1)
    assert is_admitted(store, stored_world, key_hash, Door.REST)


def test_a_limit_that_is_given_in_the_middle_of_a_minute_counts_from_the_next(
    store: Store, stored_world: World
) -> None:
    key_hash = a_key_hash(stored_world)
    assert calls_admitted(store, stored_world, key_hash, 5) == 5
    a_ceiling(store, key_hash, None, rate_per_minute=2)

    assert calls_admitted(store, stored_world, key_hash, 5) == 5
    stored_world.clock.advance(minutes=1)
    assert calls_admitted(store, stored_world, key_hash, 5) == 2


def test_all_keys_of_a_workspace_share_its_ceiling_and_no_other_workspace_meets_it(
    store: Store, stored_world: World
) -> None:
    keys = [a_key_hash(stored_world) for _ in range(3)]
    other = hash_of(stored_world.owner_key(stored_world.add_workspace("other")))
    for key_hash in keys:
        a_ceiling(store, key_hash, 10)

    each = [calls_admitted(store, stored_world, key_hash, 8) for key_hash in keys]

    assert each == [8, 2, 0]
    assert calls_admitted(store, stored_world, other, 20) == 20
    stored_world.clock.advance(minutes=1)
    assert calls_admitted(store, stored_world, keys[2], 20) == 10


def test_a_key_under_a_ceiling_asks_for_it_ever_less_often(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world)
    a_ceiling(store, key_hash, 10_000)
    counter = Counter()

    assert calls_admitted(watched(store, counter), stored_world, key_hash, 600) == 600

    # One for each call, and two or three more whenever a portion is used up: 10, 20, 40, ... 320.
    assert len(counter.sent) <= 600 + 25


def test_a_key_s_own_limit_holds_under_a_ceiling_also_where_that_comes_and_goes(
    store: Store, stored_world: World
) -> None:
    key_hash = a_key_hash(stored_world)
    a_ceiling(store, key_hash, 100, rate_per_minute=6)
    assert calls_admitted(store, stored_world, key_hash, 20) == 6
    a_ceiling(store, key_hash, None)
    stored_world.clock.advance(minutes=1)
    assert calls_admitted(store, stored_world, key_hash, 3) == 3
    a_ceiling(store, key_hash, 100)

    assert calls_admitted(store, stored_world, key_hash, 20) == 3


def test_who_races_for_a_ceiling_never_gets_more_than_it_and_more_than_half_is_used(
    store: Store, stored_world: World
) -> None:
    keys = [a_key_hash(stored_world) for _ in range(THREADS)]
    for key_hash in keys:
        a_ceiling(store, key_hash, 60)
    start = Barrier(THREADS)

    def call_on(key_hash: str) -> int:
        start.wait()
        return calls_admitted(store, stored_world, key_hash, 8)

    with ThreadPoolExecutor(THREADS) as pool:
        admitted = sum(pool.map(call_on, keys))

    # Whoever is refused before the others have used theirs leaves a little: never half of it.
    assert 30 < admitted <= 60


def test_sixteen_with_one_key_under_a_ceiling_get_no_more_than_it(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world)
    a_ceiling(store, key_hash, 40)
    start = Barrier(THREADS)

    def call_on(_: int) -> int:
        start.wait()
        return calls_admitted(store, stored_world, key_hash, 6)

    with ThreadPoolExecutor(THREADS) as pool:
        admitted = sum(pool.map(call_on, range(THREADS)))

    assert 20 < admitted <= 40
    # Whoever calls on gets what the others left.
    assert admitted + calls_admitted(store, stored_world, key_hash, 40) == 40
