"""The key of the line of issues that wait for an agent."""

from forge.store.keys import SharedKey


def line(workspace_id: str) -> SharedKey:
    return SharedKey(f"WS#{workspace_id}#LINE", "LINE")
