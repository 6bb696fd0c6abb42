"""The keys of pipelines, of their log and of the versions of their artifacts."""

from forge.store.keys import Key

LOG = "LOG#"


def partition(workspace_id: str, name: str) -> str:
    """All of a pipeline: its state, what it handed out last, its log, and every version of its artifacts."""
    return f"WS#{workspace_id}#PIPE#{name}"


def pipeline(workspace_id: str, name: str) -> Key:
    return Key(partition(workspace_id, name), "META")


def prompt(workspace_id: str, name: str) -> Key:
    return Key(partition(workspace_id, name), "PROMPT")


def profile(workspace_id: str, name: str) -> Key:
    return Key(partition(workspace_id, name), "PROFILE")


def log_row(workspace_id: str, name: str, *, number: int) -> Key:
    return Key(partition(workspace_id, name), f"{LOG}{number:06}")


def artifact(workspace_id: str, name: str, *, file: str, artifact_version: int) -> Key:
    return Key(partition(workspace_id, name), f"FILE#{file}#{artifact_version:06}")
