"""Authentication on the table: counted exactly, in one write, two on the first of a minute."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from forge import deadline
from forge.auth import rates
from forge.auth.entrance import Touch
from forge.auth.keys import hash_of
from forge.context import Door, KeyKind, Narrowing, Role
from forge.contract.terms import Scope
from forge.errors import Unavailable
from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt
from forge.testing.instruments import Counter, Parameters, Send, SkippedTime, watched
from forge.testing.world import World
from forge.work.workspace.people.api_keys import AuthenticationItem
from forge.work.workspace.people.authentication import AUTHENTICATION, TableKeys
from tests.unit.store.things import begin
from tests.workshop.interference import Tally

THREADS = 16


def a_key_hash(world: World, **order: Any) -> str:
    return hash_of(world.a_key(**order))


def touch(store: Store, world: World, key_hash: str, door: Door = Door.RPC) -> Touch:
    return TableKeys(store.table).touch(key_hash, door, world.clock())


def is_admitted(store: Store, world: World, key_hash: str, door: Door = Door.RPC) -> bool:
    _, admitted = touch(store, world, key_hash, door)
    return admitted


def stored_key(store: Store, key_hash: str) -> AuthenticationItem:
    found = store.table.find(AuthenticationItem, AUTHENTICATION(key_hash))
    assert found is not None
    return found


def set_count(store: Store, world: World, key_hash: str, door: Door, count: int) -> None:
    """As if so many calls had been made in this minute."""
    tx = begin(store)
    window = {f"{door}_window": rates.window_of(world.clock()), f"{door}_count": count}
    tx.adjust(AUTHENTICATION(key_hash), assign=window)
    store.commit(tx)


def a_ceiling(store: Store, key_hash: str, calls: int | None, **more: object) -> None:
    """As the sweep writes it onto every key of a workspace."""
    tx = begin(store)
    tx.adjust(AUTHENTICATION(key_hash), assign={"calls_per_minute": calls, **more})
    store.commit(tx)


def admitted_at_once(store: Store, world: World, key_hash: str, *, tries: int) -> int:
    """How many of so many calls each of sixteen threads gets through."""
    start = Barrier(THREADS)

    def call_on(_: int) -> int:
        start.wait()
        return sum(is_admitted(store, world, key_hash, Door.REST) for _ in range(tries))

    with ThreadPoolExecutor(THREADS) as pool:
        return sum(pool.map(call_on, range(THREADS)))


def test_a_known_key_is_admitted_with_everything_the_gate_must_know(
    store: Store, stored_world: World
) -> None:
    narrowing = Narrowing(frozenset({"prj_1", "prj_2"}), initiative_ids=frozenset({"ini_1"}))
    key_hash = a_key_hash(
        stored_world,
        scopes=[Scope.READ_ISSUES, Scope.ADMIN],
        role=Role.ADMIN,
        user_id="usr_ada",
        narrowing=narrowing,
        expires_in_days=7,
    )

    record, admitted = touch(store, stored_world, key_hash)

    assert admitted
    assert record is not None
    assert (record.workspace_id, record.user_id) == (stored_world.workspace.id, "usr_ada")
    assert (record.kind, record.role, record.is_member) == (KeyKind.PERSONAL, Role.ADMIN, True)
    assert record.scopes == {"READ_ISSUES", "ADMIN"}
    assert record.narrowing == narrowing
    assert record.last_used_at == stored_world.clock()
    assert record.expires_at is not None
    assert record.revoked_at is None


def test_an_agent_s_key_has_an_agent_and_no_role(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world, kind=KeyKind.AGENT, linked_agent_id="agt_1")

    record, _ = touch(store, stored_world, key_hash)

    assert record is not None
    assert (record.linked_agent_id, record.role, record.user_id) == ("agt_1", None, None)


def test_a_call_is_one_write_and_the_first_of_a_minute_two(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world)
    tally = Tally()
    watched_store = watched(store, tally)
    writes = []
    for _ in range(3):
        touch(watched_store, stored_world, key_hash)
        writes.append(len(tally.tried))

    stored_world.clock.advance(minutes=1)
    touch(watched_store, stored_world, key_hash)

    assert writes == [2, 3, 4]
    assert tally.tried == ["UpdateItem"] * 6


def test_nothing_but_the_key_s_own_item_is_touched(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world)
    touch(store, stored_world, key_hash)
    counter = Counter()

    touch(watched(store, counter), stored_world, key_hash)

    assert (counter.authentications, counter.reads, counter.writes) == (1, 0, 0)


@pytest.mark.parametrize(("door", "limit"), [(Door.RPC, 600), (Door.REST, 300)])
def test_a_minute_ends_with_the_limit_of_its_door(
    store: Store, stored_world: World, door: Door, limit: int
) -> None:
    key_hash = a_key_hash(stored_world)
    set_count(store, stored_world, key_hash, door, limit - 1)

    _, was_last_admitted = touch(store, stored_world, key_hash, door)
    record, is_next_admitted = touch(store, stored_world, key_hash, door)

    assert (was_last_admitted, is_next_admitted) == (True, False)
    assert record is not None


def test_a_refused_call_writes_nothing_and_costs_one_request(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world)
    set_count(store, stored_world, key_hash, Door.RPC, 600)
    before = stored_key(store, key_hash)
    tally = Tally()

    touch(watched(store, tally), stored_world, key_hash)

    assert stored_key(store, key_hash) == before
    assert len(tally.tried) == 1


def test_the_doors_count_apart(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world)
    set_count(store, stored_world, key_hash, Door.REST, 300)

    assert is_admitted(store, stored_world, key_hash, Door.RPC)
    assert not is_admitted(store, stored_world, key_hash, Door.REST)


def test_a_new_minute_begins_at_one(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world)
    set_count(store, stored_world, key_hash, Door.RPC, 600)

    stored_world.clock.advance(minutes=1)

    assert is_admitted(store, stored_world, key_hash)
    assert stored_key(store, key_hash).rpc_count == 1


def test_a_clock_that_lags_counts_in_the_newer_minute(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world)
    lagging = stored_world.clock()
    stored_world.clock.advance(minutes=1)
    set_count(store, stored_world, key_hash, Door.RPC, 599)

    touches = [TableKeys(store.table).touch(key_hash, Door.RPC, lagging) for _ in range(2)]

    assert [admitted for _, admitted in touches] == [True, False]


@pytest.mark.parametrize("number_before", [0, 1])
def test_the_unknown_and_the_revoked_and_the_expired_are_told_apart(
    store: Store, stored_world: World, number_before: int
) -> None:
    """Whether or not they were used in this minute before; the expiry lies in the middle of one."""
    stored_world.clock.advance(seconds=30)
    revoked, expired = a_key_hash(stored_world), a_key_hash(stored_world, expires_in_days=1)
    stored_world.clock.advance(hours=23, minutes=59, seconds=59.999)
    for _ in range(number_before):
        assert is_admitted(store, stored_world, revoked)
        assert is_admitted(store, stored_world, expired)
    tx = begin(store, now=stored_world.clock())
    tx.adjust(AUTHENTICATION(revoked), assign={"revoked_at": stored_world.clock()})
    store.commit(tx)
    stored_world.clock.advance(seconds=0.001)

    outcomes = [touch(store, stored_world, one) for one in ("unknown", revoked, expired)]

    records, admitted = zip(*outcomes, strict=True)
    assert admitted == (False, False, False)
    assert records[0] is None
    assert records[1] is not None
    assert records[1].revoked_at is not None
    assert records[2] is not None
    assert records[2].expires_at == stored_world.clock()


def test_a_key_revoked_while_its_window_rolls_is_refused(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world)

    def revoke() -> None:
        tx = begin(store)
        tx.adjust(AUTHENTICATION(key_hash), assign={"revoked_at": stored_world.clock()})
        store.commit(tx)

    def revoke_before_the_roll(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        if "ADD" not in parameters["UpdateExpression"]:
            revoke()
        return send(**parameters)

    record, admitted = touch(watched(store, revoke_before_the_roll), stored_world, key_hash)

    assert not admitted
    assert record is not None
    assert record.revoked_at is not None


def test_many_at_once_are_admitted_up_to_the_limit_and_not_beyond(store: Store, stored_world: World) -> None:
    key_hash = a_key_hash(stored_world)
    set_count(store, stored_world, key_hash, Door.REST, 290)

    assert admitted_at_once(store, stored_world, key_hash, tries=2) == 10
    assert stored_key(store, key_hash).rest_count == 300


def test_a_window_that_many_roll_at_once_still_admits_exactly_the_limit(
    store: Store, stored_world: World
) -> None:
    key_hash = a_key_hash(stored_world)
    set_count(store, stored_world, key_hash, Door.REST, 300)
    stored_world.clock.advance(minutes=1)

    assert admitted_at_once(store, stored_world, key_hash, tries=20) == 300
    assert stored_key(store, key_hash).rest_count == 300


@pytest.mark.parametrize("fault", [Fault.CONTENDED, Fault.THROTTLED, Fault.SERVER_ERROR, Fault.TIMED_OUT])
def test_a_key_that_others_hold_for_a_moment_is_asked_again(
    store: Store, stored_world: World, fault: Fault
) -> None:
    key_hash = a_key_hash(stored_world)
    contended = watched(store, FaultAt(fault, position=0, times=3))

    assert is_admitted(contended, stored_world, key_hash)


def test_a_key_that_others_hold_for_too_long_is_unavailable_and_not_unknown(
    store: Store, stored_world: World
) -> None:
    key_hash = a_key_hash(stored_world)
    contended = watched(store, FaultAt(Fault.CONTENDED, position=0, times=1_000_000), SkippedTime())
    begun = deadline.begin(0.5)

    with pytest.raises(Unavailable):
        touch(contended, stored_world, key_hash)

    deadline.end(begun)


@pytest.mark.parametrize(("minutes", "lost"), [(0, 0), (1, 1)])
def test_a_call_whose_answer_was_lost_is_admitted_and_counted_twice_at_most(
    store: Store, stored_world: World, minutes: int, lost: int
) -> None:
    key_hash = a_key_hash(stored_world)
    touch(store, stored_world, key_hash)
    counted_before = 1 - minutes
    stored_world.clock.advance(minutes=minutes)
    fault = FaultAt(Fault.ANSWER_LOST, position=lost)

    admitted = is_admitted(watched(store, fault), stored_world, key_hash)

    assert fault.was_hit
    assert admitted
    assert stored_key(store, key_hash).rpc_count - counted_before in (1, 2)
