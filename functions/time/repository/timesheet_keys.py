"""The keys of time entries and of the one timer that somebody has running."""

from forge.store.keys import Key
from forge.work.workspace.people import people_keys


def entry(workspace_id: str, owner_id: str, entry_id: str) -> Key:
    return Key(f"WS#{workspace_id}#TIME#{owner_id}", entry_id)


def running(workspace_id: str, owner_id: str) -> Key:
    """One place for each person or agent, so that a second timer finds it taken."""
    return Key(people_keys.belongings(workspace_id, owner_id), "TIMER")


def entries_of(workspace_id: str, owner_id: str) -> str:
    return f"WS#{workspace_id}#ACTOR#{owner_id}#TIME"


def entries_of_issue(workspace_id: str, issue_id: str) -> str:
    return f"WS#{workspace_id}#ISSUE#{issue_id}#TIME"
