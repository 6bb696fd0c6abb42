"""Stored API keys: the item that authenticates a call, and the one that its workspace lists."""

from datetime import datetime, timedelta
from typing import NamedTuple

from forge.auth.keys import KeyRecord, Minted
from forge.context import KeyKind, Narrowing, Role
from forge.errors import NotFound
from forge.store.items import Item, Part
from forge.store.keys import At, Partition
from forge.store.pages import AskedPage, Found, read_page
from forge.store.places import DueAt, KeptFor
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.store.walks import one_partition
from forge.work.workspace.people import keyrings
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.people.members import MemberItem

REMEMBERED = timedelta(days=30)
"""For so long after its end, whoever still uses a session's key is told that it has expired."""

API_KEYS = Partition("WS#{workspace_id}#KEYS")


class ClientOfKey(Part):
    """Whom a key was made for that is a client's: what it is called, and where it may be used."""

    id: str
    name: str
    host: str | None = None
    """Of the address that it is known by, where it has proved that; its name is its own word."""
    resource: str


class AuthenticationItem(Item):
    """What authentication finds and counts in. Only what becomes of its owner or its agent touches it."""

    stored = AUTHENTICATION
    kept = KeptFor(REMEMBERED, since="session_ends_at")

    key_hash: str
    id: str
    workspace_id: str
    kind: KeyKind
    scopes: set[str] = set()
    user_id: str | None = None
    role: Role | None = None
    is_member: bool = True
    linked_agent_id: str | None = None
    is_archived: bool = False
    """Whether the linked agent is."""
    project_ids: set[str] = set()
    label_ids: set[str] = set()
    initiative_ids: set[str] = set()
    issue_ids: set[str] = set()
    run_id: str | None = None
    run_issue_id: str | None = None
    session_id: str | None = None
    resource: str | None = None
    """Of a client's token, the one address that it is good for."""
    is_browsers: bool = False
    gives_until: datetime | None = None
    made_by_key_id: str | None = None
    """Of a run's key, a browser's or a client's: it ends with that one."""
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    rate_per_minute: int | None = None
    """By each door, instead of the door's own limit."""
    calls_per_minute: int | None = None
    """A copy of the workspace's ceiling."""
    log_shards: int = 1
    """A copy of the workspace's: so many partitions of its log are read."""
    log_spread: int = 1
    """Over so many it is written: the same, once every key of the workspace knows it."""
    workspace_ends_at: datetime | None = None
    """Of a key that was stopped with its workspace, when that will be deleted."""
    rpc_window: int = 0
    rpc_count: int = 0
    rest_window: int = 0
    rest_count: int = 0
    rpc_granted: int | None = None
    """How many calls of the minute, where the workspace has a ceiling."""
    rest_granted: int | None = None

    @property
    def session_ends_at(self) -> datetime | None:
        return self.expires_at if self.kind is KeyKind.SESSION or self.resource else None


class ApiKeyItem(Item):
    """The key as its workspace lists it. It knows the hash, so that revoking finds the other item."""

    stored = At(API_KEYS, "{id}")
    indexed = (DueAt("session_ends_at"),)

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
    issue_ids: set[str] = set()
    run_id: str | None = None
    """The run that this key was made for, and with which it ends."""
    client: ClientOfKey | None = None
    """Of a key whose tokens a client is given, one after the other; without it, it is its own token."""
    made_by_key_id: str | None = None
    access_ends_at: datetime | None = None
    live_keys: dict[str, datetime | None] = {}
    """Of such a key, when its last token ends, and the hashes of those before it, each with its end."""
    rate_per_minute: int | None = None
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    @property
    def session_ends_at(self) -> datetime | None:
        """The sweep purges a session's key when it has expired; others stay, to be looked up."""
        return self.expires_at if self.kind is KeyKind.SESSION else None

    @property
    def narrowing(self) -> Narrowing:
        return Narrowing(*(frozenset(getattr(self, name)) for name in Narrowing._fields))

    def hashes(self, now: datetime) -> list[str]:
        """Of all that authenticates with it; of a client's key, only what has not ended: that may be gone."""
        last = {self.key_hash: self.access_ends_at}
        return [*keyrings.live_at({**last, **self.live_keys}, now)]

    def is_over_session(self, now: datetime) -> bool:
        return self.kind is KeyKind.SESSION and self.expires_at is not None and self.expires_at <= now

    def is_live(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)


class AgentKeysItem(Item):
    """The live keys of an agent, each hash with its expiry, so that archiving finds them."""

    # Apart from the agent, which lists read.
    stored = At("WS#{workspace_id}#AGENTKEYS#{agent_id}", "KEYS")

    workspace_id: str
    agent_id: str
    live_keys: dict[str, datetime | None] = {}


def get(table: Table, workspace_id: str, key_id: str) -> ApiKeyItem:
    missing = NotFound(f"There is no key {key_id[:60]!r}.", hint="keys.list shows them.")
    return table.get(ApiKeyItem, ApiKeyItem.at(workspace_id, key_id), missing=missing)


class HeldKey(NamedTuple):
    """A key as it is, and whose: a member's, an agent's, or of nobody who is still there."""

    item: ApiKeyItem
    owner: MemberItem | None
    agent_keys: AgentKeysItem | None


def open_held(table: Table, workspace_id: str, key_id: str) -> HeldKey:
    """Two requests: the key says who holds it."""
    item = get(table, workspace_id, key_id)
    used = AUTHENTICATION(item.key_hash)
    owner = MemberItem.at(workspace_id, item.user_id) if item.user_id else None
    linked = item.linked_agent_id
    agent_keys = AgentKeysItem.at(workspace_id, linked) if linked else None
    known = table.read(place for place in (used, owner, agent_keys) if place)
    return HeldKey(
        as_it_is(item, known.find(AuthenticationItem, used)),
        known.find(MemberItem, owner) if owner else None,
        known.find(AgentKeysItem, agent_keys) if agent_keys else None,
    )


def as_it_is(item: ApiKeyItem, used: AuthenticationItem | None) -> ApiKeyItem:
    """What authenticates decides: whoever removes a member revokes the keys there alone."""
    if item.revoked_at is not None or used is None:
        return item
    return item.changed(revoked_at=used.revoked_at)


def list_page(
    table: Table, workspace_id: str, asked: AskedPage
) -> tuple[Found[ApiKeyItem], dict[str, AuthenticationItem | None]]:
    """One page of keys, and by hash what authenticates with each."""
    listing = one_partition(API_KEYS(workspace_id), is_descending=True)
    found = read_page(table, ApiKeyItem, listing, asked)
    places = {item.key_hash: AUTHENTICATION(item.key_hash) for item in found.items}
    known = table.read(places.values())
    return found, {key_hash: known.find(AuthenticationItem, place) for key_hash, place in places.items()}


class Copied(NamedTuple):
    """What a new key is made with of its workspace."""

    calls_per_minute: int | None = None
    log_shards: int = 1


OF_A_NEW_WORKSPACE = Copied()


def add(
    tx: Transaction,
    minted: Minted,
    *,
    name: str,
    rate_per_minute: int | None = None,
    copied: Copied = OF_A_NEW_WORKSPACE,
    made_by_key_id: str | None = None,
) -> ApiKeyItem:
    """Store a new key: both its items, in the transaction that decides about it."""
    used = authenticating(
        tx, minted.record, rate_per_minute=rate_per_minute, copied=copied, made_by_key_id=made_by_key_id
    )
    tx.create(used)
    item = ApiKeyItem.of(used, prefix=minted.prefix, name=name, created_at=tx.origin.now)
    tx.create(item)
    return item


def authenticating(
    tx: Transaction,
    record: KeyRecord,
    *,
    rate_per_minute: int | None,
    copied: Copied,
    made_by_key_id: str | None,
) -> AuthenticationItem:
    """What a key is found by, or one more token of a key."""
    return AuthenticationItem(
        id=record.id,
        key_hash=record.key_hash,
        workspace_id=record.workspace_id,
        kind=record.kind,
        scopes={*record.scopes},
        user_id=record.user_id,
        role=record.role,
        linked_agent_id=record.linked_agent_id,
        **{name: {*ids} for name, ids in record.narrowing._asdict().items()},
        run_id=record.run_id,
        run_issue_id=record.run_issue_id,
        session_id=record.session_id,
        resource=record.resource,
        is_browsers=record.is_browsers,
        gives_until=record.gives_until,
        made_by_key_id=made_by_key_id,
        expires_at=record.expires_at,
        rate_per_minute=rate_per_minute,
        log_spread=tx.origin.caller.log_spread,
        **copied._asdict(),
    )


def hold(tx: Transaction, item: ApiKeyItem | KeyRecord, known: AgentKeysItem | None) -> None:
    """Note a new key of an agent, so that archiving finds it; whoever archives meanwhile has moved this."""
    agent_id, now = str(item.linked_agent_id), tx.origin.now
    before = known or AgentKeysItem(workspace_id=item.workspace_id, agent_id=agent_id)
    held = keyrings.added(before.live_keys, item.key_hash, expires_at=item.expires_at, now=now)
    _save(tx, known, before.changed(live_keys=held))


def retire(tx: Transaction, agent: AgentItem, known: AgentKeysItem | None) -> None:
    """The keys of an agent that is archived only read from now on."""
    held = known or AgentKeysItem(workspace_id=agent.workspace_id, agent_id=agent.id)
    _save(tx, known, held)
    for key_hash in keyrings.live_at(held.live_keys, tx.origin.now):
        tx.adjust(AUTHENTICATION(key_hash), assign={"is_archived": True})


def set_rate(tx: Transaction, item: ApiKeyItem, rate_per_minute: int | None) -> ApiKeyItem:
    """From the next minute on."""
    changed = item.changed(rate_per_minute=rate_per_minute)
    tx.replace(changed)
    for key_hash in item.hashes(tx.origin.now):
        tx.adjust(AUTHENTICATION(key_hash), assign={"rate_per_minute": rate_per_minute})
    return changed


def _save(tx: Transaction, known: AgentKeysItem | None, after: AgentKeysItem) -> None:
    if known is None:
        # Somebody made the first one at the same moment: then it is decided again.
        tx.create(after, refusal=overtaken)
    else:
        tx.replace(after)
