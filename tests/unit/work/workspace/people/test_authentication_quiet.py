"""Keys that call seldom begin their minutes with one write, and nothing is admitted from memory."""

import pytest

from forge.auth import rates
from forge.context import Door
from forge.errors import RateLimited
from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.work.workspace.people.authentication import AUTHENTICATION, TableKeys
from tests.unit.store.things import begin
from tests.unit.work.workspace.people.test_authentication import a_key_hash, stored_key, touch
from tests.workshop.interference import Tally


@pytest.mark.parametrize(("calls", "writes"), [(1, 1), (rates.QUIET, 1), (rates.QUIET + 1, 2)])
def test_who_calls_seldom_begins_a_minute_with_one_write(
    store: Store, stored_world: World, calls: int, writes: int
) -> None:
    key_hash, tally = a_key_hash(stored_world), Tally()
    process = TableKeys(watched(store, tally).table)
    for _ in range(calls):
        process.touch(key_hash, Door.RPC, stored_world.clock())
    before = len(tally.tried)

    stored_world.clock.advance(minutes=1)
    _, is_admitted_again = process.touch(key_hash, Door.RPC, stored_world.clock())

    assert is_admitted_again
    assert len(tally.tried) - before == writes
    assert stored_key(store, key_hash).rpc_count == 1


def test_what_another_process_began_is_counted_on(store: Store, stored_world: World) -> None:
    key_hash, process = a_key_hash(stored_world), TableKeys(store.table)
    process.touch(key_hash, Door.RPC, stored_world.clock())
    stored_world.clock.advance(minutes=1)
    touch(store, stored_world, key_hash)

    process.touch(key_hash, Door.RPC, stored_world.clock())

    assert stored_key(store, key_hash).rpc_count == 2


def test_a_process_that_remembers_a_key_admits_it_no_longer_than_others(
    store: Store, stored_world: World
) -> None:
    key_hash, process = a_key_hash(stored_world, expires_in_days=1), TableKeys(store.table)
    stored_world.clock.advance(hours=23, minutes=59, seconds=59)
    _, was_admitted = process.touch(key_hash, Door.RPC, stored_world.clock())

    stored_world.clock.advance(seconds=1)
    _, is_still_admitted = process.touch(key_hash, Door.RPC, stored_world.clock())

    assert (was_admitted, is_still_admitted) == (True, False)


def test_a_changed_limit_reaches_every_process_within_minutes(store: Store, stored_world: World) -> None:
    key_hash, process = a_key_hash(stored_world), TableKeys(store.table)
    process.touch(key_hash, Door.RPC, stored_world.clock())
    tx = begin(store)
    tx.adjust(AUTHENTICATION(key_hash), assign={"rate_per_minute": 1})
    store.commit(tx)
    stored_world.clock.advance(seconds=rates.REMEMBERED_SECONDS + rates.WINDOW_SECONDS)

    process.touch(key_hash, Door.RPC, stored_world.clock())

    with pytest.raises(RateLimited):
        process.touch(key_hash, Door.RPC, stored_world.clock())
