"""What the embedded AWS says of itself, in the words of the service that was asked."""

import json
from typing import Any, NamedTuple


class Answer(NamedTuple):
    status: int
    headers: dict[str, Any]
    body: bytes


def not_kept(service: str) -> Answer:
    """Clients ask again by themselves when they hear it."""
    return _refusal(service, 503, "ServiceUnavailable", "The disk keeps nothing more; try again.")


def is_off(service: str, what: str) -> Answer:
    return _refusal(service, 501, "NotImplemented", f"{what} is off here: it could not be kept.")


def _refusal(service: str, status: int, code: str, message: str) -> Answer:
    if service == "s3":
        text = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
        return Answer(status, {"content-type": "application/xml"}, text.encode())
    said = {"__type": code, "message": message}
    return Answer(status, {"content-type": "application/x-amz-json-1.0"}, json.dumps(said).encode())
