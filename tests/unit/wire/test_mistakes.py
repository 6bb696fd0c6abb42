"""Typical mistakes of models: each is understood, or its answer alone says how to do it right."""

from typing import Any

import pytest

from forge.testing.world import World
from tests.unit.wire.answers import rpc_error
from tests.workshop.issues import an_agents_key, an_issue, assign
from tests.workshop.office import Body, Office

EVERY_OPTION = ("query", "status", "priority", "projectId", "labelIds", "assignedAgentId", "cursor", "fields")


def called(office: Office, tool: str, arguments: object, *, key: str | None = None) -> tuple[bool, Body]:
    """Whether it succeeded, and the answer, over MCP."""
    result = office.world.call(tool, arguments, key=key or office.owner_key)
    return not result["isError"], result["structuredContent"]


def told(answer: Body) -> str:
    """All that a model can go by."""
    return " ".join([answer["message"], answer.get("hint", ""), *answer.get("issues", {}).values()])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param('{"title": "Fix it"}', {}, id="the arguments as JSON text"),
        pytest.param(
            {"title": "Fix it", "priority": "high"}, {"priority": "HIGH"}, id="an enum in lower case"
        ),
        pytest.param({"title": "Fix it", "queue": "true"}, {"queued": True}, id="a yes as text"),
        pytest.param({"title": "Fix it", "labelIds": "[]"}, {}, id="a list as JSON text"),
        pytest.param({"title": "Fix it", "labelIds": [None]}, {}, id="a list of null"),
        pytest.param(
            {"title": "Fix it", "projectId": "null", "description": None},
            {"projectId": None, "description": None},
            id="null for what is left out",
        ),
        pytest.param(
            {"title": "Fix it", "verificationChecklist": {"label": "Tests pass", "kind": "Manual"}},
            {},
            id="one object where a list is due",
        ),
        pytest.param({"title": "Fix it", "_meta": {"progressToken": 1}}, {}, id="metadata among arguments"),
    ],
)
def test_what_is_plain_is_understood(office: Office, arguments: object, expected: Body) -> None:
    succeeded, answer = called(office, "issues_create", arguments)

    assert succeeded, answer
    assert answer.items() >= {"title": "Fix it", **expected}.items()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({"limit": "5"}, id="a number as text"),
        pytest.param({"fields": "id,title,"}, id="fields with a trailing comma"),
        pytest.param({"statusCategories": "backlog"}, id="one choice where a list is due"),
        pytest.param(dict.fromkeys(EVERY_OPTION), id="null for everything optional"),
        pytest.param(dict.fromkeys(EVERY_OPTION, "null"), id="the text null for everything optional"),
    ],
)
def test_a_list_that_is_asked_for_clumsily_is_shown(office: Office, arguments: Body) -> None:
    issue_id = an_issue(office)

    succeeded, answer = called(office, "issues_list", arguments)

    assert succeeded, answer
    assert [row["id"] for row in answer["data"]] == [issue_id]


def test_a_date_without_a_zone_is_utc(office: Office) -> None:
    issue_id = an_issue(office)

    succeeded, answer = called(office, "issues_update", {"id": issue_id, "dueDate": "2100-01-31T12:00:00"})

    assert (succeeded, answer["dueDate"]) == (True, "2100-01-31T12:00:00Z")


def test_null_for_all_but_the_priority_changes_the_priority_alone(office: Office) -> None:
    issue_id = an_issue(office, description="Mine")
    nothing = dict.fromkeys(("title", "description", "projectId", "dueDate", "estimate", "clear"))

    succeeded, answer = called(office, "issues_update", {"id": issue_id, **nothing, "priority": "LOW"})

    assert (succeeded, answer["priority"], answer["description"]) == (True, "LOW", "Mine")


@pytest.mark.parametrize("cursor_name", ["cursor", "before"])
def test_the_cursor_of_comments_goes_back_under_either_name(office: Office, cursor_name: str) -> None:
    issue_id = an_issue(office)
    for text in ("one", "two"):
        office.call("comments.create", {"issueId": issue_id, "body": text})
        office.world.clock.advance(seconds=1)
    _, first = called(office, "comments_list", {"issueId": issue_id, "limit": 1})

    succeeded, second = called(
        office, "comments_list", {"issueId": issue_id, cursor_name: first["nextCursor"]}
    )

    assert succeeded, second
    assert [row["body"] for row in second["data"]] == ["one"]


@pytest.mark.parametrize(
    ("tool", "arguments", "field", "right"),
    [
        pytest.param("issues_create", {"Title": "x"}, "Title", "title", id="a name in the wrong case"),
        pytest.param(
            "issues_list", {"project_id": "p"}, "project_id", "projectId", id="a name in snake case"
        ),
        pytest.param("issues_create", {"name": "x"}, "title", "required", id="a required field left out"),
        pytest.param("issues_create", {"input": {"title": "x"}}, "title", "required", id="a wrapper object"),
        pytest.param(
            "issues_list", {"priority": "CRITICAL"}, "priority", "URGENT", id="a choice that is none"
        ),
        pytest.param("issues_list", {"orderBy": "created"}, "orderBy", "createdAt", id="nearly a choice"),
        pytest.param(
            "issues_create",
            {"title": "x", "verificationChecklist": ["Tests pass"]},
            "verificationChecklist.0",
            '{"id"?: text, "label": text',
            id="texts where objects are due",
        ),
        pytest.param(
            "issues_update", {"id": "i", "clear": ["title"]}, "clear.0", "dueDate", id="no clearing"
        ),
        pytest.param(
            "events_recent", {"before": "eyJwIjoiMSJ9"}, "before", "cursor", id="a cursor under before"
        ),
        pytest.param("issues_list", {"fields": ["titel"]}, "fields", "title", id="a misspelt field"),
        pytest.param("issues_update", {"id": "i", "dueDate": "soon"}, "dueDate", "date", id="no date"),
        pytest.param("issues_list", {"limit": 9**999}, "limit", "100", id="a number of a thousand digits"),
    ],
)
def test_what_can_not_be_understood_says_how_to_do_it_right(
    tableless_office: Office, tool: str, arguments: Body, field: str, right: str
) -> None:
    succeeded, answer = called(tableless_office, tool, arguments)

    assert (succeeded, answer["error"]) == (False, "invalid_input")
    assert right in answer["issues"][field]
    assert "catalog_describe" in answer.get("hint", "") or field == "fields"


def test_arguments_that_are_no_object_are_refused_as_such(tableless_office: Office) -> None:
    succeeded, answer = called(tableless_office, "issues_list", ["DEMO-1"])

    assert (succeeded, set(answer["issues"])) == (False, {"arguments"})


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("issues_lists", "issues_list"),
        ("issue.list", "issues_list"),
        ("list.issues", "issues_list"),
        ("mcp__forge__issues_list", "issues_list"),
        ("members.list", "/api/admin/members.list"),
    ],
)
def test_a_wrong_name_of_a_tool_leads_to_the_right_one(world: World, name: str, right: str) -> None:
    error = rpc_error(world.legacy("tools/call", {"name": name, "arguments": {}}, key=world.a_key()))

    assert error["code"] == -32602
    assert right in error["message"]


def test_over_rest_names_have_dots(tableless_office: Office) -> None:
    answer = tableless_office.send("issues.list", {"limit": 0})

    assert "catalog.describe" in answer.body
    assert "catalog_describe" not in answer.body


def test_a_canonical_client_is_told_canonical_names(tableless_office: Office) -> None:
    world, key = tableless_office.world, tableless_office.owner_key
    how: dict[str, Any] = {"key": key, "query": {"names": "canonical"}}

    wrong = world.legacy("tools/call", {"name": "issues.list", "arguments": {"limit": 0}}, **how).body
    unknown = world.legacy("tools/call", {"name": "issues.lists"}, **how).body
    listed = world.legacy("tools/list", **how).body
    greeted = world.legacy("initialize", {"protocolVersion": "2025-06-18"}, **how).body

    for text in (wrong, unknown, listed, greeted):
        assert "catalog_" not in text
        assert "issues_" not in text
    assert "issues.claim" in greeted


def test_a_member_with_the_admin_scope_is_told_of_the_role(office: Office) -> None:
    answer = office.send("members.list", key=office.a_colleague().key)

    assert answer.status == 403
    assert "MEMBER" in answer.body


def test_finished_work_in_the_wrong_shape_is_shown_the_right_one(office: Office) -> None:
    agent_id, issue_id = office.an_agent()["id"], an_issue(office)
    assign(office, issue_id, agent_id)

    succeeded, answer = called(
        office,
        "runs_complete",
        {"runId": "run_1", "summary": "Done.", "verificationResult": ["Tests pass"]},
        key=an_agents_key(office, agent_id),
    )

    assert succeeded is False
    assert '"label": text' in told(answer)
    assert '"done": true or false' in told(answer)
