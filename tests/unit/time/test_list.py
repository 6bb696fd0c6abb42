"""Entries are found by who worked, on what, when, and whether somebody pays."""

import pytest

from forge.context import KeyKind
from tests.workshop.issues import a_project, an_issue
from tests.workshop.office import Body, Office
from tests.workshop.time import ago, logged

HANDLE = "grace"


def ids(rows: list[Body]) -> list[str]:
    return [row["id"] for row in rows]


def test_ones_own_come_by_default_the_last_first(office: Office) -> None:
    older = logged(office, 30, startedAt=ago(office, hours=9))
    newer = logged(office, 30, startedAt=ago(office, hours=3))
    middle = logged(office, 30, startedAt=ago(office, hours=6))
    logged(office, key=office.a_colleague().key)

    assert office.rows("time.list") == [newer, middle, older]
    assert office.rows("time.list", {"userId": "me"}) == [newer, middle, older]


def test_another_persons_come_by_handle_and_an_agents_by_profile_key(office: Office) -> None:
    colleague, agent = office.a_colleague(handle=HANDLE), office.an_agent("worker")
    theirs = logged(office, key=colleague.key)
    agents = logged(office, key=office.an_agents_key(agent["id"]))
    logged(office)

    assert office.rows("time.list", {"userId": HANDLE}) == [theirs]
    assert office.rows("time.list", {"agentId": "worker"}) == [agents]
    for unknown in ("nobody", "usr_0123456"):
        assert office.refused("time.list", {"userId": unknown}) == (400, "invalid_input", {"userId"})
    both = office.refused("time.list", {"userId": HANDLE, "agentId": "worker"})
    assert both == (400, "invalid_input", {"userId", "agentId"})
    unclear = office.refused("time.list", {"userId": HANDLE, "everybody": True})
    assert unclear == (400, "invalid_input", {"everybody"})


def test_an_issues_are_everybodys_and_all_others_ones_own_unless_said_otherwise(office: Office) -> None:
    colleague, issue = office.a_colleague(), office.call("issues.create", {"title": "Fix the login"})
    own = logged(office, 30, issueId=issue["id"])
    theirs = logged(office, 40, issueId=issue["id"], key=colleague.key)
    elsewhere = logged(office, 50, issueId=an_issue(office))

    wanted = {"issueId": issue["identifier"]}
    assert ids(office.rows("time.list", wanted)) == ids([own, theirs])
    assert office.rows("time.list", {**wanted, "everybody": False}) == [own]
    assert ids(office.rows("time.list")) == ids([own, elsewhere])
    assert office.rows("time.list", {**wanted, "userId": colleague.id}) == [theirs]
    assert ids(office.rows("time.list", {**wanted, "everybody": True})) == ids([own, theirs])
    everybodys = office.rows("time.list", {"everybody": True})
    assert ids(everybodys) == ids([own, theirs, elsewhere])
    assert office.refused("time.list", {"issueId": "iss_unknown"}) == (404, "not_found", set())


def test_both_bounds_are_included(office: Office) -> None:
    entries = [logged(office, 5, startedAt=ago(office, hours=hours)) for hours in (1, 2, 3, 4)]
    bounds = {"from": entries[2]["startedAt"], "to": entries[1]["startedAt"]}

    assert office.rows("time.list", bounds) == entries[1:3]
    backwards = {"from": bounds["to"], "to": bounds["from"]}
    assert office.refused("time.list", backwards) == (400, "invalid_input", {"to"})


def test_a_date_is_a_whole_day_where_the_caller_lives(office: Office) -> None:
    in_tokyo = office.a_colleague(timezone="Asia/Tokyo")
    # The 2nd of March 2026 begins there at 15:00 UTC of the 1st.
    times = ["2026-03-01T14:59:00Z", "2026-03-01T15:00:00Z", "2026-03-02T14:59:59Z", "2026-03-02T15:00:00Z"]
    before, first, last, after = [logged(office, 5, startedAt=one, key=in_tokyo.key) for one in times]
    day = {"from": "2026-03-02", "to": "2026-03-02", "userId": in_tokyo.id}

    assert office.rows("time.list", day, key=in_tokyo.key) == [last, first]
    assert office.rows("time.list", day) == [after, last]
    assert before not in office.rows("time.list", {"userId": in_tokyo.id, "from": "2026-03-01T15:00:00Z"})


def test_billable_ones_or_the_others(office: Office) -> None:
    paid, unpaid = logged(office, 5, billable=True), logged(office, 6)

    assert office.rows("time.list", {"billable": True}) == [paid]
    assert office.rows("time.list", {"billable": False}) == [unpaid]


def test_pages_follow_each_other_within_their_bounds(office: Office) -> None:
    entries = [logged(office, 5, startedAt=ago(office, hours=hours)) for hours in range(1, 6)]
    asked: Body = {"limit": 2, "from": entries[3]["startedAt"]}

    first = office.call("time.list", asked)
    second = office.call("time.list", {**asked, "cursor": first["nextCursor"]})

    assert first["data"] + second["data"] == entries[:4]
    assert "nextCursor" not in second
    narrower = {"from": entries[0]["startedAt"], "cursor": first["nextCursor"]}
    assert office.refused("time.list", narrower) == (400, "invalid_input", {"cursor"})


def test_a_narrowed_key_sees_what_was_spent_on_its_issues_and_its_own_on_none(office: Office) -> None:
    project_id = a_project(office)
    narrowed = office.a_key(projectIds=[project_id])["rawKey"]
    colleague = office.a_colleague()
    seen = an_issue(office, projectId=project_id)
    visible = [logged(office, 10, issueId=seen), logged(office, 20, issueId=seen, key=colleague.key)]
    own = logged(office, 30)
    logged(office, 40, key=colleague.key)
    logged(office, 50, issueId=an_issue(office))

    rows = office.rows("time.list", {"everybody": True}, key=narrowed)

    assert rows == [*visible, own]
    assert office.call("time.summary", {}, key=narrowed)["totalMinutes"] == 60


def test_a_key_of_nobody_has_no_time_of_its_own(office: Office) -> None:
    nobody = office.world.a_key(kind=KeyKind.AGENT, workspace=office.workspace)
    entry = logged(office)

    assert office.refused("time.list", key=nobody) == (403, "forbidden", set())
    assert office.rows("time.list", {"everybody": True}, key=nobody) == [entry]


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_too_far_away_is_refused_or_finds_nothing(office: Office, day: str) -> None:
    caller = office.a_colleague(timezone="Asia/Tokyo" if day < "2" else "America/New_York")

    refused = office.refused("time.list", {"from": day, "to": day}, key=caller.key)

    assert refused[:2] == (400, "invalid_input")
