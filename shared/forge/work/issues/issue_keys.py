"""The keys of an issue and of whatever hangs on it."""

import re
from datetime import datetime

from forge.store.keys import Key, by_age, references, sortable_time

PRIORITIES = 5

IDENTIFIER = re.compile(r"([A-Za-z0-9]{2,8})-([0-9]{1,10})")
"""An issue as people write it: the workspace's prefix and the issue's number."""

COMMENTS = "C#"
HEAD = "X#META"
PARTS = "X#"
RELATIONS = "X#RELATION#"
WATCHES = "X#WATCH#"
ARTIFACTS = "X#ARTIFACT#"


def partition(workspace_id: str, issue_id: str) -> str:
    """All of an issue. Comments sort before parts: a descending Query gives parts and newest comments."""
    return f"WS#{workspace_id}#ISSUE#{issue_id}"


def head(workspace_id: str, issue_id: str) -> Key:
    return Key(partition(workspace_id, issue_id), HEAD)


def body(workspace_id: str, issue_id: str) -> Key:
    return Key(partition(workspace_id, issue_id), "X#BODY")


def comment(workspace_id: str, issue_id: str, *, created_at: datetime, comment_id: str) -> Key:
    return Key(partition(workspace_id, issue_id), f"{COMMENTS}{sortable_time(created_at)}#{comment_id}")


def relation(workspace_id: str, issue_id: str, *, kind: str, other_id: str) -> Key:
    return Key(partition(workspace_id, issue_id), f"{RELATIONS}{kind}#{other_id}")


def watch(workspace_id: str, issue_id: str, watcher_id: str) -> Key:
    return Key(partition(workspace_id, issue_id), f"{WATCHES}{watcher_id}")


def artifact_link(workspace_id: str, issue_id: str, artifact_id: str) -> Key:
    return Key(partition(workspace_id, issue_id), f"{ARTIFACTS}{artifact_id}")


def watching(workspace_id: str, watcher_id: str) -> str:
    return f"WS#{workspace_id}#WATCHING#{watcher_id}"


def watching_row(workspace_id: str, watcher_id: str, *, created_at: datetime, issue_id: str) -> Key:
    return Key(watching(workspace_id, watcher_id), f"{sortable_time(created_at)}#{issue_id}")


def revision(workspace_id: str, comment_id: str, slot: int) -> Key:
    return Key(references(workspace_id, comment_id), f"REV#{slot:02}")


def queue(workspace_id: str) -> str:
    return f"WS#{workspace_id}#QUEUE"


def queue_row(workspace_id: str, *, priority: int, created_at: datetime, issue_id: str) -> Key:
    """Read ascending: the most urgent first, then the oldest."""
    return Key(queue(workspace_id), f"{PRIORITIES - 1 - priority}#{sortable_time(created_at)}#{issue_id}")


def held_queue(workspace_id: str) -> str:
    return f"WS#{workspace_id}#QUEUE#HELD"


def held_row(workspace_id: str, *, expires_at: datetime, issue_id: str) -> Key:
    return Key(held_queue(workspace_id), f"{sortable_time(expires_at)}#{issue_id}")


def blocked_queue(workspace_id: str) -> str:
    return f"WS#{workspace_id}#QUEUE#BLOCKED"


def blocked_row(workspace_id: str, issue_id: str) -> Key:
    return Key(blocked_queue(workspace_id), issue_id)


def block_graph(workspace_id: str) -> Key:
    return Key(f"WS#{workspace_id}#BLOCKGRAPH", "VERSION")


def board(workspace_id: str, *, is_done: bool) -> str:
    return f"WS#{workspace_id}#BOARD#{_state(is_done)}"


def issues_of_project(workspace_id: str, project_id: str, *, is_done: bool) -> str:
    return f"WS#{workspace_id}#PROJECT#{project_id}#{_state(is_done)}"


def issues_of_agent(workspace_id: str, agent_id: str, *, is_done: bool) -> str:
    return f"WS#{workspace_id}#AGENT#{agent_id}#{_state(is_done)}"


def issues_of_cycle(workspace_id: str, cycle_id: str) -> str:
    return f"WS#{workspace_id}#CYCLE#{cycle_id}#ISSUES"


def by_urgency(priority: int, created_at: datetime, issue_id: str) -> str:
    """The order of the board; read descending, the most urgent first, then the newest."""
    return f"{priority}#{by_age(created_at, issue_id)}"


def _state(is_done: bool) -> str:
    return "DONE" if is_done else "LIVE"
