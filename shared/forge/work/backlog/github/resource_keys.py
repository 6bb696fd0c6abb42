"""The keys of what is linked on GitHub, and of what GitHub has told us."""

from forge.store.keys import Key
from forge.work.issues import issue_keys

LINKS = "X#LINK#"
"""Before the links of an issue, among its other parts; the head follows right after them."""
HEAD = "META"
LINKED = "ISSUE#"


def partition(workspace_id: str, resource_id: str) -> str:
    """An issue or a pull request on GitHub, and which issues are linked to it."""
    return f"WS#{workspace_id}#RESOURCE#{resource_id}"


def resource(workspace_id: str, resource_id: str) -> Key:
    return Key(partition(workspace_id, resource_id), HEAD)


def linked_issue(workspace_id: str, resource_id: str, *, issue_id: str, kind: str) -> Key:
    return Key(partition(workspace_id, resource_id), f"{LINKED}{issue_id}#{kind}")


def link(workspace_id: str, issue_id: str, *, resource_id: str, kind: str) -> Key:
    return Key(issue_keys.partition(workspace_id, issue_id), f"{LINKS}{resource_id}#{kind}")


def delivery(workspace_id: str, repository_id: str, delivery_id: str) -> Key:
    """A message of GitHub that has had its effect."""
    return Key(f"WS#{workspace_id}#HOOKED#{repository_id}", delivery_id)
