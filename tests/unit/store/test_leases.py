"""Leases: one holder at a time, and a fence that stops whoever held it before."""

from datetime import datetime, timedelta

import pytest

from forge.context import Caller
from forge.errors import Conflict, ErrorCode
from forge.store import leases
from forge.store.leases import LeaseItem
from forge.store.store import Store
from forge.store.transactions import VersionMoved
from forge.testing.clock import NOON
from tests.unit.store.things import ThingItem, a_caller, begin, find_thing

HOUR = timedelta(hours=1)
ADA, BOB = a_caller(key_id="key_ada"), a_caller(key_id="key_bob")
ADA_ELSEWHERE = a_caller(key_id="key_ada", session_id="session_2")


def lease_of(store: Store) -> LeaseItem:
    return leases.find(store.table, "ws_1", "DEMO-1")


def acquire(store: Store, caller: Caller, *, now: datetime = NOON) -> LeaseItem:
    """Take the lease, and give it as it is stored from then on."""
    tx = begin(store, caller=caller, now=now)
    leases.acquire(tx, lease_of(store), duration=HOUR)
    store.commit(tx)
    return lease_of(store)


def release(store: Store, caller: Caller) -> None:
    tx = begin(store, caller=caller)
    leases.release(tx, lease_of(store))
    store.commit(tx)


def write_under(store: Store, caller: Caller, lease: LeaseItem, thing_id: str = "work") -> None:
    tx = begin(store, caller=caller)
    leases.require(tx, lease)
    tx.create(ThingItem(id=thing_id))
    store.commit(tx)


def refused_acquisition(store: Store, caller: Caller, *, now: datetime = NOON) -> Conflict:
    with pytest.raises(Conflict) as caught:
        acquire(store, caller, now=now)
    return caught.value


def test_a_lease_that_nobody_ever_held_is_free_and_has_no_fence(store: Store) -> None:
    assert lease_of(store).is_free(NOON)
    assert lease_of(store).fence == 0


def test_a_free_lease_goes_to_whoever_asks(store: Store) -> None:
    taken = acquire(store, ADA)

    assert taken.is_held_by("key_ada", "session_1")
    assert (taken.acquired_at, taken.lease_expires_at, taken.fence) == (NOON, NOON + HOUR, 1)


@pytest.mark.parametrize("other", [BOB, ADA_ELSEWHERE])
def test_a_held_lease_is_refused_with_the_time_it_ends(store: Store, other: Caller) -> None:
    acquire(store, ADA)

    refused = refused_acquisition(store, other)

    assert refused.code is ErrorCode.CONFLICT
    assert not refused.retryable
    assert refused.details == {"leaseExpiresAt": (NOON + HOUR).isoformat(), "fence": 1}


def test_renewing_keeps_the_fence_and_the_time_of_taking(store: Store) -> None:
    acquire(store, ADA)
    later = NOON + timedelta(minutes=30)

    renewed = acquire(store, ADA, now=later)

    assert (renewed.acquired_at, renewed.lease_expires_at, renewed.fence) == (NOON, later + HOUR, 1)


def test_a_holder_who_is_late_but_unchallenged_may_still_renew(store: Store) -> None:
    acquire(store, ADA)

    assert acquire(store, ADA, now=NOON + 2 * HOUR).fence == 1


def test_a_lease_ends_at_its_very_time_and_not_before(store: Store) -> None:
    acquire(store, ADA)
    refused_acquisition(store, BOB, now=NOON + HOUR - timedelta(milliseconds=1))

    taken = acquire(store, BOB, now=NOON + HOUR)

    assert taken.is_held_by("key_bob", "session_1")


def test_a_new_holder_gets_a_higher_fence(store: Store) -> None:
    fences = [
        acquire(store, holder, now=NOON + number * HOUR).fence
        for number, holder in enumerate([ADA, BOB, ADA, ADA_ELSEWHERE])
    ]

    assert fences == [1, 2, 3, 4]


def test_a_lease_given_back_is_free_at_once_and_keeps_its_fence(store: Store) -> None:
    acquire(store, ADA)

    release(store, ADA)

    assert lease_of(store).is_free(NOON)
    assert acquire(store, BOB).fence == 2


def test_whoever_takes_a_lease_again_after_giving_it_back_is_a_new_holder(store: Store) -> None:
    acquire(store, ADA)
    release(store, ADA)

    assert acquire(store, ADA).fence == 2


@pytest.mark.parametrize("other", [BOB, ADA_ELSEWHERE])
def test_only_its_holder_gives_a_lease_back(store: Store, other: Caller) -> None:
    acquire(store, ADA)

    with pytest.raises(Conflict):
        release(store, other)

    assert lease_of(store).is_held_by("key_ada", "session_1")


def test_a_lease_that_nobody_holds_can_not_be_given_back(store: Store) -> None:
    with pytest.raises(Conflict):
        release(store, ADA)


def test_a_late_release_does_not_free_the_successor_s_lease(store: Store) -> None:
    held_before = acquire(store, ADA)
    tx = begin(store, caller=ADA)
    leases.release(tx, held_before)
    acquire(store, BOB, now=NOON + HOUR)

    with pytest.raises(VersionMoved):
        store.commit(tx)

    assert lease_of(store).is_held_by("key_bob", "session_1")


def test_two_who_saw_the_lease_free_do_not_both_get_it(store: Store) -> None:
    seen = lease_of(store)
    tx = begin(store, caller=BOB)
    leases.acquire(tx, seen, duration=HOUR)
    acquire(store, ADA)

    with pytest.raises(VersionMoved):
        store.commit(tx)

    assert lease_of(store).is_held_by("key_ada", "session_1")


def test_the_holder_writes_under_its_lease(store: Store) -> None:
    lease = acquire(store, ADA)

    write_under(store, ADA, lease)

    assert find_thing(store, "work") is not None


def test_a_holder_who_woke_up_too_late_writes_nothing(store: Store) -> None:
    lease = acquire(store, ADA)
    acquire(store, BOB, now=NOON + HOUR)

    with pytest.raises(Conflict) as caught:
        write_under(store, ADA, lease)

    assert caught.value.details == {"leaseExpiresAt": (NOON + 2 * HOUR).isoformat(), "fence": 2}
    assert find_thing(store, "work") is None


def test_a_holder_who_lost_the_lease_and_got_it_back_can_not_finish_the_old_work(store: Store) -> None:
    lease = acquire(store, ADA)
    acquire(store, BOB, now=NOON + HOUR)
    acquire(store, ADA, now=NOON + 2 * HOUR)

    with pytest.raises(Conflict):
        write_under(store, ADA, lease)

    assert find_thing(store, "work") is None


def test_nobody_writes_under_a_lease_that_never_was_is_another_s_or_was_given_back(store: Store) -> None:
    with pytest.raises(Conflict):
        write_under(store, ADA, lease_of(store))

    lease = acquire(store, ADA)
    with pytest.raises(Conflict):
        write_under(store, BOB, lease)

    release(store, ADA)
    with pytest.raises(Conflict):
        write_under(store, ADA, lease)


def test_renewing_while_work_is_under_way_does_not_stop_it(store: Store) -> None:
    lease = acquire(store, ADA)
    acquire(store, ADA, now=NOON + timedelta(minutes=30))

    write_under(store, ADA, lease)

    assert find_thing(store, "work") is not None


def test_a_lease_of_the_same_name_in_another_workspace_is_another(store: Store) -> None:
    acquire(store, ADA)

    assert leases.find(store.table, "ws_2", "DEMO-1").is_free(NOON)
