"""The keys of what a workspace has learned from its pipelines: all of it in one partition."""

from forge.store.keys import Key


def learning(workspace_id: str) -> str:
    return f"WS#{workspace_id}#LEARNING"


def patterns(workspace_id: str) -> Key:
    return Key(learning(workspace_id), "PATTERNS")


def friction(workspace_id: str) -> Key:
    return Key(learning(workspace_id), "FRICTION")


def open_pack(workspace_id: str) -> Key:
    return Key(learning(workspace_id), "OPEN")


def pack(workspace_id: str, number: int) -> Key:
    """Packs in the order in which they were filled."""
    return Key(learning(workspace_id), f"PACK#{number:08}")


def ended(workspace_id: str, pipeline_id: str) -> Key:
    return Key(learning(workspace_id), f"ENDED#{pipeline_id}")
