"""Links to pages: whole where the deployment knows its address, and paths where it does not."""

import pytest

from forge.context import Context
from forge.testing.builders import a_context
from forge.work.record import links


def reached_at(public_url: str) -> Context:
    ctx = a_context()
    ctx.services = ctx.services._replace(public_url=public_url)
    return ctx


@pytest.mark.parametrize(
    ("public_url", "url"),
    [
        ("https://forge.example.com", "https://forge.example.com/console/issues/DEMO-12"),
        ("https://forge.example.com/", "https://forge.example.com/console/issues/DEMO-12"),
        ("", "/console/issues/DEMO-12"),
    ],
)
def test_a_link_begins_with_the_address_that_is_known(public_url: str, url: str) -> None:
    assert links.issue_url(reached_at(public_url), "DEMO-12") == url


def test_a_repository_keeps_its_two_parts_and_nothing_that_ends_a_path() -> None:
    url = links.pull_request_url(
        reached_at("https://forge.example.com"), "demo/what?#app", 7, identifier="DEMO-3"
    )

    assert url == "https://forge.example.com/console/repositories/demo/what%3F%23app/pulls/7?issue=DEMO-3"


@pytest.mark.parametrize(
    ("subject_type", "issue_id", "goal_id", "path"),
    [
        ("issue", "iss_1", None, "/console/issues/it"),
        ("action-request", "iss_1", None, "/console/requests/it"),
        ("review-gate", None, "goal_1", "/console/gates/it"),
        ("goal", "iss_1", None, "/console/goals/it"),
        ("execution-step", "iss_1", None, "/console/issues/iss_1"),
        ("execution-plan", "iss_1", "goal_1", "/console/goals/goal_1"),
        ("agent", None, None, "/console/agents"),
        ("chat-thread", None, None, None),
    ],
)
def test_a_subject_is_shown_on_its_own_page_or_on_that_of_what_it_belongs_to(
    subject_type: str, issue_id: str | None, goal_id: str | None, path: str | None
) -> None:
    url = links.subject_url(
        "https://forge.example.com/", subject_type, "it", issue_id=issue_id, goal_id=goal_id
    )

    assert url == (path and f"https://forge.example.com{path}")
