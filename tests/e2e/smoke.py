"""What has to work in a deployed stack: each check is a sentence, and uses two teams side by side."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any

from forge.store.connections import Connections
from forge.wire.invocation import MARK, VERSION
from forge.wire.pages import DOCS_PATH, PAGES
from infra.deploy import BUILD, Stack
from infra.layer import MAX_BYTES, size_of
from infra.stack.functions import LAYER
from infra.stack.logs import FUNCTIONS_LOG
from tests.e2e.client import Answer, Client

_PATIENCE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Team:
    name: str
    stack: Stack
    client: Client


Check = Callable[[list[Team], Connections], None]


def the_layer_is_small(teams: list[Team], connections: Connections) -> None:
    size = size_of(BUILD / LAYER)
    _require(0 < size <= MAX_BYTES, f"{size / 1e6:.1f} MB instead of {MAX_BYTES / 1e6:.0f} at most")
    _require(not (BUILD / LAYER / "python" / "forge" / "testing").exists(), "the fakes are deployed")


def health_is_public(teams: list[Team], connections: Connections) -> None:
    for team in teams:
        _expect(team.client.send("/healthz", method="GET"), 200)


def people_can_read_the_docs_and_all_they_load(teams: list[Team], connections: Connections) -> None:
    for path in PAGES:
        answer = teams[0].client.send(path, method="GET")
        _require(answer.status == 200 and len(answer.body) > 0, f"{answer.status} for {path}")
    _expect(teams[0].client.send(f"{DOCS_PATH}/x", method="GET"), 404)


def both_eras_list_and_call(teams: list[Team], connections: Connections) -> None:
    for team in teams:
        for era in (team.client.modern, team.client.legacy):
            listed = _expect(era("tools/list"), 200)["result"]["tools"]
            _require("workspace_get" in [tool["name"] for tool in listed], listed)
            called = _expect(era("tools/call", name="workspace_get", arguments={}), 200)["result"]
            _require(called["structuredContent"].get("slug") == team.name, called)


def a_tool_answers_on_its_own_route(teams: list[Team], connections: Connections) -> None:
    for team in teams:
        found = _expect(team.client.rest("workspace.get"), 200)
        _require(found["slug"] == team.name, found)


def the_other_spelling_goes_through_the_router(teams: list[Team], connections: Connections) -> None:
    found = _expect(teams[0].client.rest("workspace_get"), 200)
    _require(found["slug"] == teams[0].name, found)
    _expect(teams[0].client.rest("workspace_gte"), 404)


def a_refusal_travels_from_the_function_through_the_router(
    teams: list[Team], connections: Connections
) -> None:
    refused = _expect(teams[0].client.rest("labels_update", {"id": "lbl_none"}), 404)
    _require(refused["error"] == "not_found", refused)
    result = _expect(teams[0].client.modern("tools/call", name="labels_create", arguments={}), 200)["result"]
    _require(result["isError"] and "name" in result["structuredContent"]["issues"], result)


def the_router_invokes_the_namespaces_own_function(teams: list[Team], connections: Connections) -> None:
    _expect(teams[0].client.rest("workspace_get"), 200)
    logs: Any = connections.connect("logs")
    group = _physical_id(teams[0], FUNCTIONS_LOG, connections)
    lines = [event["message"] for event in logs.filter_log_events(logGroupName=group)["events"]]
    _require(any('"door":"invoke"' in line for line in lines), f"no invocation among {len(lines)} lines")


def operators_administer_their_own_team(teams: list[Team], connections: Connections) -> None:
    for team in teams:
        made = _expect(
            team.client.rest("agents.create", {"profileKey": "planner", "name": "P"}, surface="admin"), 200
        )
        _require(made["profileKey"] == "planner", made)
        _expect(team.client.rest("agents_create", {}, surface="admin"), 404)


def teams_see_nothing_of_each_other(teams: list[Team], connections: Connections) -> None:
    alpha, beta = teams
    _expect(alpha.client.rest("labels.create", {"name": "only alpha"}), 200)
    seen = _expect(beta.client.rest("labels.list"), 200)
    _require(seen["data"] == [], seen)
    stranger = Client(alpha.client.endpoint, alpha.stack.api_id, beta.client.key)
    _expect(stranger.rest("labels.list"), 401)


def a_change_is_repeated_once_with_its_key(teams: list[Team], connections: Connections) -> None:
    answers = [
        _expect(teams[0].client.rest("labels_create", {"name": "once"}, idempotency_key="e2e"), 200)
        for _ in range(2)
    ]
    _require(answers[0] == answers[1], answers)


def a_log_row_is_relayed_to_the_dispatch_queue(teams: list[Team], connections: Connections) -> None:
    for team in teams:
        queue = _physical_id(team, "DispatchQueue", connections)
        seen = _received(queue, connections, lambda message: message["kind"] == "AGENT_CREATED")
        _require(seen is not None, f"nothing reached {queue}")


def a_request_can_not_pass_for_the_routers_own_call(teams: list[Team], connections: Connections) -> None:
    forged = {
        MARK: VERSION,
        "tool": "workspace.get",
        "arguments": {},
        "caller": {"workspace_id": "ws_other"},
        "call": {},
    }
    nobody = Client(teams[0].client.endpoint, teams[0].stack.api_id, "")
    _expect(nobody.rest("workspace.get", forged), 401)
    _expect(teams[0].client.rest("workspace.get", forged), 400)


CHECKS: Mapping[str, Check] = {
    check.__name__.replace("_", " "): check
    for check in (
        the_layer_is_small,
        health_is_public,
        people_can_read_the_docs_and_all_they_load,
        both_eras_list_and_call,
        a_tool_answers_on_its_own_route,
        the_other_spelling_goes_through_the_router,
        a_refusal_travels_from_the_function_through_the_router,
        the_router_invokes_the_namespaces_own_function,
        operators_administer_their_own_team,
        teams_see_nothing_of_each_other,
        a_change_is_repeated_once_with_its_key,
        a_log_row_is_relayed_to_the_dispatch_queue,
        a_request_can_not_pass_for_the_routers_own_call,
    )
}


def _physical_id(team: Team, logical_id: str, connections: Connections) -> str:
    resource: Any = connections.connect("cloudformation").describe_stack_resource(
        StackName=team.stack.name, LogicalResourceId=logical_id
    )
    return str(resource["StackResourceDetail"]["PhysicalResourceId"])


def _received(queue: str, connections: Connections, is_it: Callable[[Any], bool]) -> Any:
    deadline = monotonic() + _PATIENCE_SECONDS
    while monotonic() < deadline:
        answer: Any = connections.sqs().receive_message(QueueUrl=queue, MaxNumberOfMessages=10)
        for message in answer.get("Messages", []):
            body = json.loads(message["Body"])
            if is_it(body):
                return body
        sleep(0.5)
    return None


def _expect(answer: Answer, status: int) -> Any:
    _require(answer.status == status, f"{answer.status} instead of {status}: {answer.body}")
    return answer.body


def _require(holds: object, otherwise: object) -> None:
    if not holds:
        raise AssertionError(otherwise)
