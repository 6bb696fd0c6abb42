"""Reading answers: the JSON of a response, and the part of it a test is about."""

import json
from typing import Any, NoReturn

from forge.wire.http import Response


def body_of(response: Response) -> Any:
    """The body, parsed as strictly as the strictest client does."""
    assert response.headers["content-type"] == "application/json"
    return strict_json(response.body)


def result_of(response: Response) -> dict[str, Any]:
    """The result of a JSON-RPC answer that is a success."""
    assert response.status == 200, response.body
    result: dict[str, Any] = body_of(response)["result"]
    return result


def rpc_error(response: Response) -> dict[str, Any]:
    """The error of a JSON-RPC answer that is a failure."""
    body = body_of(response)
    assert body["jsonrpc"] == "2.0"
    assert "result" not in body
    error: dict[str, Any] = body["error"]
    return error


def failure_of(response: Response) -> dict[str, Any]:
    """The error object of a tool call that failed, in either era."""
    result = result_of(response)
    assert result["isError"] is True
    failure: dict[str, Any] = result["structuredContent"]
    return failure


def listed_names(response: Response) -> list[str]:
    return [tool["name"] for tool in result_of(response)["tools"]]


def strict_json(text: str) -> Any:
    # A lone surrogate can't be sent, however valid it looks as a Python string.
    text.encode()
    return json.loads(text, parse_constant=_refuse)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
