"""issues.list with a query: words of title and description, closed issues too, and what was looked at."""

import pytest

from forge.work.record.search.search import MAX_ROWS
from tests.unit.work.indexed_issues import put_terms
from tests.workshop.issues import a_project, an_issue, ids, move, relay
from tests.workshop.office import Office


def found(office: Office, query: str, **filters: object) -> set[str]:
    return set(ids(office.rows("issues.list", {"query": query, "limit": 100, **filters})))


def test_an_issue_is_found_by_a_word_of_its_title_at_once(office: Office) -> None:
    issue_id = an_issue(office, "Fix the Login-Timeout")
    an_issue(office, "Something else")

    for query in ("login", "TIMEOUT", "timeout login", "login-timeout", "fix timeout"):
        assert found(office, query) == {issue_id}


def test_a_new_title_is_found_at_once_and_the_old_one_no_more_later(office: Office) -> None:
    issue_id = an_issue(office, "Fix the login")
    office.call("issues.update", {"id": issue_id, "title": "Mend the logout"})

    assert found(office, "logout") == {issue_id}
    relay(office)

    assert (found(office, "login"), found(office, "logout")) == (set(), {issue_id})


def test_a_new_description_is_found_and_the_old_one_is_not(office: Office) -> None:
    issue_id = an_issue(office, "Fix it", description="cookie")
    relay(office)
    office.call("issues.update", {"id": issue_id, "description": "session"})
    relay(office)

    assert (found(office, "cookie"), found(office, "session")) == (set(), {issue_id})


def test_an_agents_template_is_found_like_any_description(office: Office) -> None:
    issue_id = an_issue(office, "Fix it")
    agent_id = office.an_agent(templateMarkdown="Reproduce first")["id"]
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent_id})
    relay(office)

    assert found(office, "reproduce") == {issue_id}


def test_closed_issues_are_found_unless_they_are_not_wanted(office: Office) -> None:
    opened, done, canceled = (an_issue(office, "Fix the login") for _ in range(3))
    move(office, done, "DONE")
    move(office, canceled, "CANCELED")

    assert found(office, "login") == {opened, done, canceled}
    assert found(office, "login", includeDone=True) == {opened, done, canceled}
    assert found(office, "login", includeDone=False) == {opened, canceled}
    assert found(office, "login", statusCategories=["DONE"]) == {done}


def test_every_other_filter_narrows_a_query_further(office: Office) -> None:
    project_id, label_id = a_project(office), office.a_label()["id"]
    wanted = an_issue(office, "Fix login", projectId=project_id, labelIds=[label_id], priority="HIGH")
    an_issue(office, "Fix login", projectId=project_id)
    an_issue(office, "Fix login", labelIds=[label_id], priority="HIGH")
    an_issue(office, "Fix logout", projectId=project_id, labelIds=[label_id], priority="HIGH")

    filters = {"projectId": project_id, "labelIds": [label_id], "priority": "HIGH", "queued": False}

    assert found(office, "login", **filters) == {wanted}
    assert found(office, "login", **filters | {"queued": True}) == set()


def test_the_answer_says_what_was_looked_at(office: Office) -> None:
    answer = office.call("issues.list", {"query": "nothing"})

    assert answer == {"data": [], "coverage": {"match": "words", "fields": ["title", "description"]}}
    assert "coverage" not in office.call("issues.list")


def test_a_search_that_can_not_see_everything_says_why(office: Office) -> None:
    store = office.world.services.store
    put_terms(store, "login", range(MAX_ROWS + 1), workspace_id=office.workspace.id)

    answer = office.call("issues.list", {"query": "login"})

    assert answer["truncated"] is True
    assert "rarer" in answer["reason"]


@pytest.mark.parametrize("query", ["", "   ", "!?", "x" * 201])
def test_a_query_without_a_word_or_too_long_is_a_mistake(office: Office, query: str) -> None:
    assert office.refused("issues.list", {"query": query}) == (400, "invalid_input", {"query"})
