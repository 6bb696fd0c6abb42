"""A person enters a workspace with an account of theirs: read, decided, and written at once.

Membership, role, account, key and session are one transaction with their log rows. Who is refused leaves a
row, too, where it is known which workspace they knocked at.
"""

from typing import NamedTuple

from forge.context import Caller, KeyKind, Role
from forge.contract.terms import Scope
from forge.errors import Forbidden
from forge.store.transactions import Transaction, decided_again
from forge.work.record.log import events
from forge.work.workspace import erasures
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.founding import WorkspaceNameItem
from forge.work.workspace.people import members
from forge.work.workspace.people.announcements import MEMBER_ADDED, ROLE_CHANGED, MemberTold, RoleChanged
from forge.work.workspace.people.api_keys import Copied
from forge.work.workspace.people.members import EmailItem, FormerMemberItem, MemberItem, UserItem
from forge.work.workspace.signins import accounts, signins
from forge.work.workspace.signins.accounts import IdentityItem, UserIdentityItem
from forge.work.workspace.signins.signins import Proof, SignedIn, Way
from forge.work.workspace.workspaces import WorkspaceItem
from functions.oauth.people import attempts
from functions.oauth.people.admission import Admission, Membership, NotAdmitted, OnRecord, Rules, decide
from functions.oauth.people.attempts import Departure
from functions.oauth.people.identities import Identity
from functions.oauth.people.refusals import keep_refusal, refusal_of
from functions.oauth.visits import OVERTAKEN, TRIES, Visit, new_secret

TOOL = "oauth.sign-in"


class WorkspaceUnknown(Forbidden):
    """Nobody has said which workspace they want to enter, and nothing tells."""


class Arrival(NamedTuple):
    """What is stored of who comes, and where."""

    workspace: WorkspaceItem
    account: IdentityItem | None
    user: UserItem | None
    member: MemberItem | None
    known: OnRecord


def enter(visit: Visit, identity: Identity, attempt: Departure, usual: str) -> SignedIn:
    """Whoever this is, signed in; `usual` is the workspace of those who name none."""
    secret = new_secret()
    return decided_again(
        lambda: _entered(visit, identity, attempt, usual, secret), tries=TRIES, spent=OVERTAKEN
    )


def _entered(visit: Visit, identity: Identity, attempt: Departure, usual: str, secret: str) -> SignedIn:
    found = _find(visit, identity, attempt.workspace, usual)
    admission = decide(identity, found.known, _rules_of(found.workspace))
    if admission.joins and len(members.list_all(visit.table, found.workspace.id)) >= members.MAX_MEMBERS:
        admission = Admission(NotAdmitted.FULL)
    if found.workspace.deletes_at is not None:
        admission = Admission(NotAdmitted.NOT_INVITED)
    if admission.refusal is not None:
        keep_refusal(visit, found.workspace.id, admission.refusal, identity, attempt, found.user)
        raise refusal_of(admission.refusal)
    member = found.member or _new_member(visit, found, identity, admission)
    caller = _caller_of(member, admission.role)
    visit.who = caller
    tx = visit.begin(caller, TOOL)
    attempts.spend(tx, attempt)
    begun = _sign_in(tx, found, signins.with_room(tx, visit.table, member), admission, secret)
    _remember(tx, found, member.user_id, identity, admission)
    visit.services.store.commit(tx)
    return begun


def _find(visit: Visit, identity: Identity, asked: str, usual: str) -> Arrival:
    table = visit.table
    account = table.find(IdentityItem, IdentityItem.at(identity.account))
    user = table.find(UserItem, UserItem.at(account.user_id)) if account else None
    is_bound, is_erased = user is not None, account is not None and user is None
    is_theirs = True
    if user is None and identity.email is not None:
        address = table.find(EmailItem, EmailItem.of_address(identity.email))
        is_theirs = address is None or _is_same(address.email, identity.email)
        user = table.find(UserItem, UserItem.at(address.user_id)) if address and is_theirs else None
    workspace = _workspace(visit, asked, account, usual)
    if user is None:
        known = OnRecord(is_taken=not is_theirs, is_erased=is_erased)
        return Arrival(workspace, account, None, None, known)
    places = (
        MemberItem.at(workspace.id, user.id),
        FormerMemberItem.at(workspace.id, user.id),
        UserIdentityItem.at(user.id, identity.issuer_digest),
    )
    there = table.read(places)
    member, link = there.find(MemberItem, places[0]), there.find(UserIdentityItem, places[2])
    order = erasures.find(table, workspace.id, user.id)
    known = OnRecord(
        is_bound=is_bound,
        is_taken=link is not None and link.account != identity.account,
        is_former=there.find(FormerMemberItem, places[1]) is not None,
        is_erased=is_erased,
        is_being_erased=_is_under_way(order),
        membership=Membership(member.role, member.given_role) if member else None,
    )
    return Arrival(workspace, account, user, member, known)


def _is_same(stored: str, said: str) -> bool:
    """They are found whatever their case; in lower case some letters are others: the sign of kelvin is k."""
    same = stored.strip().lower() == said.lower()
    return same and ((stored.isascii() and said.isascii()) or stored.strip() == said)


def _is_under_way(order: ErasureItem | None) -> bool:
    return order is not None and not order.is_over


def _workspace(visit: Visit, asked: str, account: IdentityItem | None, usual: str) -> WorkspaceItem:
    """The one that was named, else the one of last time, else the usual one."""
    workspace_id = account.workspace_id if account else None
    slug = asked or ("" if account else usual)
    if slug:
        taken = visit.table.find(WorkspaceNameItem, WorkspaceNameItem.at("SLUG", slug))
        workspace_id = taken.workspace_id if taken else None
    found = (
        visit.table.find(WorkspaceItem, WorkspaceItem.at(workspace_id)) if workspace_id is not None else None
    )
    if found is None:
        raise WorkspaceUnknown("Which workspace do you want to enter?")
    return found


def _rules_of(workspace: WorkspaceItem) -> Rules:
    return Rules(
        frozenset(workspace.sign_in_domains),
        workspace.sign_in_role,
        {one.group: one.role for one in workspace.sign_in_groups},
    )


def _new_member(visit: Visit, found: Arrival, identity: Identity, admission: Admission) -> MemberItem:
    return MemberItem(
        workspace_id=found.workspace.id,
        user_id=found.user.id if found.user else visit.services.new_id("usr"),
        email=found.user.email if found.user else str(identity.email),
        role=admission.role,
        given_role=admission.given_role,
        name=identity.name,
        created_at=visit.services.now(),
    )


def _sign_in(
    tx: Transaction, found: Arrival, member: MemberItem, admission: Admission, secret: str
) -> SignedIn:
    """The membership as it is from now on, and the key of the session, which has the same role."""
    changed = member.changed(role=admission.role, given_role=admission.given_role)
    copied = Copied(found.workspace.calls_per_minute, found.workspace.log_shards)
    proof = Proof(changed, Way.OIDC, _caller_of(member, admission.role), copied=copied)
    begun = signins.prepare(tx, proof, secret)
    held = changed.with_key(begun.item.key_hash, begun.item.expires_at, tx.origin.now)
    told = MemberTold(user_id=member.user_id, role=admission.role)
    if admission.joins:
        members.add(tx, held)
        events.record(tx, MEMBER_ADDED, told, subject_id=member.user_id, action="create", after=changed)
        return begun
    members.save(tx, member, held)
    if member.role is not admission.role:
        moved = RoleChanged(user_id=member.user_id, from_=member.role, to=admission.role)
        events.record(tx, ROLE_CHANGED, moved, subject_id=member.user_id, action="setRole")
    return begun


def _remember(
    tx: Transaction, found: Arrival, user_id: str, identity: Identity, admission: Admission
) -> None:
    """Whose account it is, and where it went; a user who is new is one from now on."""
    now, workspace_id = tx.origin.now, found.workspace.id
    if found.user is None:
        members.add_user(tx, UserItem(id=user_id, email=str(identity.email), created_at=now))
    elif admission.joins:
        members.join(tx, user_id)
    if admission.binds:
        fresh = IdentityItem(
            account=identity.account, user_id=user_id, workspace_id=workspace_id, created_at=now
        )
        accounts.bind(tx, fresh, issuer_digest=identity.issuer_digest, before=found.account)
    elif found.account is not None:
        accounts.enter(tx, found.account, workspace_id)


def _caller_of(member: MemberItem, role: Role) -> Caller:
    """The person themselves: what their session may do is all that their role may."""
    scopes = frozenset(scope.value for scope in Scope if _is_of(role, scope))
    return Caller(TOOL, member.workspace_id, KeyKind.PERSONAL, scopes, TOOL, member.user_id, role)


def _is_of(role: Role, scope: Scope) -> bool:
    if scope is Scope.ADMIN:
        return role in members.ADMIN_ROLES
    return role is not Role.GUEST or scope.startswith("READ_")
