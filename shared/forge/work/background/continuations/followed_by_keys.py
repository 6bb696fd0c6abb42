"""The keys of a workspace follow what was decided for it: a ceiling, its end, that it goes on, or its shards.

Over more shards a log is written only once every key reads them: in the last walk, which begins when all keys
have been looked at, late ones included.
"""

from forge.context import Context
from forge.work.record.continuations.continuations import ContinuationItem, Stretch
from forge.work.workspace.people import key_copies
from forge.work.workspace.people.api_keys import API_KEYS, ApiKeyItem, AuthenticationItem
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.workspaces import WorkspaceItem


def stretches(ctx: Context, of: ContinuationItem) -> list[Stretch[ApiKeyItem]]:
    """As the workspace is when each key is looked at: whatever was decided since counts as well."""

    def settle(key: ApiKeyItem) -> bool:
        places, settings = [*map(AUTHENTICATION, key.hashes(ctx.now()))], WorkspaceItem.at(of.workspace_id)
        known = ctx.table.read([*places, settings])
        workspace = known.find(WorkspaceItem, settings)
        found = [known.find(AuthenticationItem, place) for place in places]
        return sum(_settled(ctx, of, workspace, key, used) for used in found if workspace and used) > 0

    return [Stretch(ApiKeyItem, API_KEYS(of.workspace_id), settle)]


def _settled(
    ctx: Context, of: ContinuationItem, workspace: WorkspaceItem, key: ApiKeyItem, used: AuthenticationItem
) -> bool:
    changes = key_copies.what_differs(workspace, key, used, ctx.now())
    if of.is_last_walk and used.log_spread < (spread := max(map(int, of.words), default=1)):
        changes["log_spread"] = spread
    if changes:
        # Whoever revokes it meanwhile has the last word.
        ctx.plan().adjust(used.key, assign=changes, equal={"revoked_at": used.revoked_at})
        ctx.commit()
    return bool(changes)
