"""Answers that are told in a way of their own, as any other tool would have told them."""

import json
from typing import Any

from forge.errors import WIRE, ErrorCode
from forge.wire.http import Response, json_response

Told = dict[str, Any]


def plain(answer: Response) -> Response:
    """The same answer, as any other tool would have told it."""
    body = json.loads(answer.body)
    error = plain_error(body)
    if error is body:
        return json_response(200, answer.body) if answer.status == 202 else answer
    return json_response(
        WIRE[ErrorCode(error["error"])].http_status, json.dumps(error, separators=(",", ":")), answer.headers
    )


def plain_error(body: Told) -> Told:
    if not isinstance(body, dict) or body.get("ok") is not False:
        return body
    failed = body["error"]
    known = failed["code"] if failed["code"] in {*ErrorCode} else _by_type(failed["type"])
    return {**failed, "error": known, "issues": failed.get("details", {}).get("issues", {})}


def _by_type(kind: str) -> str:
    return {"VALIDATION": "invalid_input", "PERMISSION": "forbidden"}.get(kind, "conflict")
