"""The comments of an issue are listed the newest first, and none is lost between pages."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from forge.store.walks import MAX_READ
from forge.work.record.texts import KeptText
from tests.workshop.comments import a_comment, an_agents_key, many_comments
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office


def a_thread(office: Office, issue_id: str, number: int, **fields: Any) -> list[str]:
    """The ids of comments that were written a second apart, the newest first."""
    made = []
    for _ in range(number):
        office.world.clock.advance(seconds=1)
        made += many_comments(office, issue_id, 1, **fields)
    return [comment.id for comment in reversed(made)]


def pages(office: Office, issue_id: str, **how: Any) -> list[Body]:
    """Every page, each asked for with the cursor of the one before."""
    found = [office.call("comments.list", {"issueId": issue_id, **how})]
    while "nextCursor" in found[-1]:
        cursor = found[-1]["nextCursor"]
        found.append(office.call("comments.list", {"issueId": issue_id, "cursor": cursor, **how}))
        by_time = office.call("comments.list", {"issueId": issue_id, "before": cursor, **how})
        assert by_time == found[-1]
    return found


def ids(*found: Body) -> list[str]:
    return [row["id"] for page in found for row in page["data"]]


def test_comments_of_other_issues_are_not_listed(office: Office) -> None:
    issue_id, other_id = an_issue(office), an_issue(office)
    a_thread(office, other_id, 2)
    (own,) = a_thread(office, issue_id, 1)

    assert ids(*pages(office, issue_id)) == [own]


def test_people_and_agents_are_shown_by_name(office: Office) -> None:
    issue_id = an_issue(office)
    person, agent = office.a_colleague(name="Ada", handle="ada"), office.an_agent("worker")
    a_comment(office, issue_id, key=person.key)
    office.world.clock.advance(seconds=1)
    a_comment(office, issue_id, key=an_agents_key(office, agent["id"]))

    by_agent, by_person = office.rows("comments.list", {"issueId": issue_id})

    assert by_person["author"] == {"id": person.id, "name": "Ada", "handle": "ada"}
    assert by_person["authoringAgent"] is by_agent["author"] is None
    assert by_agent["authoringAgent"] == {"id": agent["id"], "profileKey": "worker", "name": "Worker"}


def test_who_left_keeps_only_the_id(office: Office) -> None:
    issue_id, person = an_issue(office), office.a_colleague(name="Ada", handle="ada")
    a_comment(office, issue_id, key=person.key)
    office.call("members.remove", {"userId": person.id})

    (row,) = office.rows("comments.list", {"issueId": issue_id})

    assert row["author"] == {"id": person.id, "name": None, "handle": None}


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pages_follow_each_other_without_a_gap(office: Office, limit: int) -> None:
    issue_id = an_issue(office)
    thread = a_thread(office, issue_id, 7)

    found = pages(office, issue_id, limit=limit)

    assert ids(*found) == thread
    assert {len(page["data"]) for page in found[:-1]} <= {limit}
    assert all("truncated" not in page for page in found)


def test_the_cursor_is_the_time_of_the_last_row(office: Office) -> None:
    issue_id = an_issue(office)
    office.world.clock.advance(milliseconds=7)
    a_thread(office, issue_id, 3)

    page = office.call("comments.list", {"issueId": issue_id, "limit": 2})

    assert page["nextCursor"] == page["data"][-1]["createdAt"]


def test_fifty_are_shown_unless_asked_otherwise(office: Office) -> None:
    issue_id = an_issue(office)
    thread = a_thread(office, issue_id, 52)

    assert ids(office.call("comments.list", {"issueId": issue_id})) == thread[:50]


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 6])
def test_comments_of_one_moment_are_never_parted(office: Office, limit: int) -> None:
    issue_id = an_issue(office)
    moments = [many_comments(office, issue_id, 2)]
    for number in (3, 1):
        office.world.clock.advance(milliseconds=1)
        moments.append(many_comments(office, issue_id, number))

    found = pages(office, issue_id, limit=limit)

    wanted = [comment.id for moment in reversed(moments) for comment in reversed(moment)]
    assert ids(*found) == wanted
    for page in found:
        assert len(page["data"]) >= min(limit, 1)


@pytest.mark.parametrize(("number", "limit"), [(60, 1), (130, 1), (260, 200)])
def test_a_moment_with_more_comments_than_a_page_is_one_page(office: Office, number: int, limit: int) -> None:
    issue_id = an_issue(office)
    older = a_thread(office, issue_id, 1)
    office.world.clock.advance(seconds=1)
    crowd = many_comments(office, issue_id, number)
    newer = a_thread(office, issue_id, 1)

    found = pages(office, issue_id, limit=limit, fields=["id"])

    assert ids(*found) == [*newer, *(comment.id for comment in reversed(crowd)), *older]


def test_before_is_exclusive(office: Office) -> None:
    issue_id = an_issue(office)
    older = a_thread(office, issue_id, 1)
    many_comments(office, issue_id, 1)
    office.world.clock.advance(milliseconds=1)
    newer = many_comments(office, issue_id, 1)[0]

    def listed(before: datetime) -> list[str]:
        return ids(office.call("comments.list", {"issueId": issue_id, "before": before.isoformat()}))

    now = office.world.clock()
    assert newer.id not in listed(now)
    assert len(listed(now)) == 2
    assert listed(now - timedelta(milliseconds=1)) == []
    assert newer.id in listed(now + timedelta(milliseconds=1))
    assert older[0] in listed(now + timedelta(days=1))


@pytest.mark.parametrize(
    ("before", "number"),
    [
        ("0001-01-01T00:00:00Z", 0),
        ("9999-12-31T23:59:59.999999Z", 1),
        ("9999-12-31", 1),
        ("2020-01-01T00:00:00+14:00", 0),
    ],
)
def test_every_moment_can_be_asked_for(office: Office, before: str, number: int) -> None:
    issue_id = an_issue(office)
    a_thread(office, issue_id, 1)

    assert len(office.rows("comments.list", {"issueId": issue_id, "before": before})) == number


def test_many_deleted_comments_only_shorten_a_page(office: Office) -> None:
    issue_id = an_issue(office)
    first = a_thread(office, issue_id, 1)
    a_thread(office, issue_id, MAX_READ, deleted_at=office.world.clock())
    last = a_thread(office, issue_id, 1)

    found = pages(office, issue_id, limit=2)

    assert ids(*found) == [*last, *first]
    assert found[0]["truncated"] is True
    assert "truncated" not in found[-1]


def test_an_answer_is_cut_where_it_would_be_too_long(office: Office) -> None:
    issue_id = an_issue(office)
    thread = a_thread(office, issue_id, 10, body=KeptText(text="漢" * 9_000))

    found = pages(office, issue_id)

    assert ids(*found) == thread
    assert [len(page["data"]) for page in found] == [4, 4, 2]
    assert [page.get("truncated") for page in found] == [True, True, None]
    for page in found:
        assert len(json.dumps(page, ensure_ascii=False, separators=(",", ":"))) <= 40_000


def test_texts_that_are_kept_apart_are_cut_and_read_like_others(office: Office) -> None:
    issue_id, body = an_issue(office), "😀" * 30_000
    for _ in range(3):
        office.world.clock.advance(seconds=1)
        a_comment(office, issue_id, body)

    found = pages(office, issue_id)

    assert [[row["body"] for row in page["data"]] for page in found] == [[body], [body], [body]]


def test_one_row_is_shown_however_long_it_is(office: Office) -> None:
    issue_id = an_issue(office)
    a_thread(office, issue_id, 1)
    office.world.clock.advance(seconds=1)
    a_comment(office, issue_id, "\\" * 50_000)

    first, second = pages(office, issue_id)

    assert (len(first["data"]), first["truncated"], len(second["data"])) == (1, True, 1)


def test_long_comments_of_one_moment_are_not_parted_either(office: Office) -> None:
    issue_id = an_issue(office)
    older = a_thread(office, issue_id, 1)
    office.world.clock.advance(seconds=1)
    crowd = many_comments(office, issue_id, 3, body=KeptText(text="x" * 30_000))

    first, second = pages(office, issue_id)

    assert ids(first) == [comment.id for comment in reversed(crowd)]
    assert ids(second) == older


def test_more_than_a_request_reads_is_read_on(office: Office) -> None:
    issue_id = an_issue(office)
    thread = a_thread(office, issue_id, 2)
    office.world.clock.advance(seconds=1)
    crowd = many_comments(office, issue_id, 25, body=KeptText(text="x" * 50_000))

    found = pages(office, issue_id, fields=["id"])

    assert ids(*found) == [*(comment.id for comment in reversed(crowd)), *thread]


def test_a_page_ends_where_it_would_need_too_many_names(office: Office) -> None:
    issue_id = an_issue(office)
    wanted: list[str] = []
    for number in range(120):
        wanted = a_thread(office, issue_id, 1, author_id=f"usr_gone{number}") + wanted

    found = pages(office, issue_id, limit=200, fields=["author"])

    assert ids(*found) == wanted
    assert [len(page["data"]) for page in found] == [98, 22]
    assert found[0]["truncated"] is True
