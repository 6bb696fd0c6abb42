"""Opaque cursors: a place in one list. They need no signature: no place leads out of the list asked for."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from hashlib import sha256

from forge.errors import InvalidInput

_MARK = 10


class Cursors:
    """The cursors of one list, of one workspace, in one order; those of any other list are refused."""

    __slots__ = ("_mark",)

    def __init__(self, *of: str) -> None:
        """Whatever tells this list from all others, its workspace and its order included."""
        self._mark = sha256("\n".join(of).encode()).hexdigest()[:_MARK]

    def after(self, place: str) -> str:
        """The cursor that goes on right after this place."""
        return urlsafe_b64encode(f"{self._mark}{place}".encode()).rstrip(b"=").decode()

    def place_in(self, cursor: str) -> str:
        """The place that a cursor of this list names; else InvalidInput."""
        try:
            text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        except (Base64Error, ValueError):
            raise bad_cursor() from None
        if len(text) <= _MARK or not text.startswith(self._mark):
            raise bad_cursor()
        return text[_MARK:]


def bad_cursor() -> InvalidInput:
    return InvalidInput(
        "This cursor does not belong to this list.",
        issues={"cursor": "Pass nextCursor back unchanged, with the same filters, or leave it out."},
    )
