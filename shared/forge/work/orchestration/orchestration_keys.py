"""The keys of what several agents do together."""

from forge.store.keys import Key


def crews(workspace_id: str) -> str:
    return f"WS#{workspace_id}#CREWS"


def crew(workspace_id: str, crew_id: str) -> Key:
    return Key(crews(workspace_id), f"CREW#{crew_id}")


def crew_plans(workspace_id: str, crew_id: str) -> Key:
    """How many plans a crew has."""
    return Key(crews(workspace_id), f"PLANS#{crew_id}")
