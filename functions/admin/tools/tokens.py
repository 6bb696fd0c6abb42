"""Tokens: short-lived stand-ins for a key."""

from forge.context import Context
from forge.contract.terms import Actor, Effect, Scope, Surface
from forge.contract.tools import Namespace
from forge.errors import Conflict
from forge.work.log import events
from forge.work.people import api_keys, members
from functions.admin.models.tokens import CreateToken, NewToken

namespace = Namespace("tokens", "Hand out short-lived tokens.", surface=Surface.ADMIN)


@namespace.tool(scopes=[Scope.ADMIN], effect=Effect.MUTATING, actor=Actor.USER, secrets=["token"])
def create(request: CreateToken, ctx: Context) -> NewToken:
    """Mint a token that stands for a key for 300 seconds; send it as a bearer token.

    It has the key's scopes, counts against the key's limits, and ends when the key is revoked.
    Example: {"keyId": "key_01J…"}
    """
    item, owner = api_keys.get_with_owner(ctx.table, ctx.caller.workspace_id, request.key_id)
    members.require_rank(ctx.caller, owner)
    if not item.is_live(ctx.now()):
        raise Conflict("This key was revoked or has expired.", hint="Use a key that is live.")
    token, expires_at = ctx.services.tokens.mint(
        subject=item.id, workspace_id=item.workspace_id, key_hash=item.key_hash, now=ctx.now()
    )
    with ctx.transaction() as tx:
        events.record_change(tx, "key", item.id, action="token")
    return NewToken(token=token, expires_at=expires_at)
