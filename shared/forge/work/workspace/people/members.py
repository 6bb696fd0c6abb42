"""People: the user who exists once in a deployment, and the membership each workspace gives them."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from forge.context import Caller, Role
from forge.errors import Conflict, Forbidden, NotFound, PreconditionFailed
from forge.store.items import DerivedItem, Item
from forge.store.keys import At, Key, Partition
from forge.store.strangers import is_known
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.work.workspace import taken_names
from forge.work.workspace.people import keyrings
from forge.work.workspace.people.authentication import AUTHENTICATION

MAX_MEMBERS = 1000

ADMIN_ROLES = frozenset({Role.OWNER, Role.ADMIN})

_MANY = "somebody may be in many workspaces"
MEMBERS = Partition("WS#{workspace_id}#MEMBERS")
BELONGINGS = Partition("WS#{workspace_id}#ACTOR#{owner_id}")
"""What belongs to one person or agent alone: timer, notes and their texts, pins, preferences."""


class UserItem(Item):
    stored = At(Partition("USER#{id}", outside=_MANY), "USER")

    id: str
    email: str
    created_at: datetime
    joined_at: datetime | None = None
    """When they last became a member of another workspace."""


class EmailItem(Item):
    """Finds the user of an address, and keeps the address unique in the deployment."""

    stored = At(Partition("EMAIL#{digest}", outside=_MANY), "EMAIL")

    email: str
    user_id: str

    @property
    def digest(self) -> str:
        return _digest(self.email)

    @classmethod
    def of_address(cls, email: str) -> Key:
        return cls.at(_digest(email))


class MemberItem(Item):
    """A membership. `live_keys` maps the hash of each key to its expiry, so that a role change finds them."""

    stored = At(MEMBERS, "{user_id}")

    workspace_id: str
    user_id: str
    email: str
    role: Role
    given_role: Role | None = None
    """By hand, where a group of theirs has raised it since: what they are again without that group."""
    name: str | None = None
    handle: str | None = None
    timezone: str | None = None
    live_keys: dict[str, datetime | None] = {}
    created_at: datetime

    @property
    def handle_owner(self) -> taken_names.Owner:
        return taken_names.Owner(self.workspace_id, "HANDLE", self.user_id, field="handle")

    def with_key(self, key_hash: str, expires_at: datetime | None, now: datetime) -> "MemberItem":
        """The member with one more live key; expired ones are dropped."""
        return self.changed(
            live_keys=keyrings.added(self.live_keys, key_hash, expires_at=expires_at, now=now)
        )

    def without_key(self, key_hash: str) -> "MemberItem":
        return self.changed(live_keys=keyrings.removed(self.live_keys, key_hash))


class FormerMemberItem(DerivedItem):
    """Somebody who was removed: no member, and no stranger."""

    stored = At(BELONGINGS, "FORMER", owner_id="user_id")

    workspace_id: str
    user_id: str
    left_at: datetime


def list_all(table: Table, workspace_id: str) -> list[MemberItem]:
    rows = table.query_all(MEMBERS(workspace_id), most=MAX_MEMBERS + 100, because="there are few")
    return sorted(rows.of(MemberItem), key=lambda one: (one.created_at, one.user_id))


def get(table: Table, workspace_id: str, user_id: str) -> MemberItem:
    return table.get(MemberItem, MemberItem.at(workspace_id, user_id), missing=_no_member(user_id))


def find(table: Table, workspace_id: str, user_id: str) -> MemberItem | None:
    return table.find(MemberItem, MemberItem.at(workspace_id, user_id))


def require_former(table: Table, workspace_id: str, user_id: str) -> None:
    """Refuse a user who never was a member of this workspace."""
    table.get(FormerMemberItem, FormerMemberItem.at(workspace_id, user_id), missing=_no_member(user_id))


def among(everybody: Sequence[MemberItem], user_id: str) -> MemberItem:
    for member in everybody:
        if member.user_id == user_id:
            return member
    raise _no_member(user_id)


def find_user_id(table: Table, email: str) -> str | None:
    found = table.find(EmailItem, EmailItem.of_address(email))
    return found.user_id if found else None


def add_user(tx: Transaction, user: UserItem) -> None:
    """A new user; if somebody added the same address meanwhile, the handler finds them on its next run."""
    tx.create(user)
    tx.create(EmailItem(email=user.email, user_id=user.id), refusal=overtaken)


def join(tx: Transaction, user_id: str) -> None:
    """A user becomes a member of one more workspace; whoever is about to forget them hears of it."""
    joined = {"joined_at": tx.origin.now}
    tx.adjust(UserItem.at(user_id), add={"version": 1}, assign=joined, refusal=overtaken)


def add(tx: Transaction, member: MemberItem) -> None:
    tx.create(member, refusal=Conflict("This person is a member already.", hint="members.list shows them."))
    taken_names.move(tx, member.handle_owner, old=None, new=member.handle)


def save(tx: Transaction, before: MemberItem, after: MemberItem) -> None:
    """Store a changed membership; keys of the member follow its role in the same transaction.

    One that is made in it has the new role already.
    """
    tx.replace(after)
    taken_names.move(tx, after.handle_owner, old=before.handle, new=after.handle)
    if before.role is not after.role:
        for key_hash in keyrings.live_at(before.live_keys, tx.origin.now):
            tx.adjust(AUTHENTICATION(key_hash), assign={"role": after.role})


def remove(tx: Transaction, member: MemberItem) -> None:
    """End a membership, and with it its keys for good: whoever comes back gets new ones.

    What lists show of a key is on another item, and twice as many would be too much for one transaction. So
    that a key was revoked is told by the item that authenticates.
    """
    tx.delete(member)
    # Guarded by the membership: whoever was removed before came back since.
    tx.overwrite(
        FormerMemberItem(workspace_id=member.workspace_id, user_id=member.user_id, left_at=tx.origin.now)
    )
    taken_names.move(tx, member.handle_owner, old=member.handle, new=None)
    for key_hash in keyrings.live_at(member.live_keys, tx.origin.now):
        ended = {"is_member": False, "revoked_at": tx.origin.now}
        tx.adjust(AUTHENTICATION(key_hash), assign=ended)


def require_room(everybody: Sequence[MemberItem]) -> None:
    if len(everybody) >= MAX_MEMBERS:
        raise PreconditionFailed(f"A workspace has at most {MAX_MEMBERS} members.")


def require_rank(caller: Caller, *whom: MemberItem | Role | None) -> None:
    """An ADMIN neither makes an OWNER nor touches one or their keys: else every admin could become one."""
    roles = {one.role if isinstance(one, MemberItem) else one for one in whom}
    # A role that only another build knows may be above an OWNER's.
    has_high = any(role is Role.OWNER or not is_known(role) for role in roles if role)
    if has_high and caller.role is not Role.OWNER:
        raise Forbidden("Only an OWNER can do this to or for an OWNER.", hint="Ask an owner.")


def keep_an_owner(tx: Transaction, everybody: Sequence[MemberItem], leaving: MemberItem) -> None:
    """A workspace without an owner could not be administered any more.

    The one who stays is checked in the transaction, so that two owners can't unmake each other at once.
    """
    if leaving.role is not Role.OWNER:
        return
    others = [one for one in everybody if one.role is Role.OWNER and one.user_id != leaving.user_id]
    if not others:
        raise Conflict("This is the last owner of the workspace.", hint="Make somebody else OWNER first.")
    tx.check(others[0])


def _no_member(user_id: str) -> NotFound:
    return NotFound(f"There is no member {user_id[:60]!r}.", hint="members.list shows them.")


def _digest(email: str) -> str:
    return sha256(email.strip().lower().encode()).hexdigest()
