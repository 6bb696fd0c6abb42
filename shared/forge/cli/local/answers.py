"""What the embedded AWS says of itself, in the words of the service that was asked."""

import errno
import json
from typing import Any, NamedTuple

from forge.store.failures import NO_ROOM

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class Answer(NamedTuple):
    status: int
    headers: dict[str, Any]
    body: bytes


def not_kept(service: str, problem: OSError) -> Answer:
    """Nothing was done: whoever asked may ask again when there is room."""
    why = "The disk is full" if problem.errno in _FULL else f"The disk takes nothing ({problem.strerror})"
    return _refusal(service, 503, NO_ROOM, f"{why}, so that no change can be kept.")


def is_off(service: str, what: str) -> Answer:
    return _refusal(service, 501, "NotImplemented", f"{what} is off here: it could not be kept.")


def _refusal(service: str, status: int, code: str, message: str) -> Answer:
    if service == "s3":
        text = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
        return Answer(status, {"content-type": "application/xml"}, text.encode())
    said = {"__type": code, "message": message}
    return Answer(status, {"content-type": "application/x-amz-json-1.0"}, json.dumps(said).encode())
