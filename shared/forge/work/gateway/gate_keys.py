"""The keys of runs that go through gates."""

from forge.store.keys import Key


def gated_run(workspace_id: str, workflow: str, run_id: str) -> Key:
    return Key(f"WS#{workspace_id}#GATED#{workflow}", f"RUN#{run_id}")
