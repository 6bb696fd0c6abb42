"""The keys of the log."""

from datetime import datetime

from forge.store.keys import Key, sortable_time


def log(workspace_id: str) -> str:
    return f"WS#{workspace_id}#LOG"


def log_row(workspace_id: str, moment: datetime, row_id: str) -> Key:
    return Key(log(workspace_id), f"{sortable_time(moment)}#{row_id}")


def log_of_subject(workspace_id: str, subject_type: str, subject_id: str) -> str:
    return f"WS#{workspace_id}#SUBJECT#{subject_type}#{subject_id}"


def log_of_issue(workspace_id: str, issue_id: str) -> str:
    """Whatever is about an issue, whichever subject it has."""
    return f"WS#{workspace_id}#ABOUT#{issue_id}"


def log_of_actor(workspace_id: str, actor_id: str) -> str:
    """What somebody did to issues."""
    return f"WS#{workspace_id}#ACTOR#{actor_id}"


def timers(workspace_id: str) -> str:
    return f"WS#{workspace_id}#TIMERS"


def timer(workspace_id: str, timer_id: str) -> Key:
    return Key(timers(workspace_id), timer_id)
