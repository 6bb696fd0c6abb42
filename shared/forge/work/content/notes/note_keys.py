"""The keys of notes: each owner's are together, and nobody else's key leads there."""

from forge.store.keys import Key, updated
from forge.work.workspace.people import people_keys


def note(workspace_id: str, owner_id: str, note_id: str) -> Key:
    return Key(people_keys.belongings(workspace_id, owner_id), f"NOTE#{note_id}")


def text(workspace_id: str, owner_id: str, note_id: str) -> Key:
    return Key(people_keys.belongings(workspace_id, owner_id), f"TEXT#{note_id}")


def journal_day(workspace_id: str, owner_id: str, day: str) -> Key:
    """One place for each day, so that a second entry of that day finds it taken."""
    return Key(people_keys.belongings(workspace_id, owner_id), f"JOURNAL#{day}")


def pile(workspace_id: str, owner_id: str, kind: str, *, is_archived: bool) -> str:
    """Where an owner's notes of a kind are listed: those that are archived apart from the others."""
    return updated(workspace_id, f"{kind}#{owner_id}" + ("#ARCHIVED" if is_archived else ""))


def journal(workspace_id: str, owner_id: str) -> str:
    return f"WS#{workspace_id}#ACTOR#{owner_id}#JOURNAL"
