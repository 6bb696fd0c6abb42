"""Requests through the gateway: every example of the protocol, every kind of error, and the forms of data."""

import json
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from forge.contract.catalog import Catalog, load_catalog
from forge.errors import Internal
from forge.store.answers import Refused
from forge.testing.instruments import Parameters, Send
from forge.testing.world import World
from forge.wire.paths import GATEWAY_PATH
from functions.gateway.telling import retell
from tests.unit.wire.answers import body_of
from tests.unit.wire.probes import CRASH_MESSAGE, probe_catalog
from tests.workshop.interference import COMMIT, only
from tests.workshop.office import Office

Body = dict[str, Any]

SUCCESS = {
    "type": "object",
    "required": ["ok", "request", "result", "meta"],
    "properties": {
        "ok": {"const": True},
        "request": {"type": "object", "required": ["intent", "action", "effect"]},
        "result": {
            "type": "object",
            "required": ["artifact_type", "data", "affected_files", "affected_symbols"],
            "properties": {
                "artifact_type": {"enum": ["TEXT", "JSON", "CODE_PY", "CODE_TS", "PATCH", "BINARY"]},
                "affected_files": {"type": "array", "items": {"type": "string"}},
                "affected_symbols": {"type": "array", "items": {"type": "string"}},
            },
        },
        "meta": {
            "type": "object",
            "required": ["duration_ms", "mcp_name", "isolation_used"],
            "properties": {
                "duration_ms": {"type": "integer", "minimum": 0},
                "isolation_used": {"enum": ["agent", "subprocess"]},
            },
        },
    },
}
FAILURE = {
    "type": "object",
    "required": ["ok", "request", "error", "meta"],
    "properties": {
        "ok": {"const": False},
        "request": {
            "type": "object",
            "required": ["intent", "action", "effect"],
            "additionalProperties": {"type": "string"},
        },
        "error": {
            "type": "object",
            "required": ["type", "message", "recoverable", "suggestion"],
            "properties": {
                "type": {"enum": ["TIMEOUT", "MCP_ERROR", "VALIDATION", "PERMISSION", "UNKNOWN"]},
                "message": {"type": "string", "minLength": 1},
                "recoverable": {"type": "boolean"},
                "suggestion": {"type": ["string", "null"]},
            },
        },
        "meta": {"type": "object", "required": ["duration_ms", "attempts", "timeout_ms", "isolation_used"]},
    },
}


def throttled(operation: str, parameters: Parameters, send: Send) -> Body:
    raise Refused("ThrottlingException")


def executed(office: Office, body: object, *, status: int = 200, **how: str) -> Body:
    """The answer to a request, which is as the protocol says, whatever became of it."""
    answer = office.send("gateway.execute", body, **how)  # type: ignore[arg-type]  # bad ones are sent, too
    told: Body = body_of(answer)
    Draft202012Validator(SUCCESS if told.get("ok") else FAILURE).validate(told)
    assert answer.status == status
    return told


def error_of(office: Office, body: object, *, status: int = 200, **how: str) -> Body:
    told = executed(office, body, status=status, **how)
    assert told["ok"] is False, told
    error: Body = told["error"]
    return error


def a_change(**more: object) -> Body:
    return {"intent": "MODIFY", "action": "issues.create", "params": {"title": "A change"}, **more}


def test_the_protocols_request_runs_with_every_field_that_it_has(office: Office) -> None:
    request = {
        "intent": "QUERY",
        "action": "issues_list",
        "effect": "READ_ONLY",
        "artifact": "JSON",
        "params": {},
        "constraints": {"timeout_ms": 300000, "retry_count": 0, "isolation": "agent"},
        "context": {"caller": "optional_caller_name", "project_root": "/path/to/project"},
    }

    told = executed(office, request)

    assert told["request"] == {"intent": "QUERY", "action": "issues_list", "effect": "READ_ONLY"}
    assert told["result"]["artifact_type"] == "JSON"
    assert (told["meta"]["mcp_name"], told["meta"]["isolation_used"]) == ("issues", "agent")
    assert (told["meta"]["attempts"], told["meta"]["timeout_ms"]) == (1, 300000)


def test_the_path_of_the_gateway_answers_as_the_tool_does(office: Office) -> None:
    request = {"intent": "QUERY", "action": "workspace.get"}

    there = office.world.send(request, path=GATEWAY_PATH, key=office.owner_key)

    assert there.status == 200
    assert body_of(there)["result"] == executed(office, request)["result"]


def test_a_failure_names_tools_as_its_door_lists_them(office: Office) -> None:
    request = {"intent": "QUERY", "action": "issues.lst"}
    result = office.world.call("gateway.execute", request, key=office.owner_key)
    over_mcp, over_rest = result["structuredContent"], executed(office, request)

    Draft202012Validator(FAILURE).validate(over_mcp)
    assert (result["isError"], over_mcp["error"]["code"]) == (True, "UNKNOWN_ACTION")
    assert over_mcp["error"]["details"]["didYouMean"][0] == "issues_list"
    assert over_rest["error"]["details"]["didYouMean"][0] == "issues.list"
    assert "issues.list" in over_rest["error"]["suggestion"]


@pytest.mark.parametrize("intent", ["QUERY", "ANALYZE", "GENERATE"])
def test_what_reads_is_reached_by_every_intent_that_reads(office: Office, intent: str) -> None:
    told = executed(office, {"intent": intent, "action": "workspace.get"})

    assert told["result"]["data"]["id"] == office.workspace.id


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "intent"),
        ({"intent": "DESTROY", "action": "issues.list"}, "intent"),
        ({"intent": "QUERY", "action": "issues.list", "artifact": "PDF"}, "artifact"),
        (
            {"intent": "QUERY", "action": "issues.list", "constraints": {"isolation": "daemon"}},
            "constraints.isolation",
        ),
        (
            {"intent": "QUERY", "action": "issues.list", "constraints": {"retry_count": 6}},
            "constraints.retry_count",
        ),
        ({"intent": "QUERY", "action": "issues.list", "params": {"limit": "many"}}, "limit"),
    ],
)
def test_a_request_that_can_not_be_read_is_a_validation_error_that_names_the_field(
    office: Office, body: Body, field: str
) -> None:
    error = error_of(office, body)

    assert (error["type"], error["recoverable"]) == ("VALIDATION", True)
    assert field in error["details"]["issues"]


@pytest.mark.parametrize("body", [{"intent": 7, "action": ["x"]}, {"intent": None, "action": {}}])
def test_what_is_no_request_at_all_is_told_as_unknown(office: Office, body: Body) -> None:
    told = executed(office, body)

    assert told["request"] == {"intent": "UNKNOWN", "action": "UNKNOWN", "effect": "UNKNOWN"}


def test_the_gateway_does_not_execute_itself(office: Office) -> None:
    inner = {"intent": "QUERY", "action": "workspace.get"}

    error = error_of(office, {"intent": "EXECUTE", "action": "gateway.execute", "params": inner})

    assert error["type"] == "VALIDATION"


def test_what_a_contract_words_as_no_access_is_a_permission_too(office: Office) -> None:
    order = {"fullName": "demo/old", "provider": "native", "readOnly": True}
    office.call("repositories.register", order)
    issue = {"title": "Login", "priority": "low", "type": "docs", "repository": "demo/old"}

    error = error_of(office, {"intent": "EXECUTE", "action": "create_issue", "params": issue})

    assert (error["type"], error["recoverable"], error["code"]) == ("PERMISSION", False, "NO_WRITE_ACCESS")


def test_what_the_tool_refuses_is_an_error_of_the_tool(office: Office) -> None:
    error = error_of(office, {"intent": "QUERY", "action": "issues.get", "params": {"id": "DEMO-99"}})

    assert (error["type"], error["code"], error["recoverable"]) == ("MCP_ERROR", "not_found", True)


def test_what_nobody_foresaw_is_unknown_and_says_nothing_of_its_cause() -> None:
    own = [tool for tool in load_catalog().tools if tool.namespace == "gateway"]
    world = World(catalog=Catalog([*probe_catalog().tools, *own]))
    request = {"intent": "MODIFY", "action": "probe.crash"}

    answer = world.send(request, path=GATEWAY_PATH, key=world.a_key())

    told = body_of(answer)
    Draft202012Validator(FAILURE).validate(told)
    assert (answer.status, told["error"]["type"], told["error"]["recoverable"]) == (500, "UNKNOWN", False)
    assert CRASH_MESSAGE not in json.dumps(told)
    assert told["meta"]["mcp_name"] == "probe"


def test_what_breaks_in_the_gateway_itself_is_told_in_its_words_too() -> None:
    told = retell(Internal("Something went wrong."), {"intent": "QUERY", "action": 7})

    Draft202012Validator(FAILURE).validate(told)
    assert told is not None
    assert told["request"] == {"intent": "QUERY", "action": "UNKNOWN", "effect": "READ_ONLY"}
    assert (told["error"]["type"], told["error"]["recoverable"]) == ("UNKNOWN", False)


def test_what_is_not_done_in_time_is_a_time_out(office: Office) -> None:
    office.interference.handle = only(COMMIT, throttled)

    error = error_of(office, a_change(constraints={"timeout_ms": 1000}))

    assert (error["type"], error["recoverable"]) == ("TIMEOUT", True)
    assert error["details"] == {"timeout_ms": 1000}


def test_a_project_root_that_climbs_is_refused(office: Office) -> None:
    body = {"intent": "QUERY", "action": "workspace.get", "context": {"project_root": "a/../../etc"}}

    assert error_of(office, body)["code"] == "BAD_PROJECT_ROOT"


def test_a_dry_run_checks_everything_and_changes_nothing(office: Office) -> None:
    told = executed(office, a_change(constraints={"dry_run": True}))

    assert told["result"]["data"] == {"dry_run": True, "action": "issues.create"}
    assert office.rows("issues.list") == []
    bad = a_change(constraints={"dry_run": True}, params={"titel": "A change"})
    assert "titel" in error_of(office, bad)["details"]["issues"]
    gated = a_change(constraints={"dry_run": True}, context={"run_id": "1"})
    assert error_of(office, gated)["code"] == "GATE_MISSING"
