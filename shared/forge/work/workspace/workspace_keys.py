"""The keys of a workspace and of what it is set up with."""

from hashlib import sha256

from forge.store.folding import folded
from forge.store.keys import Key

_LONGEST_NAME = 200


def workspace(workspace_id: str) -> Key:
    return Key(f"WS#{workspace_id}#WORKSPACE", "META")


def statuses(workspace_id: str) -> str:
    return f"WS#{workspace_id}#STATUSES"


def status(workspace_id: str, status_id: str) -> Key:
    return Key(statuses(workspace_id), status_id)


def labels(workspace_id: str) -> str:
    return f"WS#{workspace_id}#LABELS"


def label(workspace_id: str, label_id: str) -> Key:
    return Key(labels(workspace_id), f"LABEL#{label_id}")


def label_count(workspace_id: str, label_id: str) -> Key:
    """Apart from the label, because every labelling changes it and no edit of the label may undo that."""
    return Key(labels(workspace_id), f"COUNT#{label_id}")


def guard(workspace_id: str, kind: str, value: str) -> Key:
    """Holds a name that must be unique in its workspace, whatever its case and its encoding."""
    name = folded(value)
    # A partition key ends at 2,048 bytes, and some names are URLs.
    shown = name if len(name.encode()) <= _LONGEST_NAME else sha256(name.encode()).hexdigest()
    return Key(f"WS#{workspace_id}#UNIQUE#{kind}#{shown}", "GUARD")


def workspace_slug(slug: str) -> Key:
    return Key(f"WSNAME#SLUG#{slug}", "NAME")


def workspace_key(key: str) -> Key:
    return Key(f"WSNAME#KEY#{key}", "NAME")
