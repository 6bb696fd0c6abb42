"""The demo workspace: an owner, a member, and three agents, each with a key. Safe to run again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forge.clock import new_id, system_now
from forge.contract.terms import Scope
from forge.store.store import Store
from forge.wire.edge import Edge
from forge.wire.http import Request
from forge.work.workspace import founding
from forge.work.workspace.founding import WorkspaceNameItem
from forge.work.workspace.people import members
from forge.work.workspace.people.members import UserItem

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
        keys_of = description["keys"]
        everybody = [
            *(keys_of[name] for name in ("owner", "member", "readonly")),
            *keys_of["agents"].values(),
        ]
        found = [Admin(edge, key).call("workspace.get", surface="mcp")["id"] for key in everybody]
        is_complete = set(keys_of["agents"]) == set(description["agents"]) and len(description["users"]) == 2
        return is_complete and set(found) == {description["workspace"]["id"]}
    except (SeedFailed, KeyError, TypeError, AttributeError):
        return False


def seed_demo(store: Store, edge: Edge) -> dict[str, Any]:
    """Make what is missing of the demo, with new keys, and describe it."""
    workspace_id, owner_id, owner_key = _owner(store)
    admin = Admin(edge, owner_key)
    _revoke_former_keys(admin, but=owner_key)
    member = _member(admin)
    agents = {key: _agent(admin, key, name) for key, name in AGENTS.items()}
    _repository(admin)
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
            "member": {"id": member["id"], "handle": member["handle"]},
        },
        "agents": {
            key: {"id": agent["id"], "profileKey": agent["profileKey"]} for key, agent in agents.items()
        },
    }


def _owner(store: Store) -> tuple[str, str, str]:
    """The ids of workspace and owner, and a key that works, whether or not they are there already."""
    known = store.table.find(WorkspaceNameItem, WorkspaceNameItem.at("SLUG", SLUG))
    if known is not None:
        return _another_owner_key(store, known.workspace_id)
    owner = UserItem(id=new_id("usr"), email="owner@demo.example", created_at=system_now())
    founded = founding.found_first(
        store, slug=SLUG, prefix=PREFIX, name="Demo", owner=owner, handle="owner", new_id=new_id
    )
    return founded.workspace.id, owner.id, founded.owner_key.raw


def _another_owner_key(store: Store, workspace_id: str) -> tuple[str, str, str]:
    """For a workspace whose keys are written down nowhere: a start that was cut off, or a lost dev.json."""
    tx = founding.setup_transaction(store, workspace_id, now=system_now(), new_id=new_id)
    owner, minted = founding.another_owner_key(tx, members.list_all(store.table, workspace_id))
    store.commit(tx)
    return workspace_id, owner.user_id, minted.raw


def _revoke_former_keys(admin: Admin, *, but: str) -> None:
    """Keys that an earlier start wrote down; nobody knows them any more, and a user's keys are limited."""
    seeded = {"Owner", "member", "readonly", *AGENTS}
    for key in admin.call("keys.list", {"limit": 100})["data"]:
        is_former = key["name"] in seeded and key["revokedAt"] is None
        if is_former and not but.startswith(key["prefix"]):
            admin.call("keys.revoke", {"id": key["id"]})


def _member(admin: Admin) -> Any:
    email = "member@demo.example"
    for member in admin.call("members.list")["data"]:
        if member["email"] == email:
            return member
    return admin.call("members.add", {"email": email, "name": "Member", "handle": "member"})


def _agent(admin: Admin, profile_key: str, name: str) -> Any:
    known = admin.call("agents.list", {"includeArchived": True}, surface="mcp")["data"]
    live = [one for one in known if one["archivedAt"] is None and one["name"] == name]
    if live:
        return live[0]
    # The key of an archived agent stays taken.
    taken = {agent["profileKey"] for agent in known}
    names = (profile_key, *(f"{profile_key}-{number}" for number in range(2, len(taken) + 3)))
    free = next(candidate for candidate in names if candidate not in taken)
    return admin.call("agents.create", {"profileKey": free, "name": name, "provider": "CLAUDE"})


def _repository(admin: Admin) -> None:
    known = {one["fullName"] for one in admin.call("repositories.list")["data"]}
    if REPOSITORY not in known:
        admin.call("repositories.register", {"fullName": REPOSITORY, "provider": "native", "default": True})


def _key(admin: Admin, name: str, scopes: list[str], **more: str) -> str:
    made = admin.call("keys.create", {"name": name, "scopes": scopes, **more})
    return str(made["rawKey"])
