"""Keys: making, listing and revoking them."""

from typing import NamedTuple

from forge.auth import bounds
from forge.auth.keys import KeyOrder, mint
from forge.context import Context, KeyKind, Narrowing
from forge.contract.effects import Cost
from forge.contract.fields import Paged
from forge.contract.models import Page
from forge.contract.references import Kind
from forge.errors import Conflict, Forbidden, InvalidInput
from forge.work.content.references.resolving import places_of, require_there
from forge.work.issues.pages.listing import Pager
from forge.work.issues.runs import keys as run_keys
from forge.work.record.log import events
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people import api_keys, members
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.api_keys import AgentKeysItem, ApiKeyItem, AuthenticationItem, Copied
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.signins import revocations
from forge.work.workspace.workspaces import WorkspaceItem
from functions.admin.models.keys import CreateKey, KeyView, NewKey, RevokeKey, UpdateKey
from functions.admin.tools import namespace


@namespace.writes(
    secrets=["raw_key"],
    name="keys.create",
    narrowed_because="The new key sees no more than the one that makes it, and ends no later.",
    costs=Cost(reads=1, writes=1, items=5),
)
def create(request: CreateKey, ctx: Context) -> NewKey:
    """Make an API key; `rawKey` is in this answer and nowhere else, so keep it.

    ADMIN implies no other scope: list every scope the key needs. It can do no more than yours: more is
    refused, and without a lifetime it ends when yours does.
    Example: {"name": "laptop", "scopes": ["READ_ISSUES", "WRITE_ISSUES"]}
    """
    bounds.require_key(ctx.caller)
    owner, agent_keys, rates = _checked_holder(request, ctx)
    order = KeyOrder(
        name=request.name,
        kind=request.kind,
        workspace_id=ctx.caller.workspace_id,
        scopes=request.scopes,
        user_id=owner.user_id if owner else None,
        role=owner.role if owner else None,
        linked_agent_id=request.linked_agent_id,
        narrowing=Narrowing(
            frozenset(request.project_ids), frozenset(request.label_ids), frozenset(request.initiative_ids)
        ),
        expires_in_days=request.expires_in_days,
        ttl_hours=request.ttl_hours,
        latest=ctx.caller.expires_at,
    )
    minted = mint(order, key_id=ctx.new_id("key"), now=ctx.now())
    lifetime = "ttlHours" if request.kind is KeyKind.SESSION else "expiresInDays"
    bounds.require_within(
        bounds.grant_of(minted.record), ctx.caller, names={"role": "userId", "expiresAt": lifetime}
    )
    tx = ctx.plan()
    rate = _within(rates.own, request.rate_per_minute)
    item = api_keys.add(tx, minted, name=request.name, rate_per_minute=rate, copied=rates.copied)
    if owner is not None:
        tx.replace(owner.with_key(item.key_hash, item.expires_at, ctx.now()))
    if item.linked_agent_id is not None:
        api_keys.hold(tx, item, agent_keys)
    events.record_change(tx, "key", item.id, action="create", after=item)
    return NewKey.of(item, **_sorted_sets(item), last_used_at=None, raw_key=minted.raw)


@namespace.reads(name="keys.list", costs=Cost(reads=2))
def list(request: Paged, ctx: Context) -> Page[KeyView]:
    """List the workspace's keys, revoked ones included, with when each was last used.

    The keys themselves are never shown again. Example: {"limit": 20}
    """
    found, used = api_keys.list_page(ctx.table, ctx.caller.workspace_id, request)
    return Pager(Page[KeyView]).page(found, lambda item: _view(item, used[item.key_hash]))


@namespace.writes(
    idempotent=True,
    name="keys.update",
    costs=Cost(reads=3, writes=1, items=4),
)
def update(request: UpdateKey, ctx: Context) -> KeyView:
    """Change how often a key may call in a minute, from the next minute on; `clear` lifts its own limit.

    A key that has such a limit itself gives nobody a higher one. A revoked key is a conflict.
    Example: {"id": "key_01J…", "ratePerMinute": 60}
    """
    held = api_keys.open_held(ctx.table, ctx.caller.workspace_id, request.id)
    item = held.item
    members.require_rank(ctx.caller, held.owner)
    if item.revoked_at is not None:
        raise Conflict("This key was revoked.", hint="Make another one with keys.create.")
    own = ctx.table.find(ApiKeyItem, ApiKeyItem.at(ctx.caller.workspace_id, ctx.caller.key_id))
    wanted = request.given().get("rate_per_minute", item.rate_per_minute)
    _require_within(own.rate_per_minute if own else None, wanted)
    changed = item
    if wanted != item.rate_per_minute:
        tx = ctx.plan()
        changed = api_keys.set_rate(tx, item, wanted)
        events.record_change(tx, "key", item.id, action="update", before=item, after=changed)
    return KeyView.of(changed, **_sorted_sets(changed), last_used_at=None)


@namespace.writes(
    destructive=True,
    name="keys.revoke",
    costs=Cost(reads=5, writes=1, items=7).up_to(
        items=67, because="of keys that were made with it, forty of runs or twenty of clients end with it"
    ),
)
def revoke(request: RevokeKey, ctx: Context) -> KeyView:
    """End a key for good, with those that it made for runs, browsers and clients; the next call is refused.

    One that was revoked before is a conflict. Example: {"id": "key_01J…"}
    """
    held = api_keys.open_held(ctx.table, ctx.caller.workspace_id, request.id)
    item = held.item
    members.require_rank(ctx.caller, held.owner)
    if item.revoked_at is not None:
        raise Conflict("This key was revoked before.", hint="There is nothing left to do.")
    tx = ctx.plan()
    made = revocations.made_by(ctx.table, held.owner, item.id) if held.owner and not item.client else []
    revoked = run_keys.revoke_maker(tx, ctx.table, held, made)
    return KeyView.of(revoked, **_sorted_sets(revoked), last_used_at=None)


class _Rates(NamedTuple):
    own: int | None
    """Of the key that makes another."""
    copied: Copied
    """Of the workspace."""


def _within(own: int | None, wanted: int | None) -> int | None:
    """What is left out becomes the maker's, as a lifetime does."""
    if wanted is None:
        return own
    _require_within(own, wanted)
    return wanted


def _require_within(own: int | None, wanted: int | None) -> None:
    if own is not None and (wanted is None or wanted > own):
        raise Forbidden(
            f"Your own key makes {own} calls a minute at most, and gives nobody more.",
            hint="Ask for less, or use a key without such a limit.",
            issues={"ratePerMinute": f"At most {own}."},
        )


def _checked_holder(
    request: CreateKey, ctx: Context
) -> tuple[MemberItem | None, AgentKeysItem | None, _Rates]:
    """Whose key it will be, if anybody's, with everything the order refers to looked up at once."""
    workspace_id = ctx.caller.workspace_id
    user_id = None if request.kind is KeyKind.AGENT else request.user_id or ctx.caller.user_id
    if request.kind is KeyKind.AGENT and request.user_id:
        raise InvalidInput("An AGENT key has no user.", issues={"userId": "Leave it out for AGENT keys."})
    agent = AgentItem.at(workspace_id, request.linked_agent_id) if request.linked_agent_id else None
    agent_keys = AgentKeysItem.at(workspace_id, request.linked_agent_id or "")
    owner = MemberItem.at(workspace_id, user_id) if user_id else None
    narrowed_to = {
        place: said
        for place, said in places_of(request, ctx).items()
        if said[0].kind in (Kind.LABEL, Kind.PROJECT, Kind.INITIATIVE)
    }
    settings, own = WorkspaceItem.at(workspace_id), ApiKeyItem.at(workspace_id, ctx.caller.key_id)
    places = (agent, agent_keys if agent else None, owner, settings, own, *narrowed_to)
    known = ctx.table.read(place for place in places if place is not None)
    if agent is not None:
        _require_agent(known.find(AgentItem, agent), str(request.linked_agent_id))
    require_there(narrowed_to, known)
    rates = _rates(known.find(ApiKeyItem, own), known.find(WorkspaceItem, settings))
    if owner is None:
        return None, known.find(AgentKeysItem, agent_keys) if agent else None, rates
    member = known.find(MemberItem, owner)
    if member is None:
        raise unknown(Kind.PERSON, "userId", str(user_id))
    members.require_rank(ctx.caller, member)
    return member, None, rates


def _rates(own: ApiKeyItem | None, workspace: WorkspaceItem | None) -> _Rates:
    rate = own.rate_per_minute if own else None
    return _Rates(rate, Copied(workspace.calls_per_minute, workspace.log_shards) if workspace else Copied())


def _require_agent(agent: AgentItem | None, given: str) -> None:
    if agent is None:
        raise unknown(Kind.AGENT, "linkedAgentId", given)
    if agent.archived_at is not None:
        raise Conflict("This agent was archived.", hint="Choose an agent that is not archived.")


def _view(item: ApiKeyItem, used: AuthenticationItem | None) -> KeyView:
    shown = api_keys.as_it_is(item, used)
    return KeyView.of(shown, **_sorted_sets(item), last_used_at=used.last_used_at if used else None)


def _sorted_sets(item: ApiKeyItem) -> dict[str, object]:
    """Sets have no order; answers do, so that two of them can be compared."""
    names = ("scopes", "project_ids", "label_ids", "initiative_ids")
    return {name: sorted(getattr(item, name)) for name in names}
