"""The keys in memory promise what the stored ones do: atomic, strict, immediate."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any, TypeVar

import pytest

from forge.auth.keys import KeyOrder, KeyRecord, mint
from forge.context import Door, KeyKind
from forge.contract.terms import Scope
from forge.testing.clock import NOON
from forge.testing.memory import MemoryKeys

THREADS = 16

ResultT = TypeVar("ResultT")


def a_record(key_id: str = "key_1") -> KeyRecord:
    order = KeyOrder(
        name="worker", kind=KeyKind.AGENT, workspace_id="ws_1", scopes=[Scope.READ_ISSUES], expires_in_days=1
    )
    return mint(order, key_id=key_id, now=NOON).record


def in_every_thread(work: Callable[[int], ResultT]) -> list[ResultT]:
    """Let all threads do the work at the same moment; each is told its number."""
    start = Barrier(THREADS)

    def begin(number: int) -> ResultT:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def admissions(keys: MemoryKeys, key_hash: str, door: Door, *, tries: int, now: datetime = NOON) -> int:
    return sum(is_admitted(keys, key_hash, door, now) for _ in range(tries))


def is_admitted(keys: MemoryKeys, key_hash: str, door: Door = Door.RPC, now: datetime = NOON) -> bool:
    _, admitted = keys.touch(key_hash, door, now)
    return admitted


@pytest.mark.parametrize(("door", "limit"), [(Door.RPC, 600), (Door.REST, 300)])
def test_sixteen_threads_together_are_admitted_exactly_to_the_limit(door: Door, limit: int) -> None:
    keys, record = MemoryKeys(), a_record()
    keys.add(record)

    admitted = in_every_thread(lambda _: admissions(keys, record.key_hash, door, tries=100))

    assert sum(admitted) == limit


def test_threads_at_two_doors_do_not_disturb_each_other() -> None:
    keys, record = MemoryKeys(), a_record()
    keys.add(record)

    def use_a_door(number: int) -> tuple[Door, int]:
        door = Door.RPC if number % 2 else Door.REST
        return door, admissions(keys, record.key_hash, door, tries=100)

    admitted: Counter[Door] = Counter()
    for door, count in in_every_thread(use_a_door):
        admitted[door] += count

    assert admitted == {Door.RPC: 600, Door.REST: 300}


def test_threads_with_a_key_each_do_not_disturb_each_other() -> None:
    keys = MemoryKeys()
    records = [a_record(f"key_{number}") for number in range(THREADS)]
    for record in records:
        keys.add(record)

    admitted = in_every_thread(
        lambda number: admissions(keys, records[number].key_hash, Door.REST, tries=310)
    )

    assert admitted == [300] * THREADS


def test_no_thread_is_admitted_after_the_key_was_revoked() -> None:
    keys, record = MemoryKeys(), a_record()
    keys.add(record)

    def use_or_revoke(number: int) -> bool:
        if number == 0:
            keys.add(record.replaced(revoked_at=NOON))
            return is_admitted(keys, record.key_hash)
        admissions(keys, record.key_hash, Door.RPC, tries=20)
        return False

    admitted_after = in_every_thread(use_or_revoke)

    assert not any(admitted_after)
    assert is_admitted(keys, record.key_hash) is False


def test_a_call_is_counted_and_stamped_in_one_step() -> None:
    keys, record = MemoryKeys(), a_record()
    keys.add(record)

    touch = keys.touch(record.key_hash, Door.RPC, NOON)

    assert touch == (record.replaced(last_used_at=NOON), True)


@pytest.mark.parametrize(
    "changes", [{"revoked_at": NOON}, {"expires_at": NOON}, {"expires_at": NOON - timedelta(days=1)}]
)
def test_a_dead_key_is_shown_but_neither_admitted_nor_stamped(changes: dict[str, Any]) -> None:
    keys, record = MemoryKeys(), a_record().replaced(**changes)
    keys.add(record)

    touch = keys.touch(record.key_hash, Door.RPC, NOON)

    assert touch == (record, False)


def test_an_unknown_key_has_no_record() -> None:
    assert MemoryKeys().touch("0" * 64, Door.RPC, NOON) == (None, False)


def test_a_key_over_its_limit_is_shown_but_not_stamped() -> None:
    keys, record = MemoryKeys(), a_record()
    keys.add(record)
    admissions(keys, record.key_hash, Door.REST, tries=300)

    touch = keys.touch(record.key_hash, Door.REST, NOON + timedelta(seconds=30))

    assert touch == (record.replaced(last_used_at=NOON), False)


def test_a_window_opens_with_the_minute() -> None:
    keys, record = MemoryKeys(), a_record()
    keys.add(record)
    late = NOON + timedelta(seconds=59)
    admissions(keys, record.key_hash, Door.REST, tries=300, now=late)

    counts = [
        admissions(keys, record.key_hash, Door.REST, tries=1, now=late),
        admissions(keys, record.key_hash, Door.REST, tries=301, now=NOON + timedelta(seconds=60)),
    ]

    assert counts == [0, 300]


def test_a_clock_that_steps_back_opens_no_new_window() -> None:
    keys, record = MemoryKeys(), a_record()
    keys.add(record)
    admissions(keys, record.key_hash, Door.REST, tries=300, now=NOON + timedelta(minutes=1))

    assert admissions(keys, record.key_hash, Door.REST, tries=1, now=NOON) == 0
