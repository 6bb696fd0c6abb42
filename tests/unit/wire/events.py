"""API Gateway HTTP API events, payload version 2.0, as a Lambda function receives them."""

from typing import Any

from forge.wire.paths import RPC_PATH


def an_event(body: str | None = None, *, key: str | None = None, **overrides: Any) -> dict[str, Any]:
    """An event for `path` and `method`; other overrides replace top-level members of the event."""
    method = overrides.pop("method", "POST")
    path = overrides.pop("path", RPC_PATH)
    headers = {"host": "api.example.com", "content-type": "application/json"}
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": headers | ({"authorization": f"Bearer {key}"} if key else {}),
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "api",
            "domainName": "api.example.com",
            "http": {
                "method": method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "192.0.2.1",
                "userAgent": "test",
            },
            "requestId": "req_from_gateway",
            "routeKey": "$default",
            "stage": "$default",
        },
        "isBase64Encoded": False,
    }
    if body is not None:
        event["body"] = body
    return event | overrides
