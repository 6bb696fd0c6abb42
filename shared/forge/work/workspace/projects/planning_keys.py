"""The keys of what issues are grouped by."""

from datetime import datetime

from forge.store.keys import Key, SharedKey, by_age

CYCLE = "CYCLE#"


def projects(workspace_id: str) -> str:
    return f"WS#{workspace_id}#PROJECTS"


def project(workspace_id: str, project_id: str) -> Key:
    return Key(projects(workspace_id), f"PROJECT#{project_id}")


def cycles(workspace_id: str) -> str:
    return f"WS#{workspace_id}#CYCLES"


def cycle(workspace_id: str, cycle_id: str) -> Key:
    return Key(cycles(workspace_id), f"{CYCLE}{cycle_id}")


def cycle_count(workspace_id: str, cycle_id: str) -> SharedKey:
    """Apart from the cycle, because issues change it and no edit of the cycle may undo that."""
    return SharedKey(cycles(workspace_id), f"COUNT#{cycle_id}")


def initiatives(workspace_id: str) -> str:
    return f"WS#{workspace_id}#INITIATIVES"


def initiative(workspace_id: str, initiative_id: str) -> Key:
    return Key(initiatives(workspace_id), f"INITIATIVE#{initiative_id}")


def initiative_count(workspace_id: str, initiative_id: str) -> Key:
    """Raised with every project it gets, which also proves that the initiative exists."""
    return Key(initiatives(workspace_id), f"COUNT#{initiative_id}")


def last_initiative(workspace_id: str) -> Key:
    return Key(initiatives(workspace_id), "LAST")


def by_position(position: int, created_at: datetime, initiative_id: str) -> str:
    return f"{position:010}#{by_age(created_at, initiative_id)}"


def projects_of_initiative(workspace_id: str, initiative_id: str) -> str:
    return f"WS#{workspace_id}#INITIATIVE#{initiative_id}#PROJECTS"
