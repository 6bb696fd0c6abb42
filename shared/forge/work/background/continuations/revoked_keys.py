"""A key was revoked: those that were made with it end, too, also one that was just being made."""

from forge.context import Context
from forge.work.record.continuations.continuations import ContinuationItem, Stretch
from forge.work.record.log import events
from forge.work.workspace.people import api_keys
from forge.work.workspace.people.api_keys import API_KEYS, ApiKeyItem
from forge.work.workspace.signins import revocations


def stretches(ctx: Context, of: ContinuationItem) -> list[Stretch[ApiKeyItem]]:
    def concerns(key: ApiKeyItem) -> bool:
        return key.made_by_key_id == of.subject_id and key.is_live(ctx.now())

    def settle(key: ApiKeyItem) -> bool:
        held = api_keys.open_held(ctx.table, key.workspace_id, key.id)
        if held.item.revoked_at is not None:
            return False
        tx = ctx.plan()
        revoked = revocations.revoke(tx, held)
        events.record_change(tx, "key", key.id, action="revoke", before=held.item, after=revoked)
        ctx.commit()
        return True

    return [Stretch(ApiKeyItem, API_KEYS(of.workspace_id), settle, concerns)]
