"""Opaque cursors. They are not signed: whatever comes back must lie where this caller may read anyway."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping

from forge.errors import InvalidInput
from forge.jsontext import BadJson, decode, encode

Position = dict[str, str]


def encode_cursor(position: Mapping[str, str]) -> str:
    return urlsafe_b64encode(encode(position).encode()).rstrip(b"=").decode()


def decode_cursor(cursor: str, is_valid: Callable[[Position], bool]) -> Position:
    """The position that a cursor names, if this very query could have given it out; else InvalidInput."""
    try:
        position = decode(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (Base64Error, BadJson, ValueError):
        raise _bad_cursor() from None
    if not isinstance(position, dict) or not all(isinstance(value, str) for value in position.values()):
        raise _bad_cursor()
    if not is_valid(position):
        raise _bad_cursor()
    return position


def _bad_cursor() -> InvalidInput:
    return InvalidInput(
        "This cursor does not belong to this list.",
        issues={"cursor": "Pass nextCursor back unchanged, with the same filters, or leave it out."},
    )
