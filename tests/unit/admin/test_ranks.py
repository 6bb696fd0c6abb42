"""An ADMIN has no way to an OWNER's power, nor to lock an OWNER out."""

import json

import pytest

from forge.context import Role
from forge.testing.world import World


def an_admins_key(world: World) -> str:
    return world.a_key(role=Role.ADMIN)


def owner_of(world: World) -> str:
    (owner,) = [one for one in _list(world, "members.list") if one["role"] == "OWNER"]
    return str(owner["id"])


def owners_key_id(world: World) -> str:
    return str(next(key["id"] for key in _list(world, "keys.list") if key["userId"] == owner_of(world)))


@pytest.mark.parametrize(
    "tool", ["tokens.create", "keys.revoke", "keys.create", "members.update", "members.remove"]
)
def test_an_admin_can_not_touch_what_is_an_owners(tool: str, stored_world: World) -> None:
    arguments = {
        "tokens.create": {"keyId": owners_key_id(stored_world)},
        "keys.revoke": {"id": owners_key_id(stored_world)},
        "keys.create": {"name": "x", "scopes": ["ADMIN"], "userId": owner_of(stored_world)},
        "members.update": {"userId": owner_of(stored_world), "handle": "mine"},
        "members.remove": {"userId": owner_of(stored_world)},
    }

    refused = stored_world.admin(tool, arguments[tool], key=an_admins_key(stored_world))

    assert refused.status == 403
    assert stored_world.admin("members.list", key=stored_world.owner_key()).status == 200


def _list(world: World, tool: str) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = json.loads(world.admin(tool, key=world.owner_key()).body)["data"]
    return rows
