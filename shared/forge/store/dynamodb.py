"""A client of DynamoDB for what tools and workers do: JSON out, JSON in, and errors of our own.

How a request gets there is a function that is passed in: signed over HTTP, through botocore, or to the engine
of an emulator in the same process.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from forge.store.answers import NoAnswer, Refused, TableAnswer

Send = Callable[[str, bytes], TableAnswer]
"""Sends the body of one operation; raises NoAnswer when nothing comes back."""

# ASCII with escapes: half of a surrogate pair is then DynamoDB's to refuse, instead of no UTF-8.
_encode = json.JSONEncoder(separators=(",", ":")).encode


class DynamoDB:
    """The parameters and the answers are those of DynamoDB's own interface, attribute values included."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def ask(self, operation: str, parameters: dict[str, Any]) -> dict[str, Any]:
        answer = self._send(operation, _encode(parameters).encode())
        content = _object_in(answer.body)
        if answer.status != 200:
            raise _refusal(answer.status, content or {})
        if content is None:
            raise NoAnswer(f"the answer to {operation} is no JSON object")
        return content


def _object_in(body: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(body)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _refusal(status: int, content: Mapping[str, Any]) -> Refused:
    """Without a code, as from something between us and DynamoDB, the status is all there is to go by."""
    code = str(content.get("__type") or status).rpartition("#")[2]
    message = content.get("message") or content.get("Message") or ""
    return Refused(
        code,
        str(message),
        status=status,
        reasons=content.get("CancellationReasons") or (),
        item=content.get("Item"),
    )
