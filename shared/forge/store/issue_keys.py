"""The keys of issues and of what agents do with them. Like all keys, each starts with its workspace."""

import re
from datetime import datetime

from forge.store.keys import IndexKey, Key, sortable_time

PRIORITIES = 5

IDENTIFIER = re.compile(r"([A-Za-z0-9]{2,8})-([0-9]{1,10})")
"""An issue as people write it: the workspace's prefix and the issue's number."""

COMMENTS = "C#"
PARTS = "X#"
RELATIONS = "X#RELATION#"
WATCHES = "X#WATCH#"
ARTIFACTS = "X#ARTIFACT#"


def partition(workspace_id: str, issue_id: str) -> str:
    """All of an issue. Comments sort before parts: a descending Query gives parts and newest comments."""
    return f"WS#{workspace_id}#ISSUE#{issue_id}"


def head(workspace_id: str, issue_id: str) -> Key:
    return Key(partition(workspace_id, issue_id), "X#META")


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


def reference(workspace_id: str, name: str) -> Key:
    """Where a thing lives that is named without its parent: by its id, or an issue by its number."""
    return Key(f"WS#{workspace_id}#REF#{name}", "REF")


def revision(workspace_id: str, comment_id: str, slot: int) -> Key:
    return Key(f"WS#{workspace_id}#REF#{comment_id}", f"REV#{slot:02}")


def term(workspace_id: str, word: str, issue_id: str) -> Key:
    return Key(terms(workspace_id, word), issue_id)


def terms(workspace_id: str, word: str) -> str:
    return f"WS#{workspace_id}#TERM#{word}"


def indexed_terms(workspace_id: str, issue_id: str) -> Key:
    """Which words an issue is found by now, so that those it lost can be taken back."""
    return Key(f"WS#{workspace_id}#REF#{issue_id}", "TERMS")


def queue(workspace_id: str) -> str:
    return f"WS#{workspace_id}#QUEUE"


def queue_row(workspace_id: str, *, priority: int, created_at: datetime, issue_id: str) -> Key:
    """Read ascending: the most urgent first, then the oldest."""
    return Key(queue(workspace_id), f"{PRIORITIES - 1 - priority}#{sortable_time(created_at)}#{issue_id}")


def held_queue(workspace_id: str) -> str:
    return f"WS#{workspace_id}#QUEUE#HELD"


def held_row(workspace_id: str, *, expires_at: datetime, issue_id: str) -> Key:
    return Key(held_queue(workspace_id), f"{sortable_time(expires_at)}#{issue_id}")


def block_graph(workspace_id: str) -> Key:
    return Key(f"WS#{workspace_id}#BLOCKGRAPH", "VERSION")


def agent_load(workspace_id: str, agent_id: str) -> Key:
    """How many open issues an agent has: apart from the agent, because it changes with issues."""
    return Key(f"WS#{workspace_id}#AGENTS", f"LOAD#{agent_id}")


def live_runs(workspace_id: str, agent_id: str) -> str:
    return f"WS#{workspace_id}#AGENT#{agent_id}"


LIVE = "LIVE#"


def live_run(workspace_id: str, agent_id: str, *, issue_id: str, step_id: str | None) -> Key:
    """The guard of the one live run that an agent has for an issue or a step."""
    return Key(live_runs(workspace_id, agent_id), f"{LIVE}{issue_id}#{step_id or '-'}")


def run(workspace_id: str, run_id: str) -> Key:
    return Key(f"WS#{workspace_id}#RUN#{run_id}", "META")


def run_text(workspace_id: str, run_id: str) -> Key:
    return Key(f"WS#{workspace_id}#RUN#{run_id}", "TEXT")


def run_event(workspace_id: str, run_id: str, *, moment: datetime, event_id: str) -> Key:
    return Key(f"WS#{workspace_id}#RUN#{run_id}", f"E#{sortable_time(moment)}#{event_id}")


def projects(workspace_id: str) -> str:
    return f"WS#{workspace_id}#PROJECTS"


def project(workspace_id: str, project_id: str) -> Key:
    return Key(projects(workspace_id), f"PROJECT#{project_id}")


def cycle(workspace_id: str, cycle_id: str) -> Key:
    return Key(f"WS#{workspace_id}#CYCLES", f"CYCLE#{cycle_id}")


def initiative(workspace_id: str, initiative_id: str) -> Key:
    return Key(f"WS#{workspace_id}#INITIATIVES", f"INITIATIVE#{initiative_id}")


def initiative_count(workspace_id: str, initiative_id: str) -> Key:
    """Raised with every project it gets, which also proves that the initiative exists."""
    return Key(f"WS#{workspace_id}#INITIATIVES", f"COUNT#{initiative_id}")


def artifact_partition(workspace_id: str, artifact_id: str) -> str:
    return f"WS#{workspace_id}#ARTIFACT#{artifact_id}"


def artifact(workspace_id: str, artifact_id: str) -> Key:
    return Key(artifact_partition(workspace_id, artifact_id), "X#META")


def artifact_version(workspace_id: str, artifact_id: str, number: int) -> Key:
    return Key(artifact_partition(workspace_id, artifact_id), f"V#{number:06}")


# Places in the indexes.


def board(workspace_id: str, *, is_done: bool) -> str:
    return f"WS#{workspace_id}#BOARD#{_state(is_done)}"


def issues_of_project(workspace_id: str, project_id: str, *, is_done: bool) -> str:
    return f"WS#{workspace_id}#PROJECT#{project_id}#{_state(is_done)}"


def issues_of_agent(workspace_id: str, agent_id: str, *, is_done: bool) -> str:
    return f"WS#{workspace_id}#AGENT#{agent_id}#{_state(is_done)}"


def issues_of_cycle(workspace_id: str, cycle_id: str) -> str:
    return f"WS#{workspace_id}#CYCLE#{cycle_id}#ISSUES"


def by_age(created_at: datetime, thing_id: str) -> str:
    return f"{sortable_time(created_at)}#{thing_id}"


def by_urgency(priority: int, created_at: datetime, issue_id: str) -> str:
    """The order of the board; read descending, the most urgent first, then the newest."""
    return f"{priority}#{by_age(created_at, issue_id)}"


def updated(workspace_id: str, kind: str) -> str:
    return f"WS#{workspace_id}#UPDATED#{kind}"


def by_update(workspace_id: str, kind: str, *, moment: datetime, thing_id: str) -> IndexKey:
    """Among all things of a kind, by the time their list is ordered by."""
    return IndexKey("updated", updated(workspace_id, kind), by_age(moment, thing_id))


def runs_of_agent(workspace_id: str, agent_id: str) -> str:
    return f"WS#{workspace_id}#AGENT#{agent_id}#RUNS"


def runs_of_issue(workspace_id: str, issue_id: str) -> str:
    return f"WS#{workspace_id}#ISSUE#{issue_id}#RUNS"


def projects_of_initiative(workspace_id: str, initiative_id: str) -> str:
    return f"WS#{workspace_id}#INITIATIVE#{initiative_id}#PROJECTS"


def _state(is_done: bool) -> str:
    return "DONE" if is_done else "LIVE"
