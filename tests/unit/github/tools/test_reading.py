"""What is linked, what is connected, and what GitHub finds."""

import pytest

from functions.github import rules
from tests.unit.github.tools.hubs import Hub


def test_what_is_found_on_github_is_of_this_repository_alone(hub: Hub) -> None:
    hub.app.add_issue("Login hangs", labels=["bug"])
    hub.app.add_pull("mend", title="Mend the login")
    hub.github.add_repository("acme/secret", web="https://github.com").add_issue("Login of others")

    def titles(query: str, **more: object) -> list[str]:
        given = {"mappingId": hub.mapping_id, "query": query, **more}
        return [one["title"] for one in hub.office.rows("github.search", given)]

    assert set(titles("login")) == {"Login hangs", "Mend the login"}
    assert titles("login", type="pr") == ["Mend the login"]
    assert "Login of others" not in titles("login repo:acme/secret")


def test_a_row_of_a_search_says_whose_words_they_are(hub: Hub) -> None:
    hub.app.add_issue("Login hangs", labels=["bug"])

    found = hub.office.call("github.search", {"repoFullName": "Acme/App", "query": "login", "limit": 1})

    (row,) = found["data"]
    assert row == {
        "resourceType": "ISSUE",
        "number": 1,
        "url": "https://github.com/acme/app/issues/1",
        "title": "Login hangs",
        "state": "open",
        "labels": ["bug"],
        "author": "octocat",
        "updatedAt": row["updatedAt"],
        "trust": "UNTRUSTED",
    }


def test_connected_repositories_are_listed_and_native_ones_are_not(hub: Hub) -> None:
    hub.office.call("repositories.register", {"fullName": "acme/here", "provider": "native"})

    assert hub.office.rows("github.listMappings") == [
        {
            "id": hub.mapping_id,
            "provider": "github",
            "kind": "repo",
            "target": "acme/app",
            "status": "active",
        }
    ]


def test_the_bundle_has_what_is_linked(hub: Hub) -> None:
    number, issue_id = hub.app.add_pull("mend", title="Mend it"), hub.an_issue()
    linked = hub.link(issue_id, number, "IMPLEMENTS", what="pull")

    bundle = hub.office.call("agent.context.bundle", {"issueId": issue_id})

    assert bundle["externalResources"] == [
        {
            "id": linked["resource"]["id"],
            "kind": "IMPLEMENTS",
            "resourceType": "PULL_REQUEST",
            "url": "https://github.com/acme/app/pull/1",
            "title": "Mend it",
            "state": "open",
            "author": "octocat",
            "trust": "UNTRUSTED",
            "lastSyncedAt": linked["resource"]["lastSyncedAt"],
        }
    ]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("login hangs", "login hangs"),
        ("login repo:other/app org:acme USER:ada -owner:x is:open", "login is:open"),
        ('repo:"other/app" login (user:ada)', "login ( )"),
        ("xrepo:y monorepo", "xrepo:y monorepo"),
    ],
)
def test_a_search_leads_to_no_other_repository(query: str, words: str) -> None:
    assert rules.words_of(query) == words


def test_where_to_search_is_nothing_to_search_for(hub: Hub) -> None:
    given = {"mappingId": "acme/app", "query": "repo:other/app"}

    assert hub.office.refused("github.search", given) == (400, "invalid_input", {"query"})
