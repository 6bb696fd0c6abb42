"""The keys in memory promise what the stored ones do: atomic, strict, immediate."""

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


def test_a_key_over_its_limit_is_shown_but_not_stamped() -> None:
    keys, record = MemoryKeys(), a_record()
    keys.add(record)
    admissions(keys, record.key_hash, Door.REST, tries=300)

    touch = keys.touch(record.key_hash, Door.REST, NOON + timedelta(seconds=30))

    assert touch == (record.replaced(last_used_at=NOON), False)
