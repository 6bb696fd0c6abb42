"""The keys of webhooks and of what is delivered."""

from forge.store.keys import Key


def webhooks(workspace_id: str) -> str:
    return f"WS#{workspace_id}#WEBHOOKS"


def webhook(workspace_id: str, webhook_id: str) -> Key:
    return Key(webhooks(workspace_id), webhook_id)


def deliveries(workspace_id: str) -> str:
    return f"WS#{workspace_id}#DELIVERIES"


def delivery(workspace_id: str, delivery_id: str) -> Key:
    return Key(deliveries(workspace_id), delivery_id)


def deliveries_of_status(workspace_id: str, status: str) -> str:
    return f"WS#{workspace_id}#DELIVERIES#{status}"
