"""Members: who belongs to the workspace, and as what."""

from collections.abc import Sequence

from forge.auth import bounds
from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import FullList, NoArguments
from forge.errors import Conflict, Forbidden, NotFound
from forge.store.transactions import Transaction
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import LATECOMERS, ContinuationKind
from forge.work.record.log import events
from forge.work.workspace import erasures
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.people import members
from forge.work.workspace.people.announcements import (
    MEMBER_ADDED,
    MEMBER_REMOVED,
    ROLE_CHANGED,
    MemberTold,
    RoleChanged,
)
from forge.work.workspace.people.members import MemberItem, UserItem
from functions.admin.models.members import (
    AddMember,
    EraseMember,
    ErasureView,
    MemberView,
    RemovedMember,
    RemoveMember,
    SetRole,
    UpdateMember,
)
from functions.admin.tools import namespace


@namespace.writes(
    name="members.add",
    costs=Cost(reads=2, writes=1, items=7).up_to(reads=3, because="the address is known"),
    emits=[MEMBER_ADDED],
)
def add(request: AddMember, ctx: Context) -> MemberView:
    """Add a person to the workspace; they are known by their e-mail address.

    Who is a member already, or a handle that is taken, is a conflict. With single sign-on they sign in with
    an account of that address; else make them a key with keys.create.
    Example: {"email": "ada@example.com", "name": "Ada", "handle": "ada", "role": "MEMBER"}
    """
    bounds.require_may_raise(ctx.caller, request.role)
    members.require_room(members.list_all(ctx.table, ctx.caller.workspace_id))
    known = members.find_user_id(ctx.table, request.email)
    if known is not None:
        _require_not_erased(ctx, known)
    member = MemberItem(
        workspace_id=ctx.caller.workspace_id,
        user_id=known or ctx.new_id("usr"),
        created_at=ctx.now(),
        **request.model_dump(),
    )
    tx = ctx.plan()
    if known is None:
        members.add_user(tx, UserItem(id=member.user_id, email=member.email, created_at=ctx.now()))
    else:
        members.join(tx, known)
    members.add(tx, member)
    told = MemberTold(user_id=member.user_id, role=member.role)
    events.record(tx, MEMBER_ADDED, told, subject_id=member.user_id, action="create", after=member)
    return _view(member)


@namespace.reads(
    name="members.list",
    narrowed_because="People are everybody's, as in agents.list.",
    costs=Cost(reads=1),
)
def list(request: NoArguments, ctx: Context) -> FullList[MemberView]:
    """List the members of the workspace, the first ones first.

    The ids are what other tools take as userId. Example: {}
    """
    found = members.list_all(ctx.table, ctx.caller.workspace_id)
    return FullList[MemberView](data=[_view(member) for member in found])


@namespace.writes(idempotent=True, name="members.update", costs=Cost(reads=1, writes=1, items=5))
def update(request: UpdateMember, ctx: Context) -> MemberView:
    """Change a member's name, handle or time zone; `clear` empties fields. Roles change with members.setRole.

    Example: {"userId": "usr_01J…", "handle": "ada"}
    """
    member = members.get(ctx.table, ctx.caller.workspace_id, request.user_id)
    members.require_rank(ctx.caller, member)
    changed = member.changed(**request.given())
    if changed != member:
        tx = ctx.plan()
        members.save(tx, member, changed)
        events.record_change(tx, "membership", member.user_id, action="update", before=member, after=changed)
    return _view(changed)


@namespace.writes(
    idempotent=True,
    name="members.setRole",
    costs=Cost(reads=1, writes=1, items=6).up_to(items=57, because="fifty keys change with it"),
    emits=[ROLE_CHANGED],
)
def set_role(request: SetRole, ctx: Context) -> MemberView:
    """Change a member's role; their keys follow at once.

    Only an OWNER makes or unmakes owners, and the last one can't be unmade. Where groups give roles, theirs
    may raise it again at the next sign-in.
    Example: {"userId": "usr_01J…", "role": "ADMIN"}
    """
    everybody = members.list_all(ctx.table, ctx.caller.workspace_id)
    member = members.among(everybody, request.user_id)
    members.require_rank(ctx.caller, member)
    bounds.require_may_raise(ctx.caller, request.role, before=member.role)
    if member.role is request.role and member.given_role is None:
        return _view(member)
    changed = member.changed(role=request.role, given_role=None)
    tx = ctx.plan()
    members.keep_an_owner(tx, everybody, member)
    members.save(tx, member, changed)
    told = RoleChanged(user_id=member.user_id, from_=member.role, to=changed.role)
    events.record(tx, ROLE_CHANGED, told, subject_id=member.user_id, action="setRole")
    return _view(changed)


@namespace.writes(
    destructive=True,
    name="members.remove",
    costs=Cost(reads=1, writes=1, items=9).up_to(items=59, because="fifty keys go with it"),
    emits=[MEMBER_REMOVED],
)
def remove(request: RemoveMember, ctx: Context) -> RemovedMember:
    """Remove a person from the workspace; their keys and tokens are revoked at once, for good.

    Within minutes their claims and locks on issues are given back, and open issues are assigned to them no
    more; tools still find by their id what was theirs. The last owner can't be removed.
    Example: {"userId": "usr_01J…"}
    """
    everybody = members.list_all(ctx.table, ctx.caller.workspace_id)
    member = members.among(everybody, request.user_id)
    members.require_rank(ctx.caller, member)
    _remove(ctx.plan(), everybody, member)
    return RemovedMember(id=member.user_id)


@namespace.writes(
    idempotent=True,
    destructive=True,
    name="members.erase",
    costs=Cost(reads=2, writes=1, items=11).up_to(reads=3, items=61, because="fifty keys go with it"),
    emits=[MEMBER_REMOVED],
)
def erase(request: EraseMember, ctx: Context) -> ErasureView:
    """Erase a person for good: removed at once if they are a member, then nothing here tells who they were.

    Within minutes a worker deletes what they kept for themselves (notes, journals, pins, preferences, chats
    with agents), and address, name and handle wherever they are stored; their id stays and names nobody. What
    they wrote for others stays, and so does a name in a text. Who is a member of another workspace stays a
    user there. Not yourself, nor the last owner. erasures.get shows how far it is.
    Example: {"userId": "usr_01J…"}
    """
    workspace_id, user_id = ctx.caller.workspace_id, request.user_id
    if user_id == ctx.caller.user_id:
        raise Forbidden("Nobody erases themselves.", hint="Ask another owner or admin to do it.")
    found = erasures.find(ctx.table, workspace_id, user_id)
    if found is not None and not found.is_over:
        return _erasure_view(found)
    everybody = members.list_all(ctx.table, workspace_id)
    member = next((one for one in everybody if one.user_id == user_id), None)
    if member is None and found is not None:
        return _erasure_view(found)
    if member is None:
        members.require_former(ctx.table, workspace_id, user_id)
    members.require_rank(ctx.caller, member)
    tx = ctx.plan()
    if member is not None:
        _remove(tx, everybody, member)
    order = erasures.order(tx, user_id, begins_at=ctx.now() + LATECOMERS, leaving=[user_id], before=found)
    events.record_change(tx, "erasure", user_id, action="order")
    return _erasure_view(order)


@namespace.reads(name="erasures.get", costs=Cost(reads=1))
def get_erasure(request: EraseMember, ctx: Context) -> ErasureView:
    """Show how far the erasure of a person is: PENDING, RUNNING or DONE, and how much was removed.

    Example: {"userId": "usr_01J…"}
    """
    found = erasures.find(ctx.table, ctx.caller.workspace_id, request.user_id)
    if found is None or found.is_of_workspace:
        raise NotFound(f"Nobody ordered that {request.user_id[:60]!r} be erased.", hint="members.erase does.")
    return _erasure_view(found)


def _remove(tx: Transaction, everybody: Sequence[MemberItem], member: MemberItem) -> None:
    members.keep_an_owner(tx, everybody, member)
    members.remove(tx, member)
    continuations.begin(tx, ContinuationKind.MEMBER_REMOVED, member.user_id)
    told = MemberTold(user_id=member.user_id, role=member.role)
    events.record(tx, MEMBER_REMOVED, told, subject_id=member.user_id, action="remove", before=member)


def _require_not_erased(ctx: Context, user_id: str) -> None:
    order = erasures.find(ctx.table, ctx.caller.workspace_id, user_id)
    if order is not None and not order.is_over:
        raise Conflict(
            "Whoever had this address here is being erased.",
            hint="Add them again when erasures.get says DONE.",
            details={"userId": user_id},
        )


def _erasure_view(order: ErasureItem) -> ErasureView:
    return ErasureView.of(order, user_id=order.id)


def _view(member: MemberItem) -> MemberView:
    return MemberView.of(member, id=member.user_id)
