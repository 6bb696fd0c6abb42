"""Finding issues: by words of title and description, open or closed, and what an answer says it left out."""

import pytest

from forge.errors import ErrorCode, InvalidInput
from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.work.record.search import search
from forge.work.record.search.search import MAX_LOOKED_UP, MAX_ROWS
from forge.work.record.search.words import MAX_QUERY, MAX_TITLE_TERMS, query_of
from forge.work.workspace.statuses import StatusCategory
from tests.unit.store.things import WORKSPACE
from tests.unit.work.indexed_issues import add_issue, found, ids, many_words, put_terms, settle


def test_a_new_issue_is_found_by_its_title_at_once(store: Store) -> None:
    add_issue(store, "Fix the login timeout")

    assert found(store, "login") == ["iss_1"]
    assert found(store, "TIMEOUT fix") == ["iss_1"]


def test_the_rest_of_a_long_title_is_found_once_it_is_settled(store: Store) -> None:
    title = many_words("w", MAX_TITLE_TERMS + 1)
    add_issue(store, title)
    assert found(store, f"w{MAX_TITLE_TERMS}") == []

    settle(store)

    assert found(store, f"w{MAX_TITLE_TERMS}") == ["iss_1"]


def test_a_description_is_found_once_it_is_settled(store: Store) -> None:
    add_issue(store, "Fix login", "It fails with a timeout after 30 seconds")

    settle(store)

    assert found(store, "timeout 30") == ["iss_1"]


@pytest.mark.parametrize(
    "query", ["aut", "auth", "authorizat", "authorizati", "fix authorizatio", "Fix auth", "authorization"]
)
def test_the_last_word_may_be_the_beginning_of_a_title_word(store: Store, query: str) -> None:
    add_issue(store, "Fix authorization")
    settle(store)

    assert found(store, query) == ["iss_1"]


@pytest.mark.parametrize(
    "query", ["au", "auth fix", "uthorization", "authorizatis", "authorizati fix", "expl", "explanatio"]
)
def test_other_parts_of_words_are_not_found(store: Store, query: str) -> None:
    add_issue(store, "Fix authorization", "An explanation")
    settle(store)

    assert found(store, query) == []


@pytest.mark.parametrize("query", ["検索", "結果", "検索結果", "索結", "検索 fix"])
def test_scripts_without_spaces_are_found_by_any_two_neighbours(store: Store, query: str) -> None:
    add_issue(store, "Fix 検索結果")
    settle(store)

    assert found(store, query) == ["iss_1"]


def test_all_words_of_a_query_must_occur_wherever_they_stand(store: Store) -> None:
    add_issue(store, "Login fails", "with a timeout", issue_id="iss_1")
    add_issue(store, "Login page", "new colours", issue_id="iss_2")
    for issue_id in ("iss_1", "iss_2"):
        settle(store, issue_id=issue_id)

    assert found(store, "timeout login") == ["iss_1"]
    assert found(store, "login") == ["iss_2", "iss_1"]
    assert found(store, "colours timeout") == []


@pytest.mark.parametrize("category", [StatusCategory.DONE, StatusCategory.CANCELED])
def test_closed_issues_are_found_too(store: Store, category: StatusCategory) -> None:
    add_issue(store, "Fix login", category=category)

    assert found(store, "login") == ["iss_1"]


def test_another_tenant_finds_nothing(store: Store) -> None:
    add_issue(store, "Fix login", "timeout")
    settle(store)

    assert found(store, "login", workspace_id="ws_2") == []
    assert found(store, "timeout login", workspace_id="ws_2") == []


@pytest.mark.parametrize("query", ["", "   ", "?!", "🚀", "\u0301"])
def test_a_query_without_a_word_is_refused(store: Store, query: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        found(store, query)

    assert refused.value.code is ErrorCode.INVALID_INPUT
    assert set(refused.value.issues or ()) == {"query"}


def test_a_query_has_a_longest_length(store: Store) -> None:
    assert found(store, "x" * MAX_QUERY) == []
    with pytest.raises(InvalidInput) as refused:
        found(store, "x" * (MAX_QUERY + 1))

    assert set(refused.value.issues or ()) == {"query"}


def test_the_longest_words_and_the_last_one_lead_to_what_has_all_the_others(store: Store) -> None:
    add_issue(store, "authorization timeout session new")
    counter = Counter()

    matches = search.find(
        watched(store, counter).table, WORKSPACE, query_of("ab abc session timeout authorization cd new")
    )

    assert matches == (["iss_1"], True)
    assert (counter.reads, counter.writes) == (4, 0)
    assert found(store, "ab abc session timeout authorization cd new") == []


def test_every_word_counts_wherever_it_stands(store: Store) -> None:
    add_issue(store, "alpha bravo charlie delta echo", "one ab foxtrot")
    settle(store)
    add_issue(store, "alpha bravo charlie delta golf", issue_id="iss_2")

    assert found(store, "ab alpha bravo charlie delta") == ["iss_1"]
    assert found(store, "one ab echo alpha bravo charlie delta foxtrot") == ["iss_1"]
    assert found(store, "golf echo alpha bravo charlie delta") == []


def test_a_new_title_has_all_of_its_words_before_it_is_settled(store: Store) -> None:
    add_issue(store, "ab alpha bravo charlie delta")

    assert found(store, "ab alpha bravo charlie delta") == ["iss_1"]


def test_a_long_beginning_finds_only_what_begins_so(store: Store) -> None:
    add_issue(store, "internationalization", issue_id="iss_1")
    add_issue(store, "internationally", issue_id="iss_2")
    add_issue(store, "other", "internationaliz", issue_id="iss_3")
    for issue_id in ("iss_1", "iss_2", "iss_3"):
        settle(store, issue_id=issue_id)

    assert found(store, "internationali") == ["iss_1"]
    assert found(store, "internationaliz") == ["iss_3", "iss_1"]
    assert found(store, "internatio") == ["iss_2", "iss_1"]


def test_a_word_that_comes_twice_is_asked_for_once(store: Store) -> None:
    add_issue(store, "login error log")
    settle(store)
    counter = Counter()

    matches = search.find(watched(store, counter).table, WORKSPACE, query_of("log error LOG"))

    assert matches == (["iss_1"], True)
    assert counter.reads == 2


def test_an_answer_has_no_more_issues_than_are_read_and_says_so(store: Store) -> None:
    put_terms(store, "common", range(MAX_ROWS + 1))

    matches = search.find(store.table, WORKSPACE, query_of("common"))

    assert matches.issue_ids == ids(range(1, MAX_ROWS + 1))
    assert not matches.is_complete


def test_a_word_that_is_read_whole_gives_a_complete_answer(store: Store) -> None:
    put_terms(store, "common", range(MAX_ROWS - 1))

    assert found(store, "common") == ids(range(MAX_ROWS - 1))


def test_a_common_word_does_not_hide_the_old_issues_of_a_rare_one(store: Store) -> None:
    put_terms(store, "common", range(0, 1200, 2))
    put_terms(store, "scarce", range(4))
    counter = Counter()

    matches = search.find(watched(store, counter).table, WORKSPACE, query_of("common scarce"))

    assert matches == (["iss_00002", "iss_00000"], True)
    assert counter.reads == 3


def test_the_beginning_of_a_word_counts_only_at_the_end_of_a_query_however_common(store: Store) -> None:
    put_terms(store, "com", range(600), place="prefix")
    put_terms(store, "rare", range(4))

    assert found(store, "com rare") == []
    assert found(store, "rare com") == ids(range(4))


def test_what_is_too_much_to_look_up_is_left_out_and_said(store: Store) -> None:
    put_terms(store, "common", range(800))
    put_terms(store, "custom", range(MAX_LOOKED_UP + 20))
    counter = Counter()

    matches = search.find(watched(store, counter).table, WORKSPACE, query_of("common custom"))

    assert matches == (ids(range(20, MAX_LOOKED_UP + 20)), False)
    assert counter.reads == 3


def test_a_search_never_costs_more_than_it_is_planned_for(store: Store) -> None:
    for term in ("aaaa", "bbbb", "cccc"):
        put_terms(store, term, range(650))
    put_terms(store, "dddd", range(MAX_LOOKED_UP // 3))
    counter = Counter()

    matches = search.find(watched(store, counter).table, WORKSPACE, query_of("aaaa bbbb cccc dddd"))

    assert matches == (ids(range(MAX_LOOKED_UP // 3)), True)
    assert counter.reads == 6


def test_an_answer_can_say_what_was_searched() -> None:
    coverage = search.COVERAGE.model_dump(by_alias=True)

    assert coverage == {"match": "words", "fields": ["title", "description"]}
