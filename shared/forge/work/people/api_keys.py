"""Stored API keys: the item that authenticates a call, and the one that its workspace lists."""

from datetime import datetime

from forge.auth.keys import Minted
from forge.context import KeyKind, Role
from forge.errors import NotFound
from forge.store.items import Item
from forge.store.keys import Key
from forge.store.pages import Found, read_page
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.store.walks import one_partition
from forge.work.people import members, people_keys
from forge.work.people.members import MemberItem


class AuthenticationItem(Item):
    """What authentication finds and counts in. Only role changes and revocation touch it."""

    key_hash: str
    id: str
    workspace_id: str
    kind: KeyKind
    scopes: set[str] = set()
    user_id: str | None = None
    role: Role | None = None
    is_member: bool = True
    linked_agent_id: str | None = None
    project_ids: set[str] = set()
    label_ids: set[str] = set()
    initiative_ids: set[str] = set()
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    rpc_window: int = 0
    rpc_count: int = 0
    rest_window: int = 0
    rest_count: int = 0

    @property
    def key(self) -> Key:
        return people_keys.authentication(self.key_hash)


class ApiKeyItem(Item):
    """The key as its workspace lists it. It knows the hash, so that revoking finds the other item."""

    workspace_id: str
    id: str
    key_hash: str
    prefix: str
    name: str
    kind: KeyKind
    scopes: set[str] = set()
    user_id: str | None = None
    linked_agent_id: str | None = None
    project_ids: set[str] = set()
    label_ids: set[str] = set()
    initiative_ids: set[str] = set()
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    @property
    def key(self) -> Key:
        return people_keys.api_key(self.workspace_id, self.id)

    def is_live(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)


def get(table: Table, workspace_id: str, key_id: str) -> ApiKeyItem:
    missing = NotFound(f"There is no key {key_id[:60]!r}.", hint="keys.list shows them.")
    return table.get(ApiKeyItem, people_keys.api_key(workspace_id, key_id), missing=missing)


def get_with_owner(table: Table, workspace_id: str, key_id: str) -> tuple[ApiKeyItem, MemberItem | None]:
    """A key and the member whose it is, if it is anybody's and they are still there."""
    item = get(table, workspace_id, key_id)
    return item, members.find(table, workspace_id, item.user_id) if item.user_id else None


def list_page(
    table: Table, workspace_id: str, *, limit: int, cursor: str | None
) -> tuple[Found[ApiKeyItem], dict[str, datetime | None]]:
    """One page of keys, and by hash when each was last used."""
    listing = one_partition(people_keys.api_keys(workspace_id), is_descending=True)
    found = read_page(table, ApiKeyItem, listing, limit=limit, cursor=cursor)
    places = {item.key_hash: people_keys.authentication(item.key_hash) for item in found.items}
    known = table.read(places.values())
    used = {key_hash: known.find(AuthenticationItem, place) for key_hash, place in places.items()}
    return found, {key_hash: item.last_used_at for key_hash, item in used.items() if item}


def add(tx: Transaction, minted: Minted, *, name: str) -> ApiKeyItem:
    """Store a new key: both its items, in the transaction that decides about it."""
    record = minted.record
    shared = {
        "id": record.id,
        "key_hash": record.key_hash,
        "workspace_id": record.workspace_id,
        "kind": record.kind,
        "scopes": set(record.scopes),
        "user_id": record.user_id,
        "linked_agent_id": record.linked_agent_id,
        "project_ids": set(record.narrowing.project_ids),
        "label_ids": set(record.narrowing.label_ids),
        "initiative_ids": set(record.narrowing.initiative_ids),
        "expires_at": record.expires_at,
    }
    tx.create(AuthenticationItem.model_validate({**shared, "role": record.role}))
    item = ApiKeyItem.model_validate(
        {**shared, "prefix": minted.prefix, "name": name, "created_at": tx.origin.now}
    )
    tx.create(item)
    return item


def revoke(tx: Transaction, item: ApiKeyItem) -> ApiKeyItem:
    """End a key for good; the next call with it is refused."""
    revoked = item.changed(revoked_at=tx.origin.now)
    tx.replace(revoked)
    tx.adjust(people_keys.authentication(item.key_hash), assign={"revoked_at": tx.origin.now})
    return revoked
