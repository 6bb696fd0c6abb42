"""Whether what a function answered means that it failed."""

import json
from http import HTTPStatus
from typing import Any


def has_failed(answer: Any) -> bool:
    """It raised, refused, or could not act on a message; whatever else it answers is its own affair."""
    if not isinstance(answer, dict):
        return False
    if "errorType" in answer or answer.get("batchItemFailures"):
        return True
    if "statusCode" not in answer:
        return False
    return int(answer["statusCode"]) >= HTTPStatus.BAD_REQUEST or _is_refusal(answer.get("body"))


def _is_refusal(body: Any) -> bool:
    """JSON-RPC tells errors, and tools over it theirs, in an answer that is 200 over HTTP."""
    try:
        told = json.loads(body)
    except (TypeError, ValueError):
        return False
    if not isinstance(told, dict) or "jsonrpc" not in told:
        return False
    result = told.get("result")
    return "error" in told or (isinstance(result, dict) and bool(result.get("isError")))
