"""`forge dev`: the product on loopback, with a demo workspace and keys for everybody in it."""

import json
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import uvicorn
from rich.console import Console

from forge.auth.keys import KeyOrder
from forge.auth.tokens import Tokens
from forge.cli.snippets import client_snippets
from forge.clock import new_id, system_now
from forge.context import KeyKind, Role, Services
from forge.contract.catalog import load_catalog
from forge.contract.terms import Scope
from forge.testing.memory import MemoryKeys, MemoryWorkspaces, no_store
from forge.wire.edge import Backend, Edge
from forge.wire.settings import Settings
from forge.wire.web import create_app
from forge.work.workspaces import WorkspaceItem

HOST = "127.0.0.1"
READ_SCOPES = tuple(scope for scope in Scope if scope.startswith("READ_"))


@dataclass(frozen=True, slots=True)
class Demo:
    """The seeded workspace, as `dev.json` describes it."""

    workspace: WorkspaceItem
    owner: str
    member: str
    readonly: str

    def description(self, base_url: str) -> dict[str, Any]:
        return {
            "baseUrl": base_url,
            "workspace": {
                "id": self.workspace.id,
                "slug": self.workspace.slug,
                "key": self.workspace.key_prefix,
            },
            "keys": {"owner": self.owner, "member": self.member, "readonly": self.readonly},
        }


def run(*, port: int, home: Path) -> int:
    console = Console(highlight=False, soft_wrap=True)
    if not _is_free(port):
        console.print(f"Port {port} is taken. Choose another: make dev PORT={port + 1}")
        return 1
    base_url = f"http://{HOST}:{port}"
    keys, workspaces = MemoryKeys(), MemoryWorkspaces()
    demo = _seed(keys, workspaces)
    _write_private(home / "dev.json", json.dumps(demo.description(base_url), indent=2) + "\n")
    console.print(client_snippets(base_url, demo.owner), markup=False)
    console.print(f"All keys: {home / 'dev.json'}   API: {base_url}/docs   Stop: Ctrl-C", markup=False)
    app = create_app(_edge(keys, workspaces))
    uvicorn.run(app, host=HOST, port=port, log_level="warning", access_log=False, lifespan="off")
    return 0


def _edge(keys: MemoryKeys, workspaces: MemoryWorkspaces) -> Edge:
    services = Services(system_now, new_id, workspaces, no_store())
    settings = Settings.read({"FORGE_ALLOWED_HOSTS": "localhost 127.0.0.1 ::1", **os.environ})
    return Edge(load_catalog(), Backend(keys, services, Tokens(token_urlsafe(32))), settings.options())


def _seed(keys: MemoryKeys, workspaces: MemoryWorkspaces) -> Demo:
    workspace = WorkspaceItem(
        id=new_id("ws"), slug="demo", key_prefix="DEMO", name="Demo", created_at=system_now()
    )
    workspaces.add(workspace)

    def user_key(name: str, role: Role, scopes: tuple[Scope, ...]) -> str:
        order = KeyOrder(
            name=name,
            kind=KeyKind.PERSONAL,
            workspace_id=workspace.id,
            scopes=scopes,
            user_id=new_id("usr"),
            role=role,
        )
        return keys.mint(order, key_id=new_id("key"), now=system_now())

    return Demo(
        workspace,
        owner=user_key("owner", Role.OWNER, tuple(Scope)),
        member=user_key("member", Role.MEMBER, tuple(Scope)),
        readonly=user_key("readonly", Role.GUEST, READ_SCOPES),
    )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def _write_private(path: Path, text: str) -> None:
    """Only the owner may read it: it holds keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
