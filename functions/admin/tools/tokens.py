"""Tokens: short-lived stand-ins for a key."""

from forge.auth import bounds
from forge.auth.bounds import Grant
from forge.context import Context
from forge.contract.effects import Cost
from forge.errors import Conflict
from forge.work.record.log import events
from forge.work.workspace.people import api_keys, members
from functions.admin.models.tokens import CreateToken, NewToken
from functions.admin.tools import namespace

# A token is ordered by the key's id alone, so that is what is too wide.
_OF_KEY = ("scopes", "projectIds", "labelIds", "initiativeIds", "role", "expiresAt")


@namespace.writes(
    secrets=["token"],
    name="tokens.create",
    narrowed_because="A token stands for a key that sees no more than the one that mints it.",
    costs=Cost(reads=2, writes=1, items=2),
)
def create(request: CreateToken, ctx: Context) -> NewToken:
    """Mint a token that stands for a key for 300 seconds; send it as a bearer token.

    It has the key's scopes, counts against the key's limits, and ends when the key is revoked. A key that can
    do more than yours gets none, and no token makes another.
    Example: {"keyId": "key_01J…"}
    """
    bounds.require_key(ctx.caller)
    item, owner, _ = api_keys.open_held(ctx.table, ctx.caller.workspace_id, request.key_id)
    members.require_rank(ctx.caller, owner)
    if item.id != ctx.caller.key_id:
        role = owner.role if owner else None
        made = Grant(frozenset(item.scopes), item.narrowing, role, ctx.caller.expires_at)
        bounds.require_within(made, ctx.caller, names=dict.fromkeys(_OF_KEY, "keyId"))
    if not item.is_live(ctx.now()):
        raise Conflict("This key was revoked or has expired.", hint="Use a key that is live.")
    token, expires_at = ctx.services.tokens.mint(
        subject=item.id,
        workspace_id=item.workspace_id,
        key_hash=item.key_hash,
        now=ctx.now(),
        latest=[moment for moment in (item.expires_at, ctx.caller.expires_at) if moment],
    )
    tx = ctx.plan()
    events.record_change(tx, "key", item.id, action="token")
    return NewToken(token=token, expires_at=expires_at)
