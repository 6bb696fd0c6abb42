"""The keys of continuations."""

from forge.store.keys import Key


def continuations(workspace_id: str) -> str:
    return f"WS#{workspace_id}#CONTINUATIONS"


def continuation(workspace_id: str, continuation_id: str) -> Key:
    return Key(continuations(workspace_id), continuation_id)
