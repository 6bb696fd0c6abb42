"""A browser's sign-in: what its cookie stands for, and the key of a session that was made for it.

The key has all the rules of keys: whoever revokes it in the list of keys ends the sign-in, and so does
whoever removes the person from the workspace.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from forge.auth.keys import KeyOfBrowser, KeyOrder, hash_of, mint
from forge.context import Caller, KeyKind
from forge.contract.terms import Scope
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import KeptFor
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.record.log import events
from forge.work.workspace.people import api_keys, keyrings
from forge.work.workspace.people.api_keys import ApiKeyItem, AuthenticationItem, Copied, HeldKey
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.signins import revocations

LIFETIME = timedelta(hours=12)
_KEPT = timedelta(days=1)
_NAME = "Browser"


class Way(StrEnum):
    """How somebody proved who they are."""

    KEY = "key"
    OIDC = "oidc"


class SignInItem(Item):
    """By the hash of the cookie's secret, which is stored nowhere."""

    stored = At(Partition("OAUTH#SIGNIN#{secret_hash}", outside="a browser does not say of which"), "SIGNIN")
    kept = KeptFor(_KEPT, since="expires_at")

    secret_hash: str
    workspace_id: str
    user_id: str
    way: Way
    key_id: str
    key_hash: str
    created_at: datetime
    expires_at: datetime
    made_by_key_id: str | None = None
    """The key that was shown: with it ends whatever came of it, also what this person lets others do."""
    grants_end_at: datetime | None = None
    """When whatever this person gives to others ends at the latest; None for never."""


class Proof(NamedTuple):
    """What somebody has proved: who they are, and how far that reaches."""

    member: MemberItem
    way: Way
    allowed: Caller
    """What the key of the sign-in may do, at most; where it is of kind PERSONAL, also what lasts."""
    rate_per_minute: int | None = None
    copied: Copied = api_keys.OF_A_NEW_WORKSPACE
    made_by_key_id: str | None = None


class SignedIn(NamedTuple):
    secret: str
    """For the browser alone."""
    item: SignInItem
    raw_key: str
    """What the console's own cookie holds, where there is one; stored nowhere, and shown to nobody."""


def begin(tx: Transaction, proof: Proof, secret: str) -> SignedIn:
    """Sign a person in who is a member: the key of a session, and what finds it by the browser's secret."""
    begun = prepare(tx, proof, secret)
    tx.replace(proof.member.with_key(begun.item.key_hash, begun.item.expires_at, tx.origin.now))
    return begun


def prepare(tx: Transaction, proof: Proof, secret: str) -> SignedIn:
    """The same, but for the membership: whoever changes or makes that has it hold the key."""
    member, allowed, now = proof.member, proof.allowed, tx.origin.now
    until = now + LIFETIME
    order = KeyOrder(
        name=_NAME,
        kind=KeyKind.SESSION,
        workspace_id=member.workspace_id,
        scopes=[Scope(one) for one in sorted(allowed.scopes)],
        user_id=member.user_id,
        role=member.role,
        narrowing=allowed.narrowing,
        of_browser=KeyOfBrowser(allowed.expires_at) if allowed.kind is KeyKind.PERSONAL else None,
        latest=min(until, allowed.expires_at) if allowed.expires_at else until,
    )
    # Nobody is ever shown the key itself: a cookie's secret finds it, or holds it.
    minted = mint(order, key_id=tx.origin.new_id("key"), now=now)
    key = api_keys.add(
        tx,
        minted,
        name=order.name,
        rate_per_minute=proof.rate_per_minute,
        copied=proof.copied,
        made_by_key_id=proof.made_by_key_id,
    )
    events.record_change(tx, "key", key.id, action="create", after=key)
    item = SignInItem(
        secret_hash=hash_of(secret),
        workspace_id=member.workspace_id,
        user_id=member.user_id,
        way=proof.way,
        key_id=key.id,
        key_hash=key.key_hash,
        created_at=now,
        expires_at=key.expires_at or until,
        made_by_key_id=proof.made_by_key_id,
        grants_end_at=allowed.expires_at,
    )
    tx.create(item)
    return SignedIn(secret, item, minted.raw)


def with_room(tx: Transaction, table: Table, member: MemberItem) -> MemberItem:
    """Where they have as many live keys as one may, the browser that signed in before all others is out.

    Else whoever forgot to sign out often enough could not come in to end anything.
    """
    now = tx.origin.now
    if not keyrings.is_full(member.live_keys, now):
        return member
    places = [AUTHENTICATION(key_hash) for key_hash in member.live_keys]
    known = table.read(places)
    used = (known.find(AuthenticationItem, place) for place in places)
    ids = {one.id for one in used if one and one.kind is KeyKind.SESSION and one.resource is None}
    listed = [ApiKeyItem.at(member.workspace_id, one) for one in sorted(ids)]
    there = table.read(listed)
    items = (there.find(ApiKeyItem, place) for place in listed)
    browsers = [one for one in items if one and one.name == _NAME and one.is_live(now)]
    if not browsers:
        return member
    first = min(browsers, key=lambda one: one.created_at)
    ended = revocations.revoke(tx, HeldKey(first, None, None))
    events.record_change(tx, "key", ended.id, action="revoke", before=first, after=ended)
    return member.without_key(ended.key_hash)


def find(table: Table, secret: str, now: datetime) -> SignInItem | None:
    """The sign-in of a browser's secret, unless it is over."""
    found = table.find(SignInItem, SignInItem.at(hash_of(secret)))
    return found if found is not None and found.expires_at > now else None
