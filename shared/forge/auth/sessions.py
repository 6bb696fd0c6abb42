"""Session identity: tells two sessions of one key apart. It grants nothing."""

import re
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256

from forge.context import Caller
from forge.errors import InvalidInput

MCP_HEADER, OWN_HEADER = HEADERS = ("mcp-session-id", "x-forge-session")

_ALLOWED = re.compile(r"[\x21-\x7e]{1,128}")
_DERIVED = re.compile(r"key-[0-9a-f]{24}")


def session_of(headers: Mapping[str, str], key_id: str) -> str:
    """The session a request names, else one that is always the same for its key."""
    if MCP_HEADER in headers:
        return _checked(headers[MCP_HEADER].strip(), MCP_HEADER)
    if OWN_HEADER in headers:
        return _checked(headers[OWN_HEADER].strip(), OWN_HEADER)
    return _session_of_key(key_id)


def said_session(caller: Caller) -> str | None:
    """The session that the caller has named; None where only the key tells who it is: many may share that."""
    return caller.session_id if is_said(caller.session_id) else None


def is_said(session_id: str) -> bool:
    return _DERIVED.fullmatch(session_id) is None


@lru_cache(maxsize=1024)
def _session_of_key(key_id: str) -> str:
    return f"key-{sha256(key_id.encode()).hexdigest()[:24]}"


def _checked(value: str, header: str) -> str:
    if not _ALLOWED.fullmatch(value):
        raise InvalidInput(
            f"The header {header} must be 1 to 128 visible ASCII characters.",
            issues={header: "1 to 128 visible ASCII characters"},
        )
    return value
