"""What anybody may ask without a key: whether the server lives, and what it can do."""

import pytest

from forge.auth.rates import LIMITS
from forge.context import Door
from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.identity import Build
from forge.wire.paths import DESCRIBE_PATH, HEALTH_PATH
from tests.unit.wire.answers import body_of


@pytest.mark.parametrize("path", [DESCRIBE_PATH, HEALTH_PATH])
@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer nonsense"}, {"authorization": "Basic x"}])
def test_they_answer_without_a_key_and_with_a_bad_one(
    world: World, path: str, headers: dict[str, str]
) -> None:
    response = world.send("", method="GET", path=path, headers=headers)

    assert response.status == 200
    assert body_of(response)


def test_health_names_the_build() -> None:
    world = World(options=Options(build=Build("abc123", "2026-07-28T12:00:00Z")))

    health = body_of(world.send("", method="GET", path=HEALTH_PATH))

    assert health["status"] == "ok"
    assert health["name"] == "forge"
    assert health["gitSha"] == "abc123"
    assert health["buildTime"] == "2026-07-28T12:00:00Z"


def test_describe_has_every_tool_with_how_to_call_it(world: World) -> None:
    tools = body_of(world.send("", method="GET", path=DESCRIBE_PATH))["tools"]

    workspace_get = next(tool for tool in tools if tool["name"] == "workspace.get")
    assert workspace_get["path"] == "/api/mcp/workspace.get"
    assert workspace_get["scopes"] == ["READ_ISSUES"]
    assert workspace_get["effect"] == "READ_ONLY"
    assert workspace_get["inputSchema"]["type"] == "object"


def test_every_described_path_leads_to_its_tool(key: str, world: World) -> None:
    tools = body_of(world.send("", method="GET", path=DESCRIBE_PATH))["tools"]

    assert all(world.send("{}", path=tool["path"], key=key).status != 404 for tool in tools)


def test_describe_does_not_show_what_only_operators_reach(probe_world: World) -> None:
    response = probe_world.send("", method="GET", path=DESCRIBE_PATH)

    assert "probe.echo" in response.body
    assert "operator" not in response.body


def test_describe_is_the_same_each_time(world: World) -> None:
    first = world.send("", method="GET", path=DESCRIBE_PATH)
    second = world.send("", method="GET", path=DESCRIBE_PATH)

    assert first == second


def test_they_cost_no_call_of_a_key(key: str, world: World) -> None:
    for _ in range(LIMITS[Door.REST]):
        world.send("", method="GET", path=HEALTH_PATH, key=key)
        world.send("", method="GET", path=DESCRIBE_PATH, key=key)

    assert world.legacy("ping", key=key).status == 200
    assert world.rest("workspace.get", key=key).status == 200
