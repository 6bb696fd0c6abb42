"""The audit tells who changed what, newest first: of everything, one thing, one issue, or a time."""

import pytest

from forge.store.walks import MAX_READ
from forge.work.issues.issues import IssueItem
from tests.workshop.backlog import Session, a_repository, filed, identifier
from tests.workshop.events import a_row
from tests.workshop.office import Body, Office


def audited(office: Office, **arguments: object) -> list[Body]:
    return office.rows("audit.list", arguments)


def changes(rows: list[Body]) -> list[tuple[str, str]]:
    return [(row["tool"], row["entity"]) for row in rows]


def later(office: Office) -> str:
    """The time as callers write it, once a minute has passed."""
    office.world.clock.advance(minutes=1)
    return str(office.world.clock().isoformat())


def test_what_changed_is_told_by_the_names_that_callers_know(office: Office) -> None:
    agent = office.an_agent(name="Worker")
    office.call("agents.update", {"id": agent["id"], "maxConcurrent": 4})

    row = audited(office)[0]

    assert (row["before"], row["after"]) == ({"maxConcurrent": 1}, {"maxConcurrent": 4})


def test_a_kind_of_thing_that_is_never_logged_is_a_mistake(office: Office) -> None:
    assert office.refused("audit.list", {"entity": "isue"}) == (400, "invalid_input", {"entity"})


def test_what_an_agent_did_names_the_agent_and_tells_what_was_announced_where_nothing_else_is_kept(
    office: Office,
) -> None:
    agent_id = office.an_agent()["id"]
    office.call("agents.heartbeat", {"status": "BUSY"}, key=office.an_agents_key(agent_id))

    row = audited(office)[0]

    assert (row["tool"], row["actor"].get("userId"), row["actor"]["agentId"]) == (
        "agents.heartbeat",
        None,
        agent_id,
    )
    assert row["payload"]["to"] == "BUSY"
    assert row.keys().isdisjoint({"before", "after"})


def test_one_thing_is_found_by_id_or_name_and_a_kind_of_thing_by_its_own(office: Office) -> None:
    first, second = office.an_agent("first")["id"], office.an_agent("second")["id"]
    office.a_label()

    assert [row["entityId"] for row in audited(office, entity="agent", entityId=first)] == [first]
    assert [row["entityId"] for row in audited(office, entity="agent", entityId="second")] == [second]
    assert [row["entityId"] for row in audited(office, entity="agent")] == [second, first]


def test_from_is_included_and_to_is_not(office: Office) -> None:
    office.a_label("first")
    start = later(office)
    office.a_label("second")
    end = later(office)
    office.a_label("third")

    found = {
        "from": audited(office, entity="label", **{"from": start}),
        "to": audited(office, entity="label", to=end),
        "both": audited(office, entity="label", **{"from": start, "to": end}),
    }

    names = {asked: [row["after"]["name"] for row in rows] for asked, rows in found.items()}
    assert names == {"from": ["third", "second"], "to": ["second", "first"], "both": ["second"]}


def test_what_the_backlog_did_is_found_by_the_number_of_the_issue(office: Office) -> None:
    a_repository(office)
    number, session = filed(office), Session(office, "a")
    session.select()
    filed(office, "Another")
    session.advance(number, "research")

    rows = audited(office, issueNumber=number)

    tools = [tool for tool, _ in changes(rows)]
    assert list(dict.fromkeys(tools)) == ["advance_workflow", "select_next_issue", "create_issue"]
    assert ("select_next_issue", "workflow") in changes(rows)
    assert ("create_issue", "issue") in changes(rows)
    assert changes(audited(office, entity="workflow", issueNumber=number)) == [
        ("advance_workflow", "workflow"),
        ("select_next_issue", "workflow"),
    ]
    assert {row["entity"] for row in audited(office, entity="issue", issueNumber=number)} == {"issue"}


def test_an_issue_that_was_deleted_is_still_found_by_its_number(office: Office) -> None:
    created = office.call("issues.create", {"title": "Login hangs"})
    table = office.world.services.store.table
    issue = table.find(IssueItem, IssueItem.at(office.workspace.id, created["id"]))
    assert issue is not None
    tx = office.begin()
    tx.replace(issue.changed(deleted_at=office.world.clock()))
    office.commit(tx)

    assert changes(audited(office, issueNumber=1)) == [("issues.create", "issue")]


def test_an_issue_that_is_younger_than_the_time_asked_for_has_nothing(office: Office) -> None:
    before = later(office)
    office.world.clock.advance(minutes=1)
    office.call("issues.create", {"title": "Login hangs"})

    assert office.call("audit.list", {"issueNumber": 1, "to": before}) == {"data": []}


def test_what_is_about_an_issue_is_found_without_reading_anything_else(office: Office) -> None:
    counted = office.counted()
    office.call("issues.create", {"title": "Login hangs"})
    office.call("comments.create", {"issueId": identifier(office, 1), "body": "Since Monday."})
    office.world.clock.advance(minutes=1)
    office.put(*(a_row(office, None, subject=("agent", "agt_1")) for _ in range(MAX_READ)))
    counted.reset()

    found = office.call("audit.list", {"issueNumber": 1})

    read = [len(sent.answer["Items"]) for sent in counted.sent if sent.operation == "Query"]
    assert {row["tool"] for row in found["data"]} == {"issues.create", "comments.create"}
    assert read == [len(found["data"])]
    assert not {"truncated", "nextCursor"} & found.keys()


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"entityId": "agt_1"}, "entity"),
        ({"issueNumber": 4}, "issueNumber"),
        ({"issueNumber": 10**3000}, "issueNumber"),
        ({"entity": "agent", "entityId": "nobody"}, "entityId"),
        ({"from": "2126-11-17T12:00:00Z", "to": "2126-11-16T12:00:00Z"}, "to"),
    ],
    ids=[
        "an id of nothing",
        "no such issue",
        "no number of an issue",
        "no such agent",
        "the wrong way round",
    ],
)
def test_a_filter_that_can_find_nothing_is_a_mistake(office: Office, arguments: Body, field: str) -> None:
    assert office.refused("audit.list", arguments) == (400, "invalid_input", {field})


def test_a_page_that_looked_through_enough_says_so_and_goes_on(office: Office) -> None:
    office.a_label()
    office.world.clock.advance(minutes=1)
    office.put(*(a_row(office, None, subject=("agent", "agt_1")) for _ in range(MAX_READ)))

    first = office.call("audit.list", {"entity": "label"})
    rest = office.call("audit.list", {"entity": "label", "cursor": first["nextCursor"]})

    assert (first["data"], first["truncated"]) == ([], True)
    assert [row["entity"] for row in rest["data"]] == ["label"]
