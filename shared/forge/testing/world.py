"""A whole Forge in memory: keys, workspaces, clock, and the edge that serves them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from forge.auth.keys import KeyOrder
from forge.auth.tokens import Tokens
from forge.context import UNRESTRICTED, KeyKind, Narrowing, Role, Services, Workspace
from forge.contract.catalog import Catalog, load_catalog
from forge.contract.terms import Scope
from forge.testing.clock import FakeClock, FakeIds
from forge.testing.memory import MemoryKeys, MemoryWorkspaces
from forge.wire.edge import RPC_PATH, Backend, Edge, Options
from forge.wire.http import Request, Response
from forge.wire.protocol import META_CAPABILITIES, META_VERSION, MODERN_VERSION

TOKEN_SECRET = "a secret for tests that signs nothing real"


class World:
    """Build one per test; everything in it starts empty but the workspace `demo`."""

    def __init__(self, *, catalog: Catalog | None = None, options: Options | None = None) -> None:
        self.clock = FakeClock()
        self.ids = FakeIds()
        self.keys = MemoryKeys()
        self.workspaces = MemoryWorkspaces()
        self.tokens = Tokens(TOKEN_SECRET)
        self.log: list[str] = []
        self.workspace = self.add_workspace("demo")
        self.services = Services(self.clock, self.ids, self.workspaces)
        self.edge = Edge(
            catalog or load_catalog(),
            Backend(self.keys, self.services, self.tokens),
            replace(options or Options(), write_log=self.log.append),
        )

    def add_workspace(self, slug: str) -> Workspace:
        workspace = Workspace(id=self.ids("ws"), slug=slug, key=slug.upper(), name=slug.title())
        self.workspaces.add(workspace)
        return workspace

    def a_key(
        self,
        *,
        scopes: Iterable[Scope] = tuple(Scope),
        kind: KeyKind = KeyKind.PERSONAL,
        role: Role = Role.OWNER,
        workspace: Workspace | None = None,
        linked_agent_id: str | None = None,
        narrowing: Narrowing = UNRESTRICTED,
        expires_in_days: int | None = None,
    ) -> str:
        """A raw key that works. Its record is found with `key_record`."""
        order = KeyOrder(
            name="a key",
            kind=kind,
            workspace_id=(workspace or self.workspace).id,
            scopes=scopes,
            user_id=None if kind is KeyKind.AGENT else self.ids("usr"),
            role=None if kind is KeyKind.AGENT else role,
            linked_agent_id=linked_agent_id,
            narrowing=narrowing,
            expires_in_days=expires_in_days,
        )
        return self.keys.mint(order, key_id=self.ids("key"), now=self.clock())

    def send(
        self,
        body: object,
        *,
        method: str = "POST",
        path: str = RPC_PATH,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> Response:
        """Send a body to any path: text and bytes as they are, anything else as JSON."""
        all_headers = {"authorization": f"Bearer {key}"} if key is not None else {}
        return self.edge.handle(
            Request(
                method=method,
                path=path,
                headers=all_headers | dict(headers or {}),
                body=body if isinstance(body, str | bytes) else json.dumps(body),
                id=self.ids("req"),
                query=query or {},
            )
        )

    def modern(self, method: str, params: Mapping[str, Any] | None = None, **how: Any) -> Response:
        """Send one message of the modern era, metadata and headers included."""
        name = (params or {}).get("name") or (params or {}).get("uri")
        headers = {"mcp-protocol-version": MODERN_VERSION, "mcp-method": method}
        headers |= {"mcp-name": name} if isinstance(name, str) else {}
        message = modern_message(method, params or {})
        return self.send(message, **how | {"headers": headers | how.get("headers", {})})

    def legacy(self, method: str, params: Mapping[str, Any] | None = None, **how: Any) -> Response:
        return self.send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}, **how)

    def call(self, tool: str, arguments: object = None, *, key: str, **how: Any) -> dict[str, Any]:
        """The result of a tool call in the modern era, as a dict; `isError` tells how it went."""
        response = self.modern("tools/call", {"name": tool, "arguments": arguments or {}}, key=key, **how)
        result: dict[str, Any] = json.loads(response.body)["result"]
        return result

    def rest(self, tool: str, body: object = "", **how: Any) -> Response:
        return self.send(body, path=f"/api/mcp/{tool}", **how)


def modern_message(method: str, params: Mapping[str, Any], *, message_id: int = 1) -> dict[str, Any]:
    meta = {META_VERSION: MODERN_VERSION, META_CAPABILITIES: {}} | params.get("_meta", {})
    return {"jsonrpc": "2.0", "id": message_id, "method": method, "params": {**params, "_meta": meta}}
