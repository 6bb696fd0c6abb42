"""The keys of a workspace follow what was decided for it: a ceiling, its end, or that it goes on."""

from forge.context import Context
from forge.work.record.continuations.continuations import ContinuationItem, Stretch
from forge.work.workspace.people import key_copies
from forge.work.workspace.people.api_keys import API_KEYS, ApiKeyItem, AuthenticationItem
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.workspaces import WorkspaceItem


def stretches(ctx: Context, of: ContinuationItem) -> list[Stretch[ApiKeyItem]]:
    """As the workspace is when each key is looked at: whatever was decided since counts as well."""

    def settle(key: ApiKeyItem) -> bool:
        place, settings = AUTHENTICATION(key.key_hash), WorkspaceItem.at(of.workspace_id)
        known = ctx.table.read([place, settings])
        workspace, used = known.find(WorkspaceItem, settings), known.find(AuthenticationItem, place)
        if workspace is None or used is None:
            return False
        changes = key_copies.what_differs(workspace, key, used, ctx.now())
        if changes:
            # Whoever revokes it meanwhile has the last word.
            ctx.plan().adjust(place, assign=changes, equal={"revoked_at": used.revoked_at})
            ctx.commit()
        return bool(changes)

    return [Stretch(ApiKeyItem, API_KEYS(of.workspace_id), settle)]
