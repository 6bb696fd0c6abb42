"""The kept `tools/list` answers: made once, and never more than a bounded number."""

import json

from forge.contract.terms import Scope
from forge.testing.world import World


def test_keys_of_different_scopes_never_see_each_others_list(world: World) -> None:
    every, few = world.a_key(), world.a_key(scopes=[Scope.READ_USERS])

    lists = [
        {tool["name"] for tool in json.loads(world.modern("tools/list", key=key).body)["result"]["tools"]}
        for key in (every, few, every)
    ]

    assert lists[0] == lists[2]
    assert "workspace_get" in lists[0]
    assert "workspace_get" not in lists[1]


def test_no_mix_of_selections_makes_the_kept_lists_grow_without_bound(key: str, world: World) -> None:
    namespaces = ["labels", "statuses", "agents", "events", "workspace", "catalog"]
    selections = [
        ",".join(name for place, name in enumerate(namespaces) if mix & 1 << place) for mix in range(1, 64)
    ]

    for names in ("canonical", "portable"):
        for tools in selections:
            for era in (world.modern, world.legacy):
                era("tools/list", key=key, query={"tools": tools, "names": names})

    eras = [world.edge._rpc._modern, world.edge._rpc._legacy]
    methods = eras[0].methods["tools/list"].__self__  # type: ignore[attr-defined]  # a bound method
    assert 0 < len(methods._modern_listings) <= 256
    assert 0 < len(methods._legacy_listings) <= 256
