"""The official Python client is asked back, and answers: its own code puts the form before somebody."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, ElicitRequestFormParams, ElicitResult

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.server import serve
from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.hosts import LOOPBACK
from forge.wire.paths import RPC_PATH

Answer = Callable[[ElicitRequestFormParams], ElicitResult]


@pytest.fixture(scope="module")
def world(connections: Connections) -> World:
    store = provision(connections, "forge-test-asked-back")
    return World(store=store, options=Options(allowed_hosts=LOOPBACK))


@pytest.fixture(scope="module")
def url(world: World) -> Iterator[str]:
    with serve(world.edge) as base_url:
        yield f"{base_url}{RPC_PATH}"


@asynccontextmanager
async def connected(url: str, key: str, mode: str, answer: Answer | None) -> AsyncIterator[Client]:
    async def put(context: object, params: Any) -> ElicitResult:
        assert answer is not None
        return answer(params)

    headers = {"authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, trust_env=False) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=put if answer else None) as client:
            yield client


async def _call(
    url: str, key: str, tool: str, arguments: dict[str, Any], answer: Answer | None, mode: str
) -> CallToolResult:
    async with connected(url, key, mode, answer) as client:
        return await client.call_tool(tool, arguments)


def call(
    world: World,
    url: str,
    tool: str,
    arguments: dict[str, Any],
    *,
    answer: Answer | None = None,
    mode: str = "auto",
) -> dict[str, Any]:
    made = anyio.run(partial(_call, url, world.owner_key(), tool, arguments, answer, mode))
    return {**(made.structured_content or {}), "isError": made.is_error}


def a_project(world: World, url: str, key: str, name: str = "Website") -> str:
    made = call(world, url, "projects_create", {"key": key, "name": name})
    call(world, url, "issues_create", {"title": "Open", "projectId": made["id"]})
    return str(made["id"])


def test_a_yes_in_the_form_archives_the_project(world: World, url: str) -> None:
    project, forms = a_project(world, url, "YES"), list[ElicitRequestFormParams]()

    def yes(form: ElicitRequestFormParams) -> ElicitResult:
        forms.append(form)
        return ElicitResult(action="accept", content={"confirm": True})

    done = call(world, url, "projects_archive", {"id": project}, answer=yes)

    assert (done["isError"], done["archived"]) == (False, True)
    (form,) = forms
    assert "open stay so: 1." in form.message


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_client_with_nobody_behind_it_is_told_which_argument_confirms(
    world: World, url: str, action: Any
) -> None:
    project = a_project(world, url, action[:4].upper())

    refused = call(
        world, url, "projects_archive", {"id": project}, answer=lambda form: ElicitResult(action=action)
    )
    done = call(world, url, "projects_archive", {"id": project, "confirm": True}, answer=_never)

    assert refused["isError"] is True
    assert refused["issues"].keys() == {"confirm"}
    assert done["archived"] is True


def test_which_of_two_is_chosen_in_the_form(world: World, url: str) -> None:
    first, second = a_project(world, url, "ONE", "Twin"), a_project(world, url, "TWO", "Twin")

    def the_second(form: ElicitRequestFormParams) -> ElicitResult:
        assert {one["const"] for one in form.requested_schema["properties"]["projectId"]["oneOf"]} == {
            first,
            second,
        }
        return ElicitResult(action="accept", content={"projectId": second})

    order = {"title": "In the second", "projectId": "Twin"}
    made = call(world, url, "issues_create", order, answer=the_second)

    assert made["projectId"] == second


def test_a_client_of_the_legacy_era_is_not_asked(world: World, url: str) -> None:
    project = a_project(world, url, "OLD")

    done = call(world, url, "projects_archive", {"id": project}, answer=_never, mode="legacy")

    assert done["archived"] is True


def _never(form: ElicitRequestFormParams) -> ElicitResult:
    raise AssertionError(form.message)
