"""The keys of runs that go through gates, and of what is executed while nobody waits."""

from forge.store.keys import Key


def gated_run(workspace_id: str, workflow: str, run_id: str) -> Key:
    return Key(f"WS#{workspace_id}#GATED#{workflow}", f"RUN#{run_id}")


def task(workspace_id: str, task_id: str) -> Key:
    return Key(f"WS#{workspace_id}#TASK#{task_id}", "META")
