"""The keys of action requests and of the votes on them."""

from forge.store.keys import Key

VOTES = "VOTE#"


def partition(workspace_id: str, request_id: str) -> str:
    """All of a request: one Query gives it with its texts and votes."""
    return f"WS#{workspace_id}#ACTION#{request_id}"


def request(workspace_id: str, request_id: str) -> Key:
    return Key(partition(workspace_id, request_id), "META")


def request_text(workspace_id: str, request_id: str) -> Key:
    return Key(partition(workspace_id, request_id), "TEXT")


def whole(workspace_id: str, request_id: str) -> list[Key]:
    return [request(workspace_id, request_id), request_text(workspace_id, request_id)]


def vote(workspace_id: str, request_id: str, user_id: str) -> Key:
    return Key(partition(workspace_id, request_id), f"{VOTES}{user_id}")


def requests_in_status(workspace_id: str, status: str) -> str:
    return f"WS#{workspace_id}#ACTIONS#{status}"


def requests_of_agent(workspace_id: str, agent_id: str) -> str:
    return f"WS#{workspace_id}#AGENT#{agent_id}#ACTIONS"


def requests_of_issue(workspace_id: str, issue_id: str) -> str:
    return f"WS#{workspace_id}#ISSUE#{issue_id}#ACTIONS"
