"""The human face: the same answers as the core over ASGI, and pages to read."""

import json
from collections.abc import Iterator
from threading import Barrier

import anyio
import pytest
from httpx import ASGITransport, AsyncClient
from starlette.testclient import TestClient
from starlette.types import Message

from forge.deadline import CALL_SECONDS
from forge.testing.world import World
from forge.wire.edge import Edge
from forge.wire.http import MAX_BODY_BYTES, Request, Response
from forge.wire.paths import DESCRIBE_PATH, HEALTH_PATH, RPC_PATH
from forge.wire.web import CoreApp, create_app

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
WORKSPACE_GET = "/api/mcp/workspace.get"
CHUNK = b" " * 65_536


def a_client(world: World) -> TestClient:
    """A client with a key, which raises whatever the application lets through."""
    return TestClient(create_app(world.edge), headers={"authorization": f"Bearer {world.a_key()}"})


def oversize() -> Iterator[bytes]:
    for _ in range(MAX_BODY_BYTES // len(CHUNK) + 2):
        yield CHUNK


def test_an_rpc_message_is_answered() -> None:
    response = a_client(World()).post(RPC_PATH, json=PING)

    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_tool_is_called_by_its_path() -> None:
    response = a_client(World()).post(WORKSPACE_GET)

    assert response.status_code == 200
    assert response.json()["slug"] == "demo"


def test_a_notification_is_accepted_with_an_empty_body() -> None:
    message = {"jsonrpc": "2.0", "method": "notifications/initialized"}

    response = a_client(World()).post(RPC_PATH, json=message)

    assert (response.status_code, response.content) == (202, b"")


def test_query_parameters_reach_the_core() -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    response = a_client(World()).post(f"{RPC_PATH}?names=canonical&tools=workspace%2Ccatalog", json=message)

    assert "workspace.get" in [tool["name"] for tool in response.json()["result"]["tools"]]


@pytest.mark.parametrize("path", [HEALTH_PATH, DESCRIBE_PATH])
def test_what_needs_no_key_is_served_without_one(browser: TestClient, path: str) -> None:
    assert browser.get(path).status_code == 200


def test_a_missing_key_is_challenged(browser: TestClient) -> None:
    response = browser.post(RPC_PATH, json=PING)

    assert response.status_code == 401
    assert response.headers["www-authenticate"].startswith("Bearer ")
    assert response.json()["error"]["code"] == -32001


@pytest.mark.parametrize(
    "path", ["/", "/register", "/.well-known/oauth-protected-resource", "/docs/x", "/redoc"]
)
def test_a_path_that_leads_nowhere_is_a_json_404(path: str, browser: TestClient) -> None:
    response = browser.get(path, follow_redirects=False)

    assert response.status_code == 404
    assert response.json()["error"] == "not_found"


def test_getting_the_rpc_address_is_not_allowed() -> None:
    response = a_client(World()).get(RPC_PATH)

    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


@pytest.mark.parametrize("path", [RPC_PATH, WORKSPACE_GET])
def test_a_body_that_grows_over_the_limit_is_too_large(path: str) -> None:
    response = a_client(World()).post(path, content=oversize())

    assert response.status_code == 413
    assert "error" in response.json()


def test_a_body_without_an_end_is_refused_as_soon_as_it_is_too_large(world: World) -> None:
    headers = [(b"authorization", f"Bearer {world.a_key()}".encode())]
    scope = {"type": "http", "method": "POST", "path": RPC_PATH, "headers": headers, "query_string": b""}
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": CHUNK, "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    anyio.run(create_app(world.edge), scope, receive, send)

    assert sent[0]["status"] == 413


def test_a_large_body_within_the_limit_is_read_to_its_end() -> None:
    padded = json.dumps(PING).encode() + b" " * (MAX_BODY_BYTES - 1000)

    response = a_client(World()).post(RPC_PATH, content=padded)

    assert response.status_code == 200


@pytest.mark.parametrize("body", [b"\xff\xfe", b"\x00", b"{", b"", rb'{"a":"\ud800"}', b"\xed\xa0\x80"])
def test_a_body_that_is_no_json_is_a_parse_error(body: bytes) -> None:
    response = a_client(World()).post(RPC_PATH, content=body)

    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32700


def test_a_header_sent_twice_does_not_pass_for_one_of_its_values() -> None:
    client = a_client(World())
    twice = [("mcp-protocol-version", "2025-03-26"), ("mcp-protocol-version", "2025-06-18")]

    response = client.post(RPC_PATH, json=PING, headers=twice)

    assert response.status_code == 400


def test_text_beyond_ascii_arrives_whole() -> None:
    response = a_client(World()).post(RPC_PATH, json=PING | {"id": "é€😀"})

    assert response.json()["id"] == "é€😀"


@pytest.mark.parametrize("path", ["/api/mcp/%ff", "/api/mcp/%00", "/%E2%82", "/api/mcp/a%2Fb"])
def test_a_path_of_odd_bytes_is_a_json_404(path: str) -> None:
    response = a_client(World()).post(path)

    assert response.status_code == 404
    assert response.json()["error"] == "not_found"


def test_every_request_has_an_id_of_its_own(world: World) -> None:
    client = a_client(world)

    for _ in range(3):
        client.post(RPC_PATH, json=PING)

    assert len({json.loads(line)["requestId"] for line in world.log}) == 3


def test_the_openapi_document_has_every_tool(world: World) -> None:
    document = TestClient(create_app(world.edge)).get("/openapi.json").json()

    tools = [tool for tool in world.edge.catalog.tools if tool.surface == "mcp"]
    assert {f"/api/mcp/{tool.name}" for tool in tools} <= document["paths"].keys()
    assert document["openapi"].startswith("3.")


class _AllAtOnce(Edge):
    """Answers nobody before so many ask at the same time, as tools do that wait."""

    def __init__(self, of: Edge, number: int) -> None:
        self.__dict__ = of.__dict__
        self._all = Barrier(number, timeout=10)

    def handle(self, request: Request, *, seconds: float = CALL_SECONDS) -> Response:
        self._all.wait()
        return super().handle(request, seconds=seconds)


def test_a_hundred_calls_that_wait_are_in_nobodys_way(world: World) -> None:
    asked = 101
    client = AsyncClient(
        transport=ASGITransport(CoreApp(_AllAtOnce(world.edge, asked))), base_url="http://testserver"
    )
    statuses: list[int] = []

    async def ask() -> None:
        statuses.append((await client.get(HEALTH_PATH)).status_code)

    async def ask_at_once() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(asked):
                tasks.start_soon(ask)

    anyio.run(ask_at_once)

    assert statuses == [200] * asked
