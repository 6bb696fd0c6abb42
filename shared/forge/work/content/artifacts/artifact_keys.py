"""The keys of artifacts."""

from forge.store.keys import Key, SharedKey, references

HEAD = "X#META"
VERSIONS = "V#"


def artifact_partition(workspace_id: str, artifact_id: str) -> str:
    return f"WS#{workspace_id}#ARTIFACT#{artifact_id}"


def artifact(workspace_id: str, artifact_id: str) -> Key:
    return Key(artifact_partition(workspace_id, artifact_id), HEAD)


def artifact_version(workspace_id: str, artifact_id: str, number: int) -> Key:
    return Key(artifact_partition(workspace_id, artifact_id), f"{VERSIONS}{number:06}")


def count_of_issue(workspace_id: str, issue_id: str) -> SharedKey:
    """How many artifacts an issue has: it must be on the desk of whoever adds one."""
    return SharedKey(references(workspace_id, f"{issue_id}#artifacts"), "REF")
