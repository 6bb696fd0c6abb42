"""The worker of the index: an issue is found by what it says now, whoever else is at it and whatever dies."""

from collections.abc import Callable
from contextlib import suppress
from itertools import permutations
from math import ceil
from typing import Any

import pytest

from forge.store.store import Store
from forge.store.transactions import VersionMoved
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import WRITES, Counter, Parameters, Send, watched
from forge.work.record.search import search
from forge.work.record.search.search import TERM
from forge.work.record.search.words import MAX_TITLE_TERMS, first_title_terms
from tests.unit.store.things import WORKSPACE, begin
from tests.unit.work.indexed_issues import (
    add_issue,
    assert_settled,
    describe,
    found,
    head_of,
    listed,
    many_words,
    retitle,
    rows_of,
    settle,
)


def test_a_new_title_writes_only_the_words_it_adds(store: Store) -> None:
    tx = begin(store)

    search.index_title(tx, WORKSPACE, "iss_1", old_title="Fix the login", new_title="Fix the logout page")

    written = [write.request["Update"]["Key"]["pk"]["S"] for write in tx.writes]
    assert written == [TERM.partition(WORKSPACE, term) for term in ("logout", "page")]


def test_a_title_never_writes_more_rows_than_planned(store: Store) -> None:
    tx = begin(store)

    search.index_title(tx, WORKSPACE, "iss_1", old_title=None, new_title=many_words("w", 80))

    assert len(tx.writes) == MAX_TITLE_TERMS


def test_the_same_issue_id_in_another_workspace_keeps_its_own_words(store: Store) -> None:
    add_issue(store, "Fix login")
    add_issue(store, "Fix logout", workspace_id="ws_2")
    for workspace_id in (WORKSPACE, "ws_2"):
        settle(store, workspace_id=workspace_id)

    retitle(store, "Done")
    settle(store, "Fix login", "Done")

    assert found(store, "fix logout", workspace_id="ws_2") == ["iss_1"]
    assert found(store, "fix") == []


def test_words_that_were_removed_are_not_found_any_more(store: Store) -> None:
    add_issue(store, "Fix login", "with a timeout")
    settle(store)
    retitle(store, "Fix logout")
    describe(store, "with a crash")

    settle(store, "Fix login", "Fix logout")

    assert found(store, "login") == found(store, "timeout") == found(store, "logi") == []
    assert found(store, "logout crash") == ["iss_1"]
    assert_settled(store, "Fix logout", "with a crash")


def test_a_word_that_moves_from_title_to_description_stays_found(store: Store) -> None:
    add_issue(store, "Login timeout", "seldom")
    settle(store)
    retitle(store, "Seldom fails")
    describe(store, "timeout")

    settle(store, "Login timeout", "Seldom fails")

    assert rows_of(store)["timeout"] == {"text"}
    assert_settled(store, "Seldom fails", "timeout")


def test_a_text_without_words_leaves_nothing_behind(store: Store) -> None:
    add_issue(store, "Fix login", "timeout")
    settle(store)
    retitle(store, "🚀")
    describe(store, "")

    settle(store, "Fix login", "🚀")

    assert_settled(store, "🚀")
    assert rows_of(store) == {}


def test_titles_are_settled_in_any_order(store: Store) -> None:
    titles = ["alpha one", "beta two", "gamma one two"]
    changes = [("alpha one",), ("alpha one", "beta two"), ("beta two", "gamma one two")]

    for number, order in enumerate(permutations(changes)):
        issue_id = f"iss_{number}"
        add_issue(store, titles[0], issue_id=issue_id)
        for title in titles[1:]:
            retitle(store, title, issue_id=issue_id)
        for old_titles in order:
            settle(store, *old_titles, issue_id=issue_id)

        assert_settled(store, titles[-1], issue_id=issue_id)


def test_a_title_that_was_replaced_before_anybody_settled_it_is_not_left_behind(store: Store) -> None:
    add_issue(store, "alpha")
    retitle(store, "beta")
    settle(store, "alpha", "beta")
    retitle(store, "alpha")
    retitle(store, "gamma")
    settle(store, "alpha", "gamma")

    settle(store, "beta", "alpha")

    assert_settled(store, "gamma")


def test_a_short_lived_title_leaves_no_trace_on_a_word_of_the_description(store: Store) -> None:
    add_issue(store, "alpha", "beta")
    settle(store)
    retitle(store, "beta")
    retitle(store, "gamma")
    assert rows_of(store)["beta"] == {"title", "text"}

    settle(store, "beta", "gamma")

    assert_settled(store, "gamma", "beta")


def test_settling_again_writes_nothing(store: Store) -> None:
    add_issue(store, "Fix login", many_words("w"))
    settle(store, "Fix login")
    counter = Counter()

    settle(watched(store, counter), "Fix login")

    assert counter.writes == 0


def test_a_large_change_takes_few_requests(store: Store) -> None:
    title = many_words("title", 30)
    add_issue(store, title, many_words("w"))
    counter = Counter()

    settle(watched(store, counter), title)

    rows = len(rows_of(store))
    assert counter.writes == 2 + ceil((rows - MAX_TITLE_TERMS) / 25)
    assert_settled(store, title, many_words("w"))


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_whatever_request_it_dies_at_the_next_run_completes_it(store: Store, fault: Fault) -> None:
    old, new = ("Fix login timeout", many_words("old", 90)), ("Fix logout crash", many_words("new", 90))

    for position in range(100):
        issue_id = f"iss_{position}"
        add_issue(store, *old, issue_id=issue_id)
        settle(store, old[0], issue_id=issue_id)
        retitle(store, new[0], issue_id=issue_id)
        describe(store, new[1], issue_id=issue_id)
        failing = FaultAt(fault, position)
        try:
            settle(watched(store, failing), old[0], new[0], issue_id=issue_id)
        except ProcessDied:
            assert_every_row_is_known(store, issue_id)

        settle(store, old[0], new[0], issue_id=issue_id)

        assert_settled(store, *new, issue_id=issue_id)
        if not failing.was_hit:
            break
    # Head, body, what it is found by, its rows in portions, and that it is done.
    assert position >= 6


def assert_every_row_is_known(store: Store, issue_id: str) -> None:
    """By the list of the issue's words, or by its title: nothing could be left behind for good."""
    known = listed(store, issue_id)
    for term in first_title_terms(head_of(store, issue_id).title):
        known.setdefault(term, set()).add("title")
    rows = rows_of(store, issue_id)
    assert all(places <= known.get(term, set()) for term, places in rows.items())
    assert all("title" in rows[term] for term in first_title_terms(head_of(store, issue_id).title))


@pytest.mark.parametrize("fault", [Fault.THROTTLED, Fault.CONTENDED, Fault.ANSWER_LOST])
def test_a_request_that_fails_once_is_no_trouble(store: Store, fault: Fault) -> None:
    for position in range(100):
        issue_id = f"iss_{position}"
        add_issue(store, "Fix login", many_words("w", 90), issue_id=issue_id)
        failing = FaultAt(fault, position)

        # A lost answer looks as if somebody else had been faster: the message comes again.
        with suppress(VersionMoved):
            settle(watched(store, failing), issue_id=issue_id)
        settle(store, issue_id=issue_id)

        assert_settled(store, "Fix login", many_words("w", 90), issue_id=issue_id)
        if not failing.was_hit:
            break


class BeforeWrite:
    """Lets somebody else act just before the write at one position."""

    def __init__(self, position: int, act: Callable[[], object]) -> None:
        self._left = position
        self._act = act

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        if operation in WRITES:
            self._left -= 1
            if self._left == -1:
                self._act()
        return send(**parameters)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_two_who_settle_at_once_do_no_harm(store: Store, position: int) -> None:
    """As they do when a message comes again that somebody is still busy with."""
    add_issue(store, "Fix login", many_words("old"))
    settle(store)
    describe(store, many_words("new"))

    with pytest.raises(VersionMoved):
        settle(watched(store, BeforeWrite(position, lambda: settle(store))))

    assert_settled(store, "Fix login", many_words("new"))


def test_of_two_who_settle_a_new_issue_at_once_one_looks_again(store: Store) -> None:
    add_issue(store, "Fix login")

    with pytest.raises(VersionMoved):
        settle(watched(store, BeforeWrite(0, lambda: settle(store))))

    assert_settled(store, "Fix login")


@pytest.mark.parametrize("position", range(5))
def test_a_title_that_changes_meanwhile_is_found_and_settled_by_its_own_event(
    store: Store, position: int
) -> None:
    add_issue(store, "Fix login", many_words("old", 30))
    settle(store)
    describe(store, many_words("new", 30))
    settle(watched(store, BeforeWrite(position, lambda: retitle(store, "Fix logout"))))
    assert found(store, "logout") == ["iss_1"]
    assert_every_row_is_known(store, "iss_1")

    settle(store, "Fix login", "Fix logout")

    assert_settled(store, "Fix logout", many_words("new", 30))


@pytest.mark.parametrize("position", range(5))
def test_a_description_that_changes_meanwhile_is_settled_by_its_own_event(
    store: Store, position: int
) -> None:
    add_issue(store, "Fix login", many_words("old", 30))
    settle(store)
    describe(store, many_words("new", 30))
    settle(watched(store, BeforeWrite(position, lambda: describe(store, "newest"))))

    settle(store)

    assert_settled(store, "Fix login", "newest")


def test_a_word_that_stands_in_most_texts_has_no_row(store: Store) -> None:
    add_issue(store, "The login of the page", "It is on the page")

    settle(store)

    assert {"the", "of", "it", "is", "on"}.isdisjoint(rows_of(store))
    assert found(store, "the page") == found(store, "page of the") == ["iss_1"]


def test_every_place_of_a_word_is_stored(store: Store) -> None:
    add_issue(store, "log login", "log form")

    settle(store)

    assert rows_of(store) == {"log": {"title", "prefix"}, "login": {"title"}, "form": {"text"}}
    assert listed(store) == rows_of(store)
