"""Input that once slipped through: each of these broke something before it was refused."""

import pytest
from starlette.testclient import TestClient

from forge.testing.world import World
from forge.wire.aws_lambda import edge_handler
from forge.wire.edge import Options
from forge.wire.hosts import LOOPBACK
from forge.wire.http import MAX_BODY_BYTES
from forge.wire.paths import RPC_PATH
from forge.wire.web import create_app
from tests.unit.wire.answers import body_of, failure_of, result_of, rpc_error
from tests.unit.wire.events import an_event
from tests.unit.wire.hostile import require_civil

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def test_a_message_that_breaks_us_does_not_spoil_the_others_of_its_batch(world: World) -> None:
    bad = {"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {"protocolVersion": []}}
    answers = body_of(world.send([PING, bad], key=world.a_key()))
    assert [answer["id"] for answer in answers] == [1, 2]


@pytest.mark.parametrize("header", ["mcp-method", "mcp-name", "mcp-protocol-version"])
def test_a_sentinel_with_letters_beyond_ascii_is_a_mismatch(world: World, header: str) -> None:
    response = world.modern(
        "tools/call", {"name": "workspace_get"}, key=world.a_key(), headers={header: "=?base64?é?="}
    )
    assert response.status == 400
    assert rpc_error(response)["code"] == -32020


def test_metadata_among_the_arguments_is_not_minded(world: World) -> None:
    response = world.legacy(
        "tools/call", {"name": "workspace_get", "arguments": {"_meta": {}}}, key=world.a_key()
    )
    assert result_of(response)["isError"] is False


def test_a_notification_with_bad_params_has_no_answer(world: World) -> None:
    response = world.send({"jsonrpc": "2.0", "method": "notifications/x", "params": []}, key=world.a_key())
    assert (response.status, response.body) == (202, "")


def test_a_notification_with_bad_params_has_no_answer_in_a_batch(world: World) -> None:
    bad = {"jsonrpc": "2.0", "method": "notifications/x", "params": []}
    assert [answer["id"] for answer in body_of(world.send([bad, PING], key=world.a_key()))] == [1]


def test_a_body_that_says_base64_and_is_not_is_broken_json(world: World) -> None:
    answer = edge_handler(world.edge)(an_event("é", key=world.a_key(), isBase64Encoded=True), None)
    assert answer["statusCode"] == 400


@pytest.mark.parametrize("door", ["rpc", "rest"])
def test_the_scope_is_checked_before_the_idempotency_key(world: World, door: str) -> None:
    key, headers = world.a_key(scopes=[]), {"idempotency-key": "x" * 201}
    if door == "rest":
        assert body_of(world.rest("workspace.get", key=key, headers=headers))["error"] == "scope_required"
    else:
        response = world.legacy("tools/call", {"name": "workspace_get"}, key=key, headers=headers)
        assert failure_of(response)["error"] == "scope_required"


def test_half_a_surrogate_pair_in_a_text_body_is_refused(world: World) -> None:
    require_civil(world.send('{"jsonrpc":"2.0","id":"\ud800","method":"ping"}', key=world.a_key()))


@pytest.mark.parametrize("path", ["/%0ax", "/a%0d%0ab"])
def test_a_path_with_a_line_break_is_our_json_404(path: str) -> None:
    response = TestClient(create_app(World().edge)).get(path)
    assert response.json().get("error") == "not_found"


def test_a_body_is_measured_in_bytes(world: World) -> None:
    body = '{"x":"' + "é" * (MAX_BODY_BYTES * 3 // 4) + '"}'
    assert world.rest("workspace.get", body, key=world.a_key()).status == 413


@pytest.mark.parametrize("path", ["/docs", "/openapi.json"])
def test_pages_are_guarded_too(path: str) -> None:
    client = TestClient(create_app(World(options=Options(allowed_hosts=LOOPBACK)).edge))
    assert client.get(path, headers={"host": "evil.example"}).status_code == 403


def test_a_host_with_userinfo_is_refused() -> None:
    world = World(options=Options(allowed_hosts=LOOPBACK))
    assert world.legacy("ping", key=world.a_key(), headers={"host": "evil.example@localhost"}).status == 403


@pytest.mark.parametrize("size", [0, 21])
def test_a_refused_batch_writes_one_line(world: World, size: int) -> None:
    world.send([PING] * size, key=world.a_key())
    assert len(world.log) == 1


@pytest.mark.parametrize("path", ["/healthz", "/api/mcp/describe"])
def test_pages_to_read_can_only_be_read(path: str) -> None:
    assert World().send("", method="DELETE", path=path).status == 405


def test_getting_an_operators_tool_needs_a_key(probe_world: World) -> None:
    assert probe_world.send("", method="GET", path="/api/admin/operator.inspekt").status == 401


def test_namespaces_named_one_by_one_are_all_listed(world: World) -> None:
    client = TestClient(create_app(world.edge), headers={"authorization": f"Bearer {world.a_key()}"})
    answer = client.post(
        f"{RPC_PATH}?tools=workspace&tools=catalog", json=PING | {"method": "tools/list"}
    ).json()
    assert {tool["name"].split("_")[0] for tool in answer["result"]["tools"]} == {"workspace", "catalog"}


@pytest.mark.parametrize("path", ["/docs", "/openapi.json"])
def test_pages_need_no_headers(path: str) -> None:
    answer = edge_handler(World().edge)(an_event(method="GET", path=path, headers=None), None)
    assert answer["statusCode"] == 200


def test_there_is_no_page_that_a_deployment_does_not_have() -> None:
    assert TestClient(create_app(World().edge)).get("/docs/oauth2-redirect").status_code == 404


@pytest.mark.parametrize("body", ["", "{}"])
def test_an_event_that_is_no_request_is_answered(body: str) -> None:
    answer = edge_handler(World().edge)({"body": body}, None)
    assert answer["statusCode"] == 400
