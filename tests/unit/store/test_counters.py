"""Counts that many change at once: sums, series of numbers, tickets."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from forge.errors import Conflict
from forge.store.counters import (
    TICKET_SECONDS,
    add_to_count,
    next_number,
    read_counts,
    return_ticket,
    take_ticket,
)
from forge.store.store import Store
from forge.store.transactions import Transaction
from forge.testing.clock import NOON
from forge.testing.instruments import Counter, watched
from tests.unit.store.things import ThingItem, a_caller, begin, put


def count(store: Store, dimension: str, delta: int, *, workspace_id: str = "ws_1") -> None:
    tx = begin(store, caller=a_caller(workspace_id=workspace_id))
    add_to_count(tx, "issues", dimension=dimension, delta=delta)
    store.commit(tx)


def test_a_count_is_the_sum_of_all_changes(store: Store) -> None:
    for delta in (1, 1, 1, -1, 5):
        count(store, "TODO", delta)

    assert read_counts(store.table, "ws_1", "issues") == {"TODO": 7}


def test_each_dimension_is_counted_by_itself_whatever_its_name(store: Store) -> None:
    for dimension in ("TODO", "TODO", "prj_1#TODO", "prj_1#DONE"):
        count(store, dimension, 1)

    assert read_counts(store.table, "ws_1", "issues") == {"TODO": 2, "prj_1#TODO": 1, "prj_1#DONE": 1}


def test_what_nobody_counted_is_zero(store: Store) -> None:
    assert read_counts(store.table, "ws_1", "issues")["TODO"] == 0


def test_one_workspace_does_not_count_for_another(store: Store) -> None:
    count(store, "TODO", 1, workspace_id="ws_1")
    count(store, "TODO", 2, workspace_id="ws_2")

    assert read_counts(store.table, "ws_1", "issues") == {"TODO": 1}


def test_a_transaction_that_does_not_happen_is_not_counted(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="taken"))
    add_to_count(tx, "issues", dimension="TODO", delta=1)
    tx.create(ThingItem(id="taken"))

    with pytest.raises(Conflict):
        store.commit(tx)

    assert read_counts(store.table, "ws_1", "issues") == {}


def test_all_counts_of_a_name_are_one_request(store: Store) -> None:
    for number in range(20):
        count(store, f"status-{number % 5}", 1)
    counter = Counter()

    counts = read_counts(watched(store, counter).table, "ws_1", "issues")

    assert counts.total() == 20
    assert counter.reads == 1


@pytest.mark.not_on_moto(reason="moto loses writes that come at once")
def test_changes_from_many_sides_are_all_counted(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: count(store, "TODO", 1), range(64)))

    assert read_counts(store.table, "ws_1", "issues") == {"TODO": 64}


def test_a_series_begins_at_one_and_goes_on(store: Store) -> None:
    assert [next_number(store.table, "ws_1", "issues") for _ in range(3)] == [1, 2, 3]


def test_each_series_and_each_workspace_has_its_own_numbers(store: Store) -> None:
    next_number(store.table, "ws_1", "issues")

    assert next_number(store.table, "ws_1", "initiatives") == 1
    assert next_number(store.table, "ws_2", "issues") == 1


@pytest.mark.not_on_moto(reason="moto loses writes that come at once")
def test_no_number_is_given_twice(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda _: next_number(store.table, "ws_1", "issues"), range(64)))

    assert sorted(numbers) == list(range(1, 65))


def test_whoever_chooses_alone_holds_the_first_ticket(store: Store) -> None:
    assert take_ticket(store.table, "ws_1", "backlog", NOON) == 1


@pytest.mark.not_on_moto(reason="moto loses writes that come at once")
def test_a_crowd_holds_one_ticket_each(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        tickets = list(pool.map(lambda _: take_ticket(store.table, "ws_1", "backlog", NOON), range(24)))

    assert sorted(tickets) == list(range(1, 25))


def test_a_ticket_given_back_is_free_again(store: Store) -> None:
    take_ticket(store.table, "ws_1", "backlog", NOON)

    return_ticket(store.table, "ws_1", "backlog", NOON)

    assert take_ticket(store.table, "ws_1", "backlog", NOON) == 1


def test_a_ticket_that_was_never_given_back_is_forgotten_in_a_moment(store: Store) -> None:
    take_ticket(store.table, "ws_1", "backlog", NOON)

    later = NOON + timedelta(seconds=TICKET_SECONDS)

    assert take_ticket(store.table, "ws_1", "backlog", later) == 1


def test_a_ticket_given_back_late_frees_none_of_the_next_moment_s(store: Store) -> None:
    take_ticket(store.table, "ws_1", "backlog", NOON)
    later = NOON + timedelta(seconds=TICKET_SECONDS)
    take_ticket(store.table, "ws_1", "backlog", later)

    return_ticket(store.table, "ws_1", "backlog", NOON)

    assert take_ticket(store.table, "ws_1", "backlog", later) == 2


def test_queues_and_workspaces_have_their_own_tickets(store: Store) -> None:
    take_ticket(store.table, "ws_1", "backlog", NOON)

    assert take_ticket(store.table, "ws_1", "reviews", NOON) == 1
    assert take_ticket(store.table, "ws_2", "backlog", NOON) == 1
