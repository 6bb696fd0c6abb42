"""The keys of exports: each order, and which is the last one."""

from forge.store.keys import Key


def order(workspace_id: str, export_id: str) -> Key:
    return Key(f"WS#{workspace_id}#EXPORT#{export_id}", "EXPORT")


def latest(workspace_id: str) -> Key:
    """One place for each workspace, so that whoever orders a second one finds the first."""
    return Key(f"WS#{workspace_id}#EXPORTS", "LATEST")
