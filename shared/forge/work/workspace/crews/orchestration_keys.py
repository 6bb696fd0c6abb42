"""The keys of what several agents do together."""

from forge.store.keys import Key, SharedKey


def crews(workspace_id: str) -> str:
    return f"WS#{workspace_id}#CREWS"


def crew(workspace_id: str, crew_id: str) -> Key:
    return Key(crews(workspace_id), f"CREW#{crew_id}")


def crew_plans(workspace_id: str, crew_id: str) -> SharedKey:
    """How many plans a crew has that are not over."""
    return SharedKey(crews(workspace_id), f"PLANS#{crew_id}")


def crew_load(workspace_id: str, crew_id: str) -> Key:
    """Which steps hold the crew's places; apart from the crews, because lists read those."""
    return Key(f"WS#{workspace_id}#CREW#{crew_id}", "LOAD")


def _of_goal(workspace_id: str, goal_id: str) -> str:
    return f"WS#{workspace_id}#GOAL#{goal_id}"


def goal(workspace_id: str, goal_id: str) -> Key:
    return Key(_of_goal(workspace_id, goal_id), "META")


def goal_text(workspace_id: str, goal_id: str) -> Key:
    return Key(_of_goal(workspace_id, goal_id), "TEXT")


def goal_cost(workspace_id: str, goal_id: str) -> Key:
    """What all attempts at a goal have cost so far."""
    return Key(_of_goal(workspace_id, goal_id), "COST")


def gate(workspace_id: str, gate_id: str) -> Key:
    return Key(f"WS#{workspace_id}#GATE#{gate_id}", "META")
