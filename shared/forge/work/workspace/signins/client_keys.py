"""Keys whose tokens a client is given: a key for each time that somebody said yes, and token after token.

To everybody else it is a key like any other: it has scopes, a narrowing and a rate, it is listed with the
client's name, and who revokes it ends every token of it.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from forge.auth.keys import KeyOfClient, KeyOrder, Minted, mint
from forge.context import KeyKind, Narrowing
from forge.contract.terms import Scope
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.work.workspace.people import api_keys, keyrings
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.api_keys import (
    AgentKeysItem,
    ApiKeyItem,
    AuthenticationItem,
    ClientOfKey,
    Copied,
    HeldKey,
)
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.workspaces import WorkspaceItem

TOKEN_LIFETIME = timedelta(hours=1)
MOST_TOKENS = 2
"""The one before goes on until its end: not all processes of a client hear of a new one at once."""
MOST_OF_WORKERS = 20
"""Many workers may share what they sign in with, and each is given a token of its own."""


class Granted(NamedTuple):
    """What a person allowed a client to do as them, and until when."""

    key_id: str
    workspace_id: str
    user_id: str | None
    """None where an agent acts for itself."""
    agent_id: str | None
    scopes: frozenset[str]
    narrowing: Narrowing
    client: ClientOfKey
    ends_at: datetime
    rate_per_minute: int | None = None
    kind: KeyKind = KeyKind.SESSION
    made_by_key_id: str | None = None
    """What whoever said yes had signed in with, where that was a key."""


class TokenHolder(NamedTuple):
    """Whom a key is for, as they are now; with nobody, or with an archived agent, there is no key."""

    member: MemberItem | None
    copied: Copied
    agent: AgentItem | None
    agent_keys: AgentKeysItem | None


class Issued(NamedTuple):
    raw: str
    key: ApiKeyItem
    expires_at: datetime


def find_holder(
    table: Table,
    workspace_id: str,
    user_id: str | None,
    agent_id: str | None,
    *,
    since: datetime,
    made_by_key_id: str | None = None,
) -> TokenHolder | None:
    """`since`: when they said yes. Who was removed after that and came back has to say it again.

    Nor is there one where the key is revoked that they had signed in with: a code may outlast the walk that
    ends what that key has made.
    """
    member = MemberItem.at(workspace_id, user_id) if user_id else None
    settings = WorkspaceItem.at(workspace_id)
    agent = AgentItem.at(workspace_id, agent_id) if agent_id else None
    agent_keys = AgentKeysItem.at(workspace_id, agent_id) if agent_id else None
    maker = ApiKeyItem.at(workspace_id, made_by_key_id) if made_by_key_id else None
    known = table.read(place for place in (member, settings, agent, agent_keys, maker) if place)
    made_by = known.find(ApiKeyItem, maker) if maker else None
    if made_by is not None and made_by.revoked_at is not None:
        return None
    found = known.find(MemberItem, member) if member else None
    workspace = known.find(WorkspaceItem, settings)
    its_agent = known.find(AgentItem, agent) if agent else None
    is_agent_gone = agent is not None and (its_agent is None or its_agent.archived_at is not None)
    is_another_time = found is not None and found.created_at > since
    is_nobody = (member is not None and found is None) or not (member or agent) or is_another_time
    if workspace is None or workspace.deletes_at is not None or is_agent_gone or is_nobody:
        return None
    copied = Copied(workspace.calls_per_minute, workspace.log_shards)
    return TokenHolder(
        found, copied, its_agent, known.find(AgentKeysItem, agent_keys) if agent_keys else None
    )


def issue_first(tx: Transaction, granted: Granted, holder: TokenHolder) -> Issued:
    """The key, and its first token."""
    minted = _minted(tx, granted, holder)
    name = granted.client.name[:80]
    added = api_keys.authenticating(
        tx,
        minted.record,
        rate_per_minute=granted.rate_per_minute,
        copied=holder.copied,
        made_by_key_id=granted.made_by_key_id,
    )
    tx.create(added)
    key = ApiKeyItem.of(
        added,
        prefix=minted.prefix,
        name=name,
        created_at=tx.origin.now,
        client=granted.client,
        expires_at=granted.ends_at,
        access_ends_at=minted.record.expires_at,
    )
    # Its id was chosen with the code: where it is there, somebody else has brought the code.
    tx.create(key, refusal=overtaken)
    _keep(tx, holder, minted, gone=())
    return _issued(minted, key)


def issue_next(
    tx: Transaction,
    held: HeldKey,
    holder: TokenHolder,
    *,
    used: AuthenticationItem | None,
    scopes: frozenset[str] | None = None,
    secret: bytes | None = None,
    resource: str | None = None,
    most: int = MOST_TOKENS,
) -> Issued:
    """Another token of a key, which goes on counting where the one before stands."""
    key, now = held.item, tx.origin.now
    granted = granted_by(key)
    if resource is not None:
        granted = granted._replace(client=granted.client.model_copy(update={"resource": resource}))
    minted = _minted(tx, granted._replace(scopes=scopes or granted.scopes), holder, secret)
    kept, gone = _kept_and_gone(key, holder, most, now)
    for key_hash in gone:
        tx.adjust(AUTHENTICATION(key_hash), assign={"revoked_at": now})
    added = api_keys.authenticating(
        tx,
        minted.record,
        rate_per_minute=key.rate_per_minute,
        copied=holder.copied,
        made_by_key_id=key.made_by_key_id,
    )
    tx.create(added.changed(**_counted(used)) if used else added)
    changed = key.changed(
        key_hash=minted.record.key_hash,
        access_ends_at=minted.record.expires_at,
        prefix=minted.prefix,
        live_keys=kept,
    )
    tx.replace(changed)
    _keep(tx, holder, minted, gone=gone)
    return _issued(minted, changed)


def _kept_and_gone(
    key: ApiKeyItem, holder: TokenHolder, most: int, now: datetime
) -> tuple[dict[str, datetime | None], list[str]]:
    """The tokens that go on beside a new one, and those that end for it."""
    live = keyrings.live_at({key.key_hash: key.access_ends_at, **key.live_keys}, now)
    # The last one before all others, also where they were given at the same moment.
    newest = sorted(live, key=lambda one: (one == key.key_hash, live[one] or now), reverse=True)
    rings = [one.live_keys for one in (holder.member, holder.agent_keys) if one]
    if any(keyrings.is_full(ring, now) for ring in rings):
        # One of its own makes room: nobody is sent away because of all the others that they let in.
        most = min(most, len(live))
    beside = max(0, most - 1)
    return {one: live[one] for one in newest[:beside]}, newest[beside:]


def _counted(used: AuthenticationItem) -> dict[str, object]:
    """Where the minute of a key stands: a new token begins none."""
    names = (f"{door}_{what}" for door in ("rpc", "rest") for what in ("window", "count", "granted"))
    return {name: getattr(used, name) for name in (*names, "last_used_at")}


def granted_by(key: ApiKeyItem) -> Granted:
    """What a client's key was made for, as it stands in the list of keys."""
    if key.client is None or key.expires_at is None:
        raise LookupError(f"{key.id} is no client's")
    return Granted(
        key.id,
        key.workspace_id,
        key.user_id,
        key.linked_agent_id,
        frozenset(key.scopes),
        key.narrowing,
        key.client,
        key.expires_at,
        key.rate_per_minute,
        key.kind,
        key.made_by_key_id,
    )


def _minted(tx: Transaction, granted: Granted, holder: TokenHolder, secret: bytes | None = None) -> Minted:
    now = tx.origin.now
    member = holder.member
    order = KeyOrder(
        name=granted.client.name,
        kind=granted.kind,
        workspace_id=granted.workspace_id,
        scopes=[Scope(one) for one in sorted(granted.scopes)],
        user_id=granted.user_id,
        role=member.role if member else None,
        linked_agent_id=granted.agent_id,
        narrowing=granted.narrowing,
        of_client=KeyOfClient(granted.client.resource, min(now + TOKEN_LIFETIME, granted.ends_at), secret),
    )
    return mint(order, key_id=granted.key_id, now=now)


def _keep(tx: Transaction, holder: TokenHolder, minted: Minted, *, gone: tuple[str, ...] | list[str]) -> None:
    """Where whoever removes the person or archives the agent finds it."""
    now, record = tx.origin.now, minted.record
    if holder.member is not None:
        rest = keyrings.removed(holder.member.live_keys, *gone)
        added = keyrings.added(rest, record.key_hash, expires_at=record.expires_at, now=now)
        tx.replace(holder.member.changed(live_keys=added))
    if holder.agent is not None:
        known = holder.agent_keys
        left = known.changed(live_keys=keyrings.removed(known.live_keys, *gone)) if known else None
        api_keys.hold(tx, record, left)


def _issued(minted: Minted, key: ApiKeyItem) -> Issued:
    ends_at = minted.record.expires_at
    if ends_at is None:
        raise LookupError("a client's token ends")
    return Issued(minted.raw, key, ends_at)
