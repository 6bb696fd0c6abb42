"""The keys of runs."""

from datetime import datetime

from forge.store.keys import Key, sortable_time


def live_runs(workspace_id: str, agent_id: str) -> str:
    return f"WS#{workspace_id}#AGENT#{agent_id}"


LIVE = "LIVE#"
CLAIM = "CLAIM#"


def claim(workspace_id: str, agent_id: str, issue_id: str) -> Key:
    """What an agent has claimed, by issue."""
    return Key(live_runs(workspace_id, agent_id), f"{CLAIM}{issue_id}")


def live_run(workspace_id: str, agent_id: str, *, issue_id: str, place: str | None) -> Key:
    """The guard of the one live run that an agent has for an issue, or for a place in a plan."""
    return Key(live_runs(workspace_id, agent_id), f"{LIVE}{issue_id}#{place or '-'}")


def partition(workspace_id: str, run_id: str) -> str:
    return f"WS#{workspace_id}#RUN#{run_id}"


def run(workspace_id: str, run_id: str) -> Key:
    return Key(partition(workspace_id, run_id), "META")


def run_text(workspace_id: str, run_id: str) -> Key:
    return Key(partition(workspace_id, run_id), "TEXT")


def run_event(workspace_id: str, run_id: str, *, moment: datetime, event_id: str) -> Key:
    return Key(partition(workspace_id, run_id), f"E#{sortable_time(moment)}#{event_id}")


def runs_of_agent(workspace_id: str, agent_id: str) -> str:
    return f"WS#{workspace_id}#AGENT#{agent_id}#RUNS"


def runs_for_people(workspace_id: str) -> str:
    """Those that get on only if a person does something."""
    return f"WS#{workspace_id}#RUNS#PEOPLE"


def runs_of_issue(workspace_id: str, issue_id: str) -> str:
    return f"WS#{workspace_id}#ISSUE#{issue_id}#RUNS"
