"""Which rows of the log are asked for, and where they are looked for."""

from datetime import datetime, timedelta

import pytest

from forge.store.keys import sortable_time
from forge.testing.clock import NOON
from forge.work.record.log.rows import LOG, LOG_OF_ISSUE, LOG_OF_SUBJECT, LogItem
from functions.admin.rules.audit import AboutIssue, WantedRows

ISSUE = AboutIssue("iss_1", NOON)
HOUR = timedelta(hours=1)
EVERYTHING = LOG("ws_1")


def a_row(entity: str, entity_id: str, issue_id: str | None = None) -> LogItem:
    return LogItem(
        workspace_id="ws_1",
        id="evt_1",
        subject_type=entity,
        subject_id=entity_id,
        action="update",
        tool="issues.update",
        key_id="key_1",
        request_id="req_1",
        issue_id=issue_id,
        created_at=NOON,
    )


@pytest.mark.parametrize(
    ("wanted", "place"),
    [
        (WantedRows(), (EVERYTHING, None)),
        (WantedRows("agent"), (EVERYTHING, None)),
        (WantedRows("agent", "agt_1"), (LOG_OF_SUBJECT("ws_1", "agent", "agt_1"), "subject")),
        (WantedRows(issue=ISSUE), (LOG_OF_ISSUE("ws_1", "iss_1"), "updated")),
        (WantedRows("run", issue=ISSUE), (LOG_OF_ISSUE("ws_1", "iss_1"), "updated")),
        (WantedRows("run", "run_1", ISSUE), (LOG_OF_SUBJECT("ws_1", "run", "run_1"), "subject")),
        (WantedRows("issue", issue=ISSUE), (LOG_OF_ISSUE("ws_1", "iss_1"), "updated")),
        (WantedRows("issue", "iss_2", ISSUE), (LOG_OF_ISSUE("ws_1", "iss_2"), "updated")),
    ],
)
def test_one_thing_and_one_issue_are_looked_for_in_their_own_rows(
    wanted: WantedRows, place: tuple[str, str | None]
) -> None:
    (source,) = wanted.listing("ws_1").sources

    assert (source.partition, source.index) == place


def test_what_is_about_an_issue_is_the_issue_and_whatever_belongs_to_it() -> None:
    about = WantedRows(issue=ISSUE)

    assert about.accepts(a_row("issue", "iss_1"))
    assert about.accepts(a_row("comment", "cmt_1", "iss_1"))
    assert not about.accepts(a_row("comment", "iss_1", "iss_2"))
    assert not about.accepts(a_row("agent", "agt_1"))


def test_both_a_kind_and_an_issue_must_fit() -> None:
    wanted = WantedRows("run", issue=ISSUE)

    assert wanted.accepts(a_row("run", "run_1", "iss_1"))
    assert not wanted.accepts(a_row("run", "run_1", "iss_2"))
    assert not wanted.accepts(a_row("issue", "iss_1", "iss_1"))


@pytest.mark.parametrize(
    ("wanted", "newest", "oldest"),
    [
        (WantedRows(), None, None),
        (WantedRows(since=NOON), None, NOON),
        (WantedRows(until=NOON), NOON, None),
        (WantedRows(issue=ISSUE), None, NOON),
        (WantedRows(issue=ISSUE, since=NOON - HOUR, until=NOON + HOUR), NOON + HOUR, NOON),
        (WantedRows(issue=ISSUE, since=NOON + HOUR), None, NOON + HOUR),
        (WantedRows(issue=ISSUE, until=NOON - HOUR), NOON, NOON),
    ],
    ids=["all", "from", "to", "the issue's time", "cut to the issue's", "later", "before there was one"],
)
def test_the_log_is_read_between_two_times_and_never_from_before_the_issue(
    wanted: WantedRows, newest: datetime | None, oldest: datetime | None
) -> None:
    listing = wanted.listing("ws_1")

    said = [sortable_time(one) if one else "" for one in (newest, oldest)]
    assert [listing.start, listing.end] == said
