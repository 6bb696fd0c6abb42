"""Where a test's world keeps its keys and workspaces: in memory, or on a table like a deployment."""

from collections.abc import Callable
from datetime import datetime

from forge.auth.entrance import KeyStore
from forge.auth.keys import Minted
from forge.context import Caller, KeyKind, Workspaces
from forge.store.store import Store
from forge.store.transactions import Origin, Transaction
from forge.testing.memory import MemoryKeys, MemoryWorkspaces
from forge.wire.backend import StoredWorkspaces
from forge.work.workspace import founding, statuses
from forge.work.workspace.people import api_keys
from forge.work.workspace.people.authentication import AUTHENTICATION, TableKeys
from forge.work.workspace.people.members import UserItem
from forge.work.workspace.workspaces import WorkspaceItem

NewId = Callable[[str], str]


class MemoryKeeper:
    def __init__(self) -> None:
        self._keys = MemoryKeys()
        self._workspaces = MemoryWorkspaces()
        self.keys: KeyStore = self._keys
        self.workspaces: Workspaces = self._workspaces

    def add_workspace(self, slug: str, *, new_id: NewId, now: datetime) -> WorkspaceItem:
        workspace_id = new_id("ws")
        workspace = WorkspaceItem(
            id=workspace_id,
            slug=slug,
            key_prefix=slug.upper(),
            name=slug.title(),
            created_at=now,
            heard=[],
            statuses=statuses.copies(statuses.first_ones(workspace_id, new_id)),
        )
        self._workspaces.add(workspace)
        return workspace

    def add_key(self, minted: Minted) -> None:
        self._keys.add(minted.record)

    def revoke(self, key_hash: str, now: datetime) -> None:
        self._keys.add(self._keys.of_hash(key_hash).replaced(revoked_at=now))


class StoreKeeper:
    def __init__(self, store: Store, now: Callable[[], datetime], new_id: Callable[[str], str]) -> None:
        self._store = store
        self._now = now
        self._new_id = new_id
        self.owner_keys: dict[str, str] = {}
        self.keys: KeyStore = TableKeys(store.table)
        self.workspaces: Workspaces = StoredWorkspaces(store.table)

    def add_workspace(self, slug: str, *, new_id: NewId, now: datetime) -> WorkspaceItem:
        """Founded like every workspace: with statuses, an owner and the owner's key."""
        owner = UserItem(id=new_id("usr"), email=f"owner@{slug}.example", created_at=now)
        founded = founding.found_first(
            self._store,
            slug=slug,
            prefix=slug.upper(),
            name=slug.title(),
            owner=owner,
            handle="owner",
            new_id=new_id,
        )
        self.owner_keys[founded.workspace.id] = founded.owner_key.raw
        return founded.workspace

    def add_key(self, minted: Minted) -> None:
        tx = self.begin(minted.record.workspace_id)
        api_keys.add(tx, minted, name="a key")
        self._store.commit(tx)

    def revoke(self, key_hash: str, now: datetime) -> None:
        tx = self.begin("-")
        tx.adjust(AUTHENTICATION(key_hash), assign={"revoked_at": now})
        self._store.commit(tx)

    def begin(self, workspace_id: str) -> Transaction:
        """A transaction of nobody in particular, to set the stage."""
        stagehand = Caller("key_stage", workspace_id, KeyKind.AGENT, frozenset(), "stage")
        origin = Origin(stagehand, "stage", "req_stage", self._now(), self._new_id)
        return Transaction(self._store.table.name, origin)
