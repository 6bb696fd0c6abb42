"""How live runs go is dated by when that was written, and stands before all else that was said."""

from typing import Any

import pytest

from tests.workshop.comments import a_comment, an_agents_key, many_comments
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office

SAID_SINCE = 60


@pytest.fixture
def issue_id(office: Office) -> str:
    return an_issue(office)


@pytest.fixture
def keys(office: Office) -> list[str]:
    """Of two agents."""
    return [an_agents_key(office, office.an_agent(name)["id"]) for name in ("one", "two")]


def say(office: Office, issue_id: str, key: str, body: str = "Going on.") -> Body:
    office.world.clock.advance(seconds=1)
    return office.call("comments.upsertStatus", {"issueId": issue_id, "body": body}, key=key)


def talk(office: Office, issue_id: str, number: int) -> list[str]:
    """What others say meanwhile, the newest first."""
    made = []
    for _ in range(number):
        office.world.clock.advance(seconds=1)
        made += many_comments(office, issue_id, 1)
    return [one.id for one in reversed(made)]


def listed(office: Office, issue_id: str, **how: Any) -> list[list[str]]:
    """The ids on each page."""
    found: list[list[str]] = []
    cursor: dict[str, str] = {}
    while True:
        page = office.call("comments.list", {"issueId": issue_id, **how, **cursor})
        found.append([one["id"] for one in page["data"]])
        if "nextCursor" not in page:
            return found
        cursor = {"cursor": page["nextCursor"]}


def test_a_status_is_dated_by_when_it_was_last_written(
    office: Office, issue_id: str, keys: list[str]
) -> None:
    first = say(office, issue_id, keys[0])
    again = say(office, issue_id, keys[0], "Nearly done.")

    (row,) = office.rows("comments.list", {"issueId": issue_id})

    assert again["id"] == first["id"]
    assert first["createdAt"] < again["createdAt"] == again["updatedAt"] == row["createdAt"]


def test_what_live_runs_say_comes_first_however_much_was_said_since(
    office: Office, issue_id: str, keys: list[str]
) -> None:
    statuses = [say(office, issue_id, key)["id"] for key in keys]
    others = talk(office, issue_id, SAID_SINCE)
    say(office, issue_id, keys[0], "Still at it.")

    bundle = office.call("agent.context.bundle", {"issueId": issue_id})
    shown = office.call("issues.get", {"id": issue_id, "include": {"comments": {"limit": 5}}})
    first, *rest = listed(office, issue_id, limit=20)

    assert [one["id"] for one in bundle["comments"]] == [*statuses, *others[:48][::-1]]
    assert [one["id"] for one in shown["comments"]] == [*statuses, *others[:3][::-1]]
    assert (first[:2], bundle["commentsTruncated"], shown["commentsTruncated"]) == (statuses, True, True)
    assert [*first[2:], *(one for page in rest for one in page)] == others


def test_what_a_run_said_that_is_over_stands_where_it_began(
    office: Office, issue_id: str, keys: list[str]
) -> None:
    status = say(office, issue_id, keys[0])
    (newer,) = talk(office, issue_id, 1)
    office.call("runs.complete", {"runId": status["runId"], "summary": "Done."}, key=keys[0])

    assert listed(office, issue_id) == [[newer, status["id"]]]


def test_live_statuses_are_the_last_to_be_cut(office: Office, issue_id: str, keys: list[str]) -> None:
    status = say(office, issue_id, keys[0])
    for _ in range(6):
        office.world.clock.advance(seconds=1)
        a_comment(office, issue_id, "x" * 8_000)

    bundle = office.call("agent.context.bundle", {"issueId": issue_id})
    shown = office.call("issues.get", {"id": issue_id, "include": {"comments": True}})

    for comments in (bundle["comments"], shown["comments"]):
        assert comments[0]["id"] == status["id"]
        assert 1 < len(comments) < 7


def test_a_claim_without_a_word_says_nothing_yet(office: Office, issue_id: str, keys: list[str]) -> None:
    office.call("issues.claim", {"issueId": issue_id}, key=keys[0])
    others = talk(office, issue_id, 2)

    assert listed(office, issue_id) == [others]
