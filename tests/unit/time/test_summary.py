"""What many entries come to, by whatever they are grouped by."""

from datetime import timedelta
from typing import Any

from functions.time.repository.entries import TimeEntryItem
from tests.workshop.issues import a_project, an_issue
from tests.workshop.office import Body, Office
from tests.workshop.time import ago, logged

PAID: dict[str, Any] = {"billable": True, "hourlyRate": 60}


def buckets(summary: Body) -> list[tuple[str, int, float]]:
    return [(one["key"], one["minutes"], one["billableAmount"]) for one in summary["buckets"]]


def labels(summary: Body) -> list[str | None]:
    return [one.get("label") for one in summary["buckets"]]


def test_everybodys_finished_entries_are_added_up_by_issue(office: Office) -> None:
    issue = office.call("issues.create", {"title": "Fix the login"})
    logged(office, 30, issueId=issue["id"], **PAID)
    logged(office, 20, issueId=issue["id"], key=office.a_colleague().key)
    logged(office, 10, **PAID)
    office.call("time.start", {"issueId": issue["id"], **PAID})
    office.world.clock.advance(hours=1)

    summary = office.call("time.summary", {"groupBy": "issue"})

    assert (summary["totalMinutes"], summary["totalBillableAmount"], summary["entries"]) == (60, 40.0, 3)
    assert buckets(summary) == [(issue["id"], 50, 30.0), ("unassigned", 10, 10.0)]
    assert labels(summary) == [f"{issue['identifier']} Fix the login", None]
    assert "truncated" not in summary


def test_projects_are_those_that_the_issues_are_in_now(office: Office) -> None:
    project_id, issue = a_project(office), office.call("issues.create", {"title": "Fix the login"})
    logged(office, 30, issueId=issue["id"])
    logged(office, 10, issueId=an_issue(office))
    office.call("issues.update", {"id": issue["id"], "projectId": project_id})

    summary = office.call("time.summary", {"groupBy": "project"})

    assert buckets(summary) == [(project_id, 30, 0.0), ("unassigned", 10, 0.0)]
    assert labels(summary) == ["Website", None]


def test_people_and_agents_are_named(office: Office) -> None:
    colleague, agent = office.a_colleague(name="Grace"), office.an_agent()
    logged(office, 30, key=colleague.key)
    logged(office, 20, key=office.an_agents_key(agent["id"]))

    summary = office.call("time.summary", {"groupBy": "user"})

    assert buckets(summary) == [(colleague.id, 30, 0.0), (agent["id"], 20, 0.0)]
    assert labels(summary) == ["Grace", "Worker"]


def test_a_day_is_a_day_of_whoever_asks(office: Office) -> None:
    in_tokyo = office.a_colleague(timezone="Asia/Tokyo")
    logged(office, 30, startedAt="2026-03-01T14:30:00Z")
    logged(office, 20, startedAt="2026-03-01T15:30:00Z")

    there = office.call("time.summary", {}, key=in_tokyo.key)
    here = office.call("time.summary", {})

    assert (there["timezone"], buckets(there)) == (
        "Asia/Tokyo",
        [("2026-03-01", 30, 0.0), ("2026-03-02", 20, 0.0)],
    )
    assert (here["timezone"], buckets(here)) == ("UTC", [("2026-03-01", 50, 0.0)])


def test_it_takes_the_filters_of_the_list(office: Office) -> None:
    colleague, issue = office.a_colleague(), office.call("issues.create", {"title": "Fix the login"})
    logged(office, 1, startedAt=ago(office, days=9), issueId=issue["id"], key=colleague.key, **PAID)
    logged(office, 2, issueId=issue["id"], key=colleague.key, **PAID)
    logged(office, 4, issueId=issue["id"], key=colleague.key)
    logged(office, 8, key=colleague.key, **PAID)
    logged(office, 16, issueId=issue["id"], **PAID)

    asked = {"userId": colleague.id, "issueId": issue["id"], "from": ago(office, days=1), "billable": True}

    assert buckets(office.call("time.summary", {**asked, "groupBy": "billable"})) == [("billable", 2, 2.0)]


def test_the_sums_of_all_parts_add_up(office: Office) -> None:
    for minutes in (1, 2, 4):
        logged(office, minutes, **PAID)

    first = office.call("time.summary", {"limit": 2})
    rest = office.call("time.summary", {"limit": 2, "cursor": first["nextCursor"]})

    assert (first["totalMinutes"], first["entries"], first["truncated"]) == (3, 2, True)
    assert (rest["totalMinutes"], rest["entries"], "nextCursor" in rest) == (4, 1, False)


def many_entries(office: Office, number: int) -> None:
    """Of a minute each, every one on another issue."""
    now = office.world.clock()
    entries = [
        TimeEntryItem(
            workspace_id=office.workspace.id,
            id=office.world.ids("time"),
            user_id="usr_1",
            issue_id=f"iss_{place}",
            started_at=now - timedelta(minutes=place + 1),
            ended_at=now - timedelta(minutes=place),
        )
        for place in range(number)
    ]
    office.put(*entries)


def test_it_ends_at_five_hundred_entries_and_goes_on_there(office: Office) -> None:
    many_entries(office, 501)

    first = office.call("time.summary", {"groupBy": "user"})
    rest = office.call("time.summary", {"groupBy": "user", "cursor": first["nextCursor"]})

    assert (first["totalMinutes"], first["truncated"]) == (500, True)
    assert (rest["totalMinutes"], "truncated" in rest) == (1, False)


def test_it_ends_where_more_names_would_be_needed_than_one_request_reads(office: Office) -> None:
    many_entries(office, 120)

    first = office.call("time.summary", {"groupBy": "issue"})
    rest = office.call("time.summary", {"groupBy": "issue", "cursor": first["nextCursor"]})

    assert (first["entries"], first["truncated"]) == (99, True)
    assert (rest["entries"], "truncated" in rest) == (21, False)
