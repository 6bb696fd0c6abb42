"""The official Python client, in each of its modes, against a real server."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from forge.testing.server import serve
from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.hosts import LOOPBACK
from forge.wire.paths import RPC_PATH

MODES = ["auto", "legacy", "2026-07-28"]
UNKNOWN_KEY = "forge_sk_" + "A" * 43


@pytest.fixture(scope="module")
def world() -> World:
    return World(options=Options(allowed_hosts=LOOPBACK))


@pytest.fixture(scope="module")
def base_url(world: World) -> Iterator[str]:
    with serve(world.edge) as url:
        yield url


@asynccontextmanager
async def connected(base_url: str, key: str, *, mode: str, query: str = "") -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, trust_env=False) as http_client:
        transport = streamable_http_client(f"{base_url}{RPC_PATH}{query}", http_client=http_client)
        async with Client(transport, mode=mode) as client:
            yield client


async def call(base_url: str, key: str, *, mode: str, tool: str, arguments: dict[str, Any]) -> CallToolResult:
    async with connected(base_url, key, mode=mode) as client:
        return await client.call_tool(tool, arguments)


async def listed(base_url: str, key: str, *, mode: str, query: str = "") -> list[str]:
    async with connected(base_url, key, mode=mode, query=query) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


def refusal_in(group: BaseException) -> MCPError:
    """The client's own error, out of the groups its tasks wrap around it."""
    found: BaseException = group
    while isinstance(found, BaseExceptionGroup):
        (found,) = found.exceptions
    assert isinstance(found, MCPError)
    return found


@pytest.mark.parametrize("mode", MODES)
def test_tools_are_listed(world: World, base_url: str, mode: str) -> None:
    names = anyio.run(partial(listed, base_url, world.a_key(), mode=mode))

    assert {"workspace_get", "catalog_search", "catalog_describe", "catalog_call"} <= set(names)


@pytest.mark.parametrize("mode", MODES)
def test_the_address_chooses_the_profile(world: World, base_url: str, mode: str) -> None:
    names = anyio.run(partial(listed, base_url, world.a_key(), mode=mode, query="?tools=workspace"))

    assert {name.split("_")[0] for name in names} == {"workspace"}


@pytest.mark.parametrize("tool", ["workspace_get", "workspace.get"])
@pytest.mark.parametrize("mode", MODES)
def test_a_tool_is_called_by_either_spelling(world: World, base_url: str, mode: str, tool: str) -> None:
    result = anyio.run(partial(call, base_url, world.a_key(), mode=mode, tool=tool, arguments={}))

    assert result.is_error is False
    assert result.structured_content is not None
    assert result.structured_content["slug"] == "demo"


@pytest.mark.parametrize("mode", MODES)
def test_a_failed_tool_is_a_result_not_an_exception(world: World, base_url: str, mode: str) -> None:
    result = anyio.run(
        partial(call, base_url, world.a_key(), mode=mode, tool="catalog_search", arguments={"limit": 5})
    )

    assert result.is_error is True
    assert result.structured_content is not None
    assert result.structured_content["error"] == "invalid_input"
    assert result.structured_content["issues"].keys() == {"query"}


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_tool_is_the_clients_error(world: World, base_url: str, mode: str) -> None:
    with pytest.raises((MCPError, ExceptionGroup)) as raised:
        anyio.run(partial(call, base_url, world.a_key(), mode=mode, tool="workspace_gett", arguments={}))

    assert refusal_in(raised.value).code == -32602
    assert "workspace_get" in refusal_in(raised.value).data["didYouMean"]


@pytest.mark.parametrize("mode", MODES)
def test_a_bad_key_is_the_clients_error_with_our_own_words(base_url: str, mode: str) -> None:
    with pytest.raises((MCPError, ExceptionGroup)) as raised:
        anyio.run(partial(listed, base_url, UNKNOWN_KEY, mode=mode))

    refusal = refusal_in(raised.value)
    assert refusal.code == -32001
    assert refusal.data["error"] == "unauthorized"
    assert refusal.data["message"] in refusal.message
    assert refusal.data["hint"] in refusal.message


@pytest.mark.parametrize("mode", MODES)
def test_twenty_calls_at_once_are_all_answered(world: World, base_url: str, mode: str) -> None:
    queries = [f"workspace {number}" for number in range(20)]

    async def call_all() -> list[CallToolResult]:
        results: dict[str, CallToolResult] = {}
        async with connected(base_url, world.a_key(), mode=mode) as client:

            async def search(query: str) -> None:
                results[query] = await client.call_tool("catalog_search", {"query": query})

            async with anyio.create_task_group() as tasks:
                for query in queries:
                    tasks.start_soon(search, query)
        return [results[query] for query in queries]

    results = anyio.run(call_all)

    assert [result.is_error for result in results] == [False] * 20


@pytest.mark.parametrize(
    ("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")]
)
def test_each_mode_agrees_on_its_own_version(world: World, base_url: str, mode: str, version: str) -> None:
    async def negotiated() -> str:
        async with connected(base_url, world.a_key(), mode=mode) as client:
            return client.protocol_version

    assert anyio.run(negotiated) == version


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_client_learns_who_serves_it(world: World, base_url: str, mode: str) -> None:
    async def introduction() -> tuple[str | None, str | None]:
        async with connected(base_url, world.a_key(), mode=mode) as client:
            return client.server_info.name if client.server_info else None, client.instructions

    name, instructions = anyio.run(introduction)

    assert name == "forge"
    assert instructions


@pytest.mark.parametrize("mode", MODES)
def test_prompts_are_listed_and_taken(world: World, base_url: str, mode: str) -> None:
    async def taken() -> tuple[list[str], str]:
        async with connected(base_url, world.a_key(), mode=mode) as client:
            names = [prompt.name for prompt in (await client.list_prompts()).prompts]
            got = await client.get_prompt("pipeline", {"source": "https://github.com/o/r/issues/4"})
            return names, got.messages[0].content.text  # type: ignore[union-attr]  # a text it is

    names, text = anyio.run(taken)

    assert {"pipeline", "resume", "start_work"} <= set(names)
    assert "The request: https://github.com/o/r/issues/4" in text


@pytest.mark.parametrize("mode", MODES)
def test_resources_and_their_templates_are_listed(world: World, base_url: str, mode: str) -> None:
    async def listed() -> tuple[list[str], list[str]]:
        async with connected(base_url, world.a_key(), mode=mode) as client:
            here = [str(one.uri) for one in (await client.list_resources()).resources]
            found = (await client.list_resource_templates()).resource_templates
            return here, [one.uri_template for one in found]

    here, templates = anyio.run(listed)

    assert here[:2] == ["forge://needs-you", "forge://workspace"]
    assert "skill://start-work/SKILL.md" in here
    assert "forge://issue/{identifier}" in templates
