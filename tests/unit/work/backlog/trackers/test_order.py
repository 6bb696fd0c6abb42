"""What a look at the beginnings of classes finds is what a look at everything finds, in few queries."""

from collections.abc import Collection, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forge.store.store import Store
from forge.testing.builders import USER_ID
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.work.issues.backlog_rows.scores import CLASSES, ScoreClass
from forge.work.issues.issues import Priority
from tests.unit.work.backlog.trackers.heaps import SOMEBODY, Fact, Heap, best_of, by_age
from tests.workshop.office import Office

MOST_QUERIES = 24
"""For each type that is asked for."""
TYPES = ("bug", "feature", "chore", "docs", None)
CLOSE = [Priority.MEDIUM, Priority.LOW, Priority.NONE]
SEARCHES = [None, ["bug"], ["bug", None], [*TYPES]]

# Mostly of what lies close together: there a class can hold a better one than those before it.
facts = st.builds(
    Fact,
    priority=st.sampled_from(CLOSE * 3 + [*Priority]),
    type=st.sampled_from(["bug", "bug", *TYPES]),
    hours=st.integers(0, 40 * 24),
    is_blocking=st.booleans(),
    is_blocked=st.booleans(),
    status=st.sampled_from(["backlog"] * 9 + ["in-progress", "in-review", "blocked"]),
    leased_minutes=st.sampled_from([None] * 9 + [-10, 0, 10]),
    assignee_id=st.sampled_from([None] * 8 + [USER_ID, SOMEBODY]),
)


def aged(facts: Sequence[Fact], old: Collection[ScoreClass]) -> list[Fact]:
    """New ones, apart from a few classes, whose old ones come before new ones of better classes."""
    return by_age(fact if class_of(fact) in old else fact._replace(hours=fact.hours % 24) for fact in facts)


def class_of(fact: Fact) -> ScoreClass:
    return ScoreClass(fact.priority, fact.is_blocking, fact.is_blocked)


sizes = st.lists(facts, max_size=9) | st.lists(facts, min_size=40, max_size=70)
backlogs = st.builds(aged, sizes, st.sets(st.sampled_from(CLASSES), max_size=4))


@pytest.fixture
def requests() -> Counter:
    return Counter()


@pytest.fixture
def office(store: Store, requests: Counter) -> Office:
    return Office(World(store=watched(store, requests)))


def queries(requests: Counter) -> int:
    return sum(sent.operation == "Query" for sent in requests.sent)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(backlogs, st.sampled_from(SEARCHES), st.integers(1, 8))
def test_the_candidates_and_the_list_are_those_of_a_look_at_everything(
    office: Office, requests: Counter, backlog: list[Fact], types: list[str | None] | None, wanted: int
) -> None:
    heap = Heap(office, backlog)
    heap.file()
    requests.reset()

    candidates = heap.tracker().candidates(types, wanted=wanted)
    asked = queries(requests)
    listing = heap.tracker().listing(types, limit=wanted)

    takeable, every = best_of(backlog, types, to_take=True), best_of(backlog, types, to_take=False)
    assert [one.row.number for one in candidates][:wanted] == takeable[:wanted]
    assert {one.row.number for one in candidates} <= set(takeable)
    assert all(one.score == backlog[one.row.number - 1].score for one in candidates)
    assert [one.issue.number for one in listing.issues] == every[:wanted]
    assert listing.total == len(every)
    assert asked <= MOST_QUERIES * len(types or [None])


def spread(size: int, priorities: Sequence[Priority], *, days: int) -> list[Fact]:
    """Every class of these and every type among many, and some that are held, mine or somebody's."""
    return by_age(
        Fact(
            priorities[place % len(priorities)],
            TYPES[place % 7 % 5],
            hours=place % (days * 24),
            is_blocking=place % 4 < 2,
            is_blocked=place % 11 < 4,
            leased_minutes=place % 2 or -1 if place % (size // 20) == 0 else None,
            assignee_id=(USER_ID, SOMEBODY)[place % 2] if place % (size // 25) == 1 else None,
        )
        for place in range(size)
    )


@pytest.mark.parametrize(
    ("size", "priorities", "days"),
    [(100, [*Priority], 40), (100, CLOSE, 1), (10_000, CLOSE, 1)],
    ids=["a hundred of all kinds", "a hundred that are hard to tell apart", "ten thousand of those"],
)
def test_there_are_few_queries_whatever_the_size(
    office: Office, requests: Counter, size: int, priorities: list[Priority], days: int
) -> None:
    backlog = spread(size, priorities, days=days)
    heap = Heap(office, backlog)
    heap.shelve()

    for types, wanted in ((None, 1), (None, 64), (["bug"], 1), ([*TYPES], 1)):
        requests.reset()
        found = heap.tracker().candidates(types, wanted=wanted)

        best = best_of(backlog, types, to_take=True)[:wanted]
        assert [one.row.number for one in found][:wanted] == best
        assert queries(requests) <= MOST_QUERIES * len(types or [None]), (types, wanted)
