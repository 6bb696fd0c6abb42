"""The demo workspace: an owner, a member, and three agents, each with a key. Safe to run again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forge.auth.keys import KeyOrder, mint
from forge.clock import new_id, system_now
from forge.context import KeyKind, Role
from forge.contract.terms import Scope
from forge.store import keys
from forge.store.store import Store
from forge.wire.edge import Edge
from forge.wire.http import Request
from forge.work import api_keys, founding, members
from forge.work.founding import WorkspaceNameItem
from forge.work.members import UserItem

SLUG, PREFIX = "demo", "DEMO"
REPOSITORY = "demo/app"
AGENTS = {"planner": "Planner", "worker": "Worker", "reviewer": "Reviewer"}

_ALL = [scope.value for scope in Scope]
_ALL_BUT_ADMIN = [scope for scope in _ALL if scope != Scope.ADMIN]
_READING = [scope for scope in _ALL if scope.startswith("READ_")]


class SeedFailed(Exception):
    """An admin call was refused while the demo was set up."""


@dataclass(frozen=True, slots=True)
class Admin:
    """The admin surface without a network: the seed uses the same tools as an operator."""

    edge: Edge
    key: str

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None, *, surface: str = "admin") -> Any:
        response = self.edge.handle(
            Request(
                method="POST",
                path=f"/api/{surface}/{tool}",
                headers={"authorization": f"Bearer {self.key}"},
                body=json.dumps(arguments or {}),
                id=new_id("req"),
            )
        )
        if response.status != 200:
            raise SeedFailed(f"{tool}: {response.body}")
        return json.loads(response.body)


def is_current(edge: Edge, description: Mapping[str, Any]) -> bool:
    """Whether what a former start wrote down still works."""
    try:
        found = Admin(edge, description["keys"]["owner"]).call("workspaces.get")
    except (SeedFailed, KeyError, TypeError):
        return False
    return bool(found["id"] == description["workspace"]["id"])


def seed_demo(store: Store, edge: Edge) -> dict[str, Any]:
    """Make what is missing of the demo, with new keys, and describe it."""
    workspace_id, owner_id, owner_key = _owner(store)
    admin = Admin(edge, owner_key)
    member = _member(admin)
    agents = {key: _agent(admin, key, name) for key, name in AGENTS.items()}
    member_key = _key(admin, "member", _ALL_BUT_ADMIN, userId=member["id"])
    return {
        "workspace": {"id": workspace_id, "slug": SLUG, "key": PREFIX},
        "repository": REPOSITORY,
        "keys": {
            "owner": owner_key,
            "member": member_key,
            "readonly": _key(admin, "readonly", _READING, userId=member["id"]),
            "agents": {
                key: _key(admin, key, _ALL_BUT_ADMIN, kind="AGENT", linkedAgentId=agent["id"])
                for key, agent in agents.items()
            },
        },
        "users": {
            "owner": {"id": owner_id, "handle": "owner"},
            "member": {"id": member["id"], "handle": "member"},
        },
        "agents": {key: {"id": agent["id"], "profileKey": key} for key, agent in agents.items()},
    }


def _owner(store: Store) -> tuple[str, str, str]:
    """The ids of workspace and owner, and a key that works, whether or not they are there already."""
    known = store.table.find(WorkspaceNameItem, keys.workspace_slug(SLUG))
    if known is not None:
        return _another_owner_key(store, known.workspace_id)
    owner = UserItem(id=new_id("usr"), email="owner@demo.example", created_at=system_now())
    founded = founding.found_first(
        store, slug=SLUG, prefix=PREFIX, name="Demo", owner=owner, handle="owner", new_id=new_id
    )
    return founded.workspace.id, owner.id, founded.owner_key.raw


def _another_owner_key(store: Store, workspace_id: str) -> tuple[str, str, str]:
    """For a workspace whose keys are written down nowhere: a start that was cut off, or a lost dev.json."""
    everybody = members.list_all(store.table, workspace_id)
    owner = next(member for member in everybody if member.role is Role.OWNER)
    order = KeyOrder("Owner", KeyKind.PERSONAL, workspace_id, tuple(Scope), owner.user_id, owner.role)
    minted = mint(order, key_id=new_id("key"), now=system_now())
    tx = founding.setup_transaction(store, workspace_id, now=system_now(), new_id=new_id)
    item = api_keys.add(tx, minted, name=order.name)
    tx.replace(owner.with_key(item.key_hash, None, system_now()))
    store.commit(tx)
    return workspace_id, owner.user_id, minted.raw


def _member(admin: Admin) -> Any:
    for member in admin.call("members.list")["data"]:
        if member["handle"] == "member":
            return member
    return admin.call("members.add", {"email": "member@demo.example", "name": "Member", "handle": "member"})


def _agent(admin: Admin, profile_key: str, name: str) -> Any:
    for agent in admin.call("agents.list", surface="mcp")["data"]:
        if agent["profileKey"] == profile_key:
            return agent
    return admin.call("agents.create", {"profileKey": profile_key, "name": name, "provider": "CLAUDE"})


def _key(admin: Admin, name: str, scopes: list[str], **more: str) -> str:
    made = admin.call("keys.create", {"name": name, "scopes": scopes, **more})
    return str(made["rawKey"])
