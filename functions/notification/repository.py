"""Preferences as they are found and kept, one at a time."""

from forge.context import Context
from forge.store.transactions import Transaction, overtaken
from forge.work.workspace.people.preferences import PreferenceItem, place_of


def find(ctx: Context, workspace_id: str | None, user_id: str, event_kind: str) -> PreferenceItem | None:
    return ctx.table.find(PreferenceItem, place_of(workspace_id, user_id, event_kind))


def save(tx: Transaction, before: PreferenceItem | None, after: PreferenceItem) -> None:
    if before is not None:
        tx.replace(after)
        return
    # It is there only if the same person set it in the same moment.
    tx.create(after, refusal=overtaken)
