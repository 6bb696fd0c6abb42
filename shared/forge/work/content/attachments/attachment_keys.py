"""The keys of attachments, of what lists them, and of what they are counted by."""

from forge.store import keys
from forge.store.keys import Key
from forge.work.issues import issue_keys

OF_ISSUE = "X#ATTACHMENT#"
"""Before the ids of those of an issue, among its other parts."""
_ISSUE = "issue"


def attachments(workspace_id: str) -> str:
    return f"WS#{workspace_id}#ATTACHMENTS"


def attachment(workspace_id: str, attachment_id: str) -> Key:
    return Key(attachments(workspace_id), attachment_id)


def rows(workspace_id: str, target_type: str, target_id: str) -> Key:
    """Where those of a target are listed: the partition, and what their sort keys begin with."""
    if target_type == _ISSUE:
        return Key(issue_keys.partition(workspace_id, target_id), OF_ISSUE)
    return Key(f"WS#{workspace_id}#ATTACHED#{target_type}#{target_id}", "")


def row(workspace_id: str, target_type: str, target_id: str, *, attachment_id: str) -> Key:
    partition, prefix = rows(workspace_id, target_type, target_id)
    return Key(partition, prefix + attachment_id)


def stored_bytes(workspace_id: str) -> Key:
    return Key(f"WS#{workspace_id}#STORAGE", "BYTES")


def count(workspace_id: str, target_type: str, target_id: str) -> Key:
    return keys.reference(workspace_id, f"{target_type}#{target_id}#attachments")
