"""The best of a backlog is found without reading all of it, and is the same as if all were read."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.testing.clock import NOON
from forge.work.backlog import scans
from forge.work.issues.backlog_rows.rows import BacklogItem, Shelf
from forge.work.issues.issues import Priority

PARTITION = "free"
Facts = tuple[Priority, bool, bool, int]


class Shelves:
    """Rows in the order of their keys, and how often they were asked for."""

    def __init__(self, rows: Sequence[BacklogItem]) -> None:
        self.rows = sorted(rows, key=lambda row: row.key.sort)
        self.queries = 0

    def read(self, partition: str, *, first: str, limit: int) -> list[BacklogItem]:
        self.queries += 1
        return [row for row in self.rows if row.key.sort >= first][:limit]


def a_backlog(facts: Sequence[Facts]) -> list[BacklogItem]:
    """Numbers grow with time: the oldest has the lowest."""
    by_age = sorted(facts, key=lambda one: -one[3])
    return [
        BacklogItem(
            workspace_id="ws_1",
            repository_id="repo_1",
            issue_id=f"iss_{number}",
            number=number,
            shelf=Shelf.FREE,
            status="backlog",
            priority=priority,
            is_blocking=is_blocking,
            is_blocked=is_blocked,
            created_at=NOON - timedelta(hours=hours),
        )
        for number, (priority, is_blocking, is_blocked, hours) in enumerate(by_age, start=1)
    ]


facts = st.tuples(st.sampled_from(Priority), st.booleans(), st.booleans(), st.integers(0, 40 * 24))


@settings(max_examples=200, deadline=None)
@given(st.lists(facts, max_size=60), st.integers(1, 30), st.sets(st.integers(1, 60), max_size=3))
def test_the_best_are_those_that_a_look_at_everything_finds(
    backlog: list[Facts], wanted: int, hidden: set[int]
) -> None:
    rows = a_backlog(backlog)
    shelves = Shelves(rows)

    found = scans.best(
        shelves.read,
        PARTITION,
        now=NOON,
        wanted=wanted,
        accepts=lambda row: row.number not in hidden,
        few=wanted + len(hidden),
    )

    everything = scans.in_order((row for row in rows if row.number not in hidden), NOON)
    assert found == everything[:wanted]
    assert shelves.queries <= 20


@pytest.mark.parametrize("size", [100, 10_000])
def test_there_are_as_few_queries_however_long_the_backlog_is(size: int) -> None:
    spread = [(Priority(list(Priority)[n % 5]), n % 3 == 0, n % 7 == 0, n % 960) for n in range(size)]
    shelves = Shelves(a_backlog(spread))

    (first,) = scans.best(shelves.read, PARTITION, now=NOON, wanted=1)

    assert first == scans.in_order(shelves.rows, NOON)[0]
    assert shelves.queries <= 20
