"""The keys of plans and of their steps."""

from forge.store.keys import Key


def partition(workspace_id: str, plan_id: str) -> str:
    return f"WS#{workspace_id}#PLAN#{plan_id}"


def plan(workspace_id: str, plan_id: str) -> Key:
    return Key(partition(workspace_id, plan_id), "META")


def plan_text(workspace_id: str, plan_id: str) -> Key:
    return Key(partition(workspace_id, plan_id), "TEXT")


def plan_cost(workspace_id: str, plan_id: str) -> Key:
    """What the runs of its steps have cost so far."""
    return Key(partition(workspace_id, plan_id), "COST")


def plans_of_issue(workspace_id: str, issue_id: str) -> str:
    return f"WS#{workspace_id}#ISSUE#{issue_id}#PLANS"
