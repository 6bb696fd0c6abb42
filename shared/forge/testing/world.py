"""A whole Forge for a test: keys, workspaces, a clock to move, and the edge that serves them."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from forge.auth.entrance import KeyStore
from forge.auth.keys import KeyOrder, hash_of, mint
from forge.auth.tokens import SigningSecrets, Tokens
from forge.context import UNRESTRICTED, KeyKind, Narrowing, Role, Services
from forge.contract.catalog import Catalog, load_catalog
from forge.contract.terms import Scope
from forge.deadline import CALL_SECONDS
from forge.store.store import Store
from forge.testing.clock import FakeClock, FakeIds
from forge.testing.keepers import MemoryKeeper, StoreKeeper
from forge.testing.memory import no_store
from forge.testing.web import Web
from forge.wire.edge import Backend, Edge, Options
from forge.wire.http import Request, Response
from forge.wire.paths import RPC_PATH
from forge.wire.protocol import META_CAPABILITIES, META_VERSION, MODERN_VERSION
from forge.work.workspace.workspaces import WorkspaceItem

TOKEN_SECRET = "a secret for tests that signs nothing real"


class World:
    """Build one per test; everything in it starts empty but the workspace `demo`.

    Without a store, keys and workspaces live in memory and tools that need a table fail with that reason.
    With one, everything is stored as in a deployment.
    """

    def __init__(
        self,
        *,
        store: Store | None = None,
        catalog: Catalog | None = None,
        options: Options | None = None,
        clock: FakeClock | None = None,
        ids: FakeIds | None = None,
        public_url: str = "",
        own_machine: bool = False,
    ) -> None:
        self.clock = clock or FakeClock()
        self.ids = ids or FakeIds()
        self.tokens = Tokens(lambda: SigningSecrets(TOKEN_SECRET))
        self.log: list[str] = []
        self.seconds = CALL_SECONDS
        """How long a call may take; less, for a test that waits until it is over."""
        self.web = Web()
        self.keeper = StoreKeeper(store, self.clock, self.ids) if store else MemoryKeeper()
        self.services = Services(
            self.clock,
            self.ids,
            self.keeper.workspaces,
            store or no_store(),
            self.tokens,
            self.web.outbound,
            own_machine,
            public_url,
            lambda seconds: self.clock.advance(seconds=seconds),
        )
        self.workspace = self.add_workspace("demo")
        self.edge = Edge(
            catalog or load_catalog(),
            Backend(self.keeper.keys, self.services),
            (options or Options())._replace(write_log=self.log.append),
        )

    def add_workspace(self, slug: str) -> WorkspaceItem:
        return self.keeper.add_workspace(slug, new_id=self.ids, now=self.clock())

    def owner_key(self, workspace: WorkspaceItem | None = None) -> str:
        """The key of a workspace's owner: the real one's, where workspaces are stored."""
        wanted = workspace or self.workspace
        if isinstance(self.keeper, StoreKeeper):
            return self.keeper.owner_keys[wanted.id]
        return self.a_key(workspace=wanted)

    def a_key(
        self,
        *,
        scopes: Iterable[Scope] = tuple(Scope),
        kind: KeyKind = KeyKind.PERSONAL,
        role: Role = Role.OWNER,
        workspace: WorkspaceItem | None = None,
        user_id: str | None = None,
        linked_agent_id: str | None = None,
        narrowing: Narrowing = UNRESTRICTED,
        expires_in_days: int | None = None,
    ) -> str:
        """A raw key that works."""
        is_user_key = kind is not KeyKind.AGENT
        order = KeyOrder(
            name="a key",
            kind=kind,
            workspace_id=(workspace or self.workspace).id,
            scopes=scopes,
            user_id=(user_id or self.ids("usr")) if is_user_key else None,
            role=role if is_user_key else None,
            linked_agent_id=linked_agent_id,
            narrowing=narrowing,
            expires_in_days=expires_in_days,
        )
        minted = mint(order, key_id=self.ids("key"), now=self.clock())
        self.keeper.add_key(minted)
        return minted.raw

    @property
    def keys(self) -> KeyStore:
        return self.keeper.keys

    def revoke(self, raw_key: str) -> None:
        self.keeper.revoke(hash_of(raw_key), self.clock())

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
            ),
            seconds=self.seconds,
        )

    def modern(self, method: str, params: Mapping[str, Any] | None = None, **how: Any) -> Response:
        """Send one message of the modern era, metadata and headers included."""
        named = (params or {}).get
        name = named("name") or named("uri") or named("taskId")
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

    def admin(self, tool: str, body: object = "", **how: Any) -> Response:
        return self.send(body, path=f"/api/admin/{tool}", **how)

    def rest(self, tool: str, body: object = "", **how: Any) -> Response:
        return self.send(body, path=f"/api/mcp/{tool}", **how)


def modern_message(method: str, params: Mapping[str, Any], *, message_id: int = 1) -> dict[str, Any]:
    meta = {META_VERSION: MODERN_VERSION, META_CAPABILITIES: {}} | params.get("_meta", {})
    return {"jsonrpc": "2.0", "id": message_id, "method": method, "params": {**params, "_meta": meta}}
