"""The demo workspace: made once, completed when its making was cut off, and never made twice."""

from collections.abc import Mapping
from typing import Any

import pytest

from forge.auth.tokens import SigningSecrets
from forge.cli.seed import AGENTS, is_current, seed_demo
from forge.contract.catalog import load_catalog
from forge.store.store import Store
from forge.testing.clock import FakeClock
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import watched
from forge.testing.world import TOKEN_SECRET, World
from forge.wire.backend import backend_on
from forge.wire.edge import Edge, Options


def an_edge(store: Store) -> Edge:
    # A clock that stands still: no rate window ends while requests are counted.
    backend = backend_on(store, token_secrets=lambda: SigningSecrets(TOKEN_SECRET), now=FakeClock())
    return Edge(load_catalog(), backend, Options(write_log=lambda _: None))


def lasting(description: Mapping[str, Any]) -> dict[str, Any]:
    """Everything but the keys, which are new each time."""
    return {name: value for name, value in description.items() if name != "keys"}


def test_a_second_seed_finds_everything_and_makes_new_keys(store: Store) -> None:
    edge = an_edge(store)

    first, second = seed_demo(store, edge), seed_demo(store, edge)

    assert lasting(first) == lasting(second)
    assert first["keys"].keys() == second["keys"].keys()
    assert first["keys"]["owner"] != second["keys"]["owner"]
    assert not is_current(edge, first)
    assert is_current(edge, second)


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
@pytest.mark.parametrize("position", [0, 3, 13, 35])
def test_a_seed_that_was_cut_off_is_completed_by_the_next(store: Store, fault: Fault, position: int) -> None:
    dying = FaultAt(fault, position)
    broken = watched(store, dying)
    with pytest.raises(ProcessDied):
        seed_demo(broken, an_edge(broken))

    edge = an_edge(store)
    description = seed_demo(store, edge)

    assert is_current(edge, description)
    assert description["agents"].keys() == AGENTS.keys()
    assert lasting(seed_demo(store, edge)) == lasting(description)


@pytest.mark.parametrize(
    "description",
    [{}, {"keys": None}, {"keys": []}, {"keys": {}}, {"keys": {"owner": None}}, {"keys": {"owner": "a key"}}],
    ids=repr,
)
def test_a_description_without_a_key_that_works_is_not_current(
    stored_world: World, description: dict[str, Any]
) -> None:
    workspace = {"id": stored_world.workspace.id}

    assert not is_current(stored_world.edge, {"workspace": workspace, **description})


def test_a_description_of_another_workspace_is_not_current(store: Store) -> None:
    edge = an_edge(store)
    description = seed_demo(store, edge)

    assert is_current(edge, description)
    assert not is_current(edge, description | {"workspace": {"id": "ws_other"}})
    assert not is_current(edge, description | {"keys": {"owner": description["keys"]["owner"]}})


def test_a_revoked_owners_key_is_not_current(stored_world: World) -> None:
    key = stored_world.owner_key()
    stored_world.revoke(key)

    assert not is_current(
        stored_world.edge, {"keys": {"owner": key}, "workspace": {"id": stored_world.workspace.id}}
    )
