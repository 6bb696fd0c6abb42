"""Founding a workspace: everything that must be there before anybody can use it, in one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from forge.auth.keys import KeyOrder, Minted, mint
from forge.context import Caller, KeyKind, Role
from forge.contract.terms import Scope
from forge.errors import Conflict
from forge.store.items import Item
from forge.store.keys import At, Key, Partition
from forge.store.store import Store
from forge.store.transactions import Origin, Transaction, VersionMoved
from forge.work.record.log import events
from forge.work.workspace import reading_on, statuses
from forge.work.workspace.people import api_keys, members
from forge.work.workspace.people.members import MemberItem, UserItem
from forge.work.workspace.workspaces import WorkspaceItem

NewId = Callable[[str], str]

_FIRST_KEY = "Owner"
"""The name of the key that a new workspace's owner is given."""


class WorkspaceNameItem(Item):
    """Keeps a slug or an identifier prefix unique in the deployment."""

    stored = At(
        Partition("WSNAME#{field}#{name}", outside="no two workspaces have the same"),
        "NAME",
        held_in=("partition", "sort"),
    )

    partition: str
    sort: str
    workspace_id: str


@dataclass(frozen=True, slots=True)
class Founder:
    """The user who will own the workspace."""

    user_id: str
    email: str
    name: str | None = None
    handle: str | None = None
    timezone: str | None = None
    key_ends_at: datetime | None = None
    """When the key ends that they get; None for never."""


@dataclass(frozen=True, slots=True)
class Founded:
    workspace: WorkspaceItem
    owner: MemberItem
    owner_key: Minted


def found(tx: Transaction, *, slug: str, prefix: str, name: str, founder: Founder) -> Founded:
    """A workspace with its statuses, its owner and the owner's first key."""
    workspace = _add_workspace(tx, slug=slug, prefix=prefix, name=name)
    _take_name(tx, WorkspaceNameItem.at("SLUG", slug), workspace.id, field="slug", value=slug)
    _take_name(tx, WorkspaceNameItem.at("KEY", prefix), workspace.id, field="key", value=prefix)
    minted = _owner_key(tx, workspace.id, founder)
    owner = MemberItem(
        workspace_id=workspace.id,
        user_id=founder.user_id,
        email=founder.email,
        role=Role.OWNER,
        name=founder.name,
        handle=founder.handle,
        timezone=founder.timezone,
        live_keys={minted.record.key_hash: minted.record.expires_at},
        created_at=tx.origin.now,
    )
    members.add(tx, owner)
    events.record_change(
        tx, "workspace", workspace.id, action="create", after=workspace, workspace_id=workspace.id
    )
    return Founded(workspace, owner, minted)


def found_first(
    store: Store, *, slug: str, prefix: str, name: str, owner: UserItem, handle: str | None, new_id: NewId
) -> Founded:
    """The first workspace of a deployment, when there is nobody yet who could ask for it."""
    tx = setup_transaction(store, "-", now=owner.created_at, new_id=new_id)
    members.add_user(tx, owner)
    founder = Founder(owner.id, owner.email, name="Owner", handle=handle)
    founded = found(tx, slug=slug, prefix=prefix, name=name, founder=founder)
    try:
        store.commit(tx)
    except VersionMoved:
        raise Conflict("There is a user with this e-mail address already.") from None
    return founded


def another_owner_key(
    tx: Transaction, everybody: Sequence[MemberItem], *, name: str = _FIRST_KEY
) -> tuple[MemberItem, Minted]:
    """For a workspace whose keys nobody knows any more: its first owner, and a key that works."""
    owner = next(member for member in everybody if member.role is Role.OWNER)
    minted = _owner_key(tx, owner.workspace_id, Founder(owner.user_id, owner.email), name)
    tx.replace(owner.with_key(minted.record.key_hash, minted.record.expires_at, tx.origin.now))
    return owner, minted


def setup_transaction(store: Store, workspace_id: str, *, now: datetime, new_id: NewId) -> Transaction:
    """A transaction before anybody has logged in; its log rows say so."""
    setup = Caller("setup", workspace_id, KeyKind.AGENT, frozenset(), "setup")
    return Transaction(store.table.name, Origin(setup, "setup", "setup", now, new_id))


def _add_workspace(tx: Transaction, *, slug: str, prefix: str, name: str) -> WorkspaceItem:
    workspace_id = tx.origin.new_id("ws")
    first = statuses.first_ones(workspace_id, tx.origin.new_id)
    workspace = WorkspaceItem(
        id=workspace_id,
        slug=slug,
        key_prefix=prefix,
        name=name,
        created_at=tx.origin.now,
        heard=[],
        statuses=statuses.copies(first),
    )
    tx.create(workspace)
    for status in first:
        statuses.add(tx, status)
    reading_on.begin(tx, workspace_id)
    return workspace


def _owner_key(tx: Transaction, workspace_id: str, founder: Founder, name: str = _FIRST_KEY) -> Minted:
    order = KeyOrder(
        name=name,
        kind=KeyKind.PERSONAL,
        workspace_id=workspace_id,
        scopes=tuple(Scope),
        user_id=founder.user_id,
        role=Role.OWNER,
        latest=founder.key_ends_at,
    )
    minted = mint(order, key_id=tx.origin.new_id("key"), now=tx.origin.now)
    api_keys.add(tx, minted, name=order.name)
    return minted


def _take_name(tx: Transaction, key: Key, workspace_id: str, *, field: str, value: str) -> None:
    refusal = Conflict(
        f"Another workspace has the {field} {value!r}.",
        hint="Choose another.",
        issues={field: "Already taken."},
    )
    item = WorkspaceNameItem(partition=key.partition, sort=key.sort, workspace_id=workspace_id)
    tx.create(item, refusal=refusal)
