"""The keys of what waits for somebody."""

from forge.store.keys import Key


def wait(workspace_id: str, wait_id: str) -> Key:
    return Key(f"WS#{workspace_id}#WAIT#{wait_id}", "META")
