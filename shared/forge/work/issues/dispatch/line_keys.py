"""The key of the line of issues that wait for an agent."""

from forge.store.keys import Key


def line(workspace_id: str) -> Key:
    return Key(f"WS#{workspace_id}#LINE", "LINE")
