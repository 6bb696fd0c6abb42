"""The Lambda handlers: API Gateway events in, proxy answers out."""

import json
from base64 import b64encode
from typing import Any

import pytest

from forge.testing.world import World, modern_message
from forge.wire.aws_lambda import edge_handler, lambda_handler, router_handler
from forge.wire.paths import DESCRIBE_PATH, HEALTH_PATH
from forge.wire.protocol import MODERN_VERSION
from tests.unit.wire.deployments import BACKEND, a_deployed_key
from tests.unit.wire.events import an_event

PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
WORKSPACE_GET = "/api/mcp/workspace.get"
CATALOG_SEARCH = "/api/mcp/catalog.search"
KEYS_LIST, OTHER_SPELLING = "/api/admin/keys.list", "/api/admin/keys_list"


@pytest.fixture(autouse=True)
def a_backend_to_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_BACKEND", BACKEND)


def handled(world: World, event: dict[str, Any]) -> dict[str, Any]:
    return edge_handler(world.edge)(event, None)


def test_an_rpc_message_is_answered(world: World) -> None:
    answer = handled(world, an_event(PING, key=world.a_key()))

    assert answer["statusCode"] == 200
    assert answer["headers"]["content-type"] == "application/json"
    assert json.loads(answer["body"]) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_headers_of_the_modern_era_reach_the_core(world: World) -> None:
    event = an_event(json.dumps(modern_message("tools/list", {})), key=world.a_key())
    event["headers"] |= {"mcp-protocol-version": MODERN_VERSION, "mcp-method": "tools/list"}

    answer = handled(world, event)

    assert json.loads(answer["body"])["result"]["resultType"] == "complete"


def test_query_parameters_reach_the_core(world: World) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})

    answer = handled(world, an_event(body, key=world.a_key(), queryStringParameters={"names": "canonical"}))

    assert "workspace.get" in [tool["name"] for tool in json.loads(answer["body"])["result"]["tools"]]


def test_the_request_id_is_the_gateways(world: World) -> None:
    handled(world, an_event(PING, key=world.a_key()))

    assert json.loads(world.log[0])["requestId"] == "req_from_gateway"


@pytest.mark.parametrize("text", [PING, '{"jsonrpc":"2.0","id":"é€😀","method":"ping"}'])
def test_a_body_may_be_base64(world: World, text: str) -> None:
    encoded = b64encode(text.encode()).decode()

    answer = handled(world, an_event(encoded, key=world.a_key(), isBase64Encoded=True))

    assert json.loads(answer["body"])["id"] == json.loads(text)["id"]


@pytest.mark.parametrize("body", ["a", "=", "!!!", b64encode(b"\xff\xfe").decode()])
def test_a_body_that_is_broken_base64_is_broken_json(world: World, body: str) -> None:
    answer = handled(world, an_event(body, key=world.a_key(), isBase64Encoded=True))

    assert answer["statusCode"] == 400
    assert json.loads(answer["body"])["error"]["code"] == -32700


@pytest.mark.parametrize("body", [{}, {"body": None}, {"body": ""}, {"body": "", "isBase64Encoded": True}])
def test_a_missing_body_means_no_arguments(world: World, body: dict[str, Any]) -> None:
    answer = handled(world, an_event(key=world.a_key(), path=WORKSPACE_GET, **body))

    assert answer["statusCode"] == 200


def test_a_missing_body_is_no_message(world: World) -> None:
    answer = handled(world, an_event(key=world.a_key()))

    assert answer["statusCode"] == 400
    assert json.loads(answer["body"])["error"]["code"] == -32700


@pytest.mark.parametrize("path", [HEALTH_PATH, DESCRIBE_PATH])
def test_headers_and_query_may_be_missing(world: World, path: str) -> None:
    event = an_event(method="GET", path=path, headers=None, queryStringParameters=None)

    assert handled(world, event)["statusCode"] == 200


def test_a_call_without_headers_is_a_call_without_a_key(world: World) -> None:
    answer = handled(world, an_event(PING, headers=None))

    assert answer["statusCode"] == 401
    assert answer["headers"]["www-authenticate"].startswith("Bearer ")


def test_a_notification_is_accepted_with_an_empty_body(world: World) -> None:
    notification = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})

    answer = handled(world, an_event(notification, key=world.a_key()))

    assert (answer["statusCode"], answer["body"]) == (202, "")


def test_the_answer_is_plain_data_that_lambda_can_send(world: World) -> None:
    answer = handled(world, an_event(key=world.a_key(), path=WORKSPACE_GET))

    assert json.loads(json.dumps(answer)) == answer


def test_a_page_can_be_opened_again_and_again(world: World) -> None:
    handle = edge_handler(world.edge)

    answers = [handle(an_event(method="GET", path="/docs"), None) for _ in range(3)]

    assert [answer["statusCode"] for answer in answers] == [200, 200, 200]


def test_posting_to_a_page_is_refused_in_json(world: World) -> None:
    answer = handled(world, an_event("{}", path="/docs"))

    assert answer["statusCode"] == 405
    assert json.loads(answer["body"])["error"] == "not_found"


def test_allowed_hosts_come_from_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_ALLOWED_HOSTS", "localhost other.example")
    handle = router_handler()

    answers = [
        handle(an_event(method="GET", path=HEALTH_PATH, headers={"host": host}), None)
        for host in ("localhost", "other.example", "api.example.com")
    ]

    assert [answer["statusCode"] for answer in answers] == [200, 200, 403]


def test_the_router_serves_every_namespace() -> None:
    handle, key = router_handler(), a_deployed_key()

    answers = [
        handle(an_event("{}", key=key, path=WORKSPACE_GET), None),
        handle(an_event('{"query": "workspace"}', key=key, path=CATALOG_SEARCH), None),
    ]

    assert [answer["statusCode"] for answer in answers] == [200, 200]


def test_a_namespaces_function_serves_only_its_own_tools() -> None:
    handle, key = lambda_handler("functions.workspace"), a_deployed_key()

    own = handle(an_event("{}", key=key, path=WORKSPACE_GET), None)
    other = handle(an_event('{"query": "workspace"}', key=key, path=CATALOG_SEARCH), None)

    assert (own["statusCode"], other["statusCode"]) == (200, 404)


@pytest.mark.parametrize("method", ["POST", "GET"])
@pytest.mark.parametrize("path", [KEYS_LIST, OTHER_SPELLING])
def test_the_router_answers_for_no_operators_tool(path: str, method: str) -> None:
    answer = router_handler()(an_event("{}", key=a_deployed_key(), path=path, method=method), None)

    refused = json.loads(answer["body"])
    assert (answer["statusCode"], refused["error"]) == (404, "not_found")
    assert "keys.list" in refused["hint"]


def test_the_router_tells_nobody_without_a_key_what_operators_have() -> None:
    answer = router_handler()(an_event("{}", path=OTHER_SPELLING), None)

    assert answer["statusCode"] == 401
    assert "keys.list" not in answer["body"]


def test_the_operators_function_knows_its_tools_by_one_spelling() -> None:
    handle, key = lambda_handler("functions.admin"), a_deployed_key()

    # An argument that is refused before anything is read: the backend of this test has no table.
    own = handle(an_event('{"nothing": 1}', key=key, path=KEYS_LIST), None)
    other = handle(an_event('{"nothing": 1}', key=key, path=OTHER_SPELLING), None)

    assert (own["statusCode"], other["statusCode"]) == (400, 404)
    assert json.loads(other["body"])["details"]["didYouMean"][0] == "keys.list"


@pytest.mark.parametrize("name", ["keys.lost", "workspace.get", "{tool}", "a%20b", "x" * 200])
def test_the_operators_function_says_of_any_other_name_that_it_is_none_of_its_tools(name: str) -> None:
    """One route leads to it, whatever is asked for there."""
    handle = lambda_handler("functions.admin")

    answer = handle(an_event("{}", key=a_deployed_key(), path=f"/api/admin/{name}"), None)
    unknown = handle(an_event("{}", path=f"/api/admin/{name}"), None)

    assert (answer["statusCode"], json.loads(answer["body"])["error"]) == (404, "not_found")
    assert answer["headers"]["content-type"] == "application/json"
    assert unknown["statusCode"] == 401
