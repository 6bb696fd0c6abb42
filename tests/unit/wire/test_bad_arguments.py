"""Whatever arguments a tool gets, it answers or refuses; it never breaks."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moto import mock_aws

from forge.contract.catalog import CatalogTool, load_catalog
from forge.contract.terms import Surface
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.world import World
from tests.unit.wire.answers import result_of
from tests.unit.wire.hostile import bounded, json_values, objects_with, require_civil


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """With a table, because a tool must get as far as it does in a deployment."""
    with mock_aws():
        yield World(store=provision(Connections("us-east-1", credentials=("test", "test")), "forge"))


@pytest.fixture(scope="module")
def key(world: World) -> str:
    return world.a_key()


@pytest.mark.parametrize("tool", load_catalog().on(Surface.MCP), ids=lambda tool: tool.name)
@bounded(10)
@given(data=st.data())
def test_any_arguments_of_any_tool(world: World, key: str, tool: CatalogTool, data: st.DataObject) -> None:
    world.clock.advance(minutes=1)
    arguments = data.draw(objects_with(*tool.input_schema["properties"]) | json_values)

    over_rpc = world.modern("tools/call", {"name": tool.portable_name, "arguments": arguments}, key=key)
    over_rest = world.rest(tool.name, json.dumps(arguments), key=key)

    require_civil(over_rpc)
    require_civil(over_rest)
    assert result_of(over_rpc)["structuredContent"].get("error") != "internal"
