"""What comes back from AWS: an answer, a refusal, or nothing at all."""

from collections.abc import Sequence
from typing import Any, NamedTuple


class TableAnswer(NamedTuple):
    """What a service said, whether or not it did what was asked."""

    status: int
    body: bytes


class Refused(Exception):
    """A service answered that it did not do what was asked."""

    def __init__(
        self,
        code: str,
        message: str = "",
        *,
        status: int = 400,
        reasons: Sequence[dict[str, Any]] = (),
        item: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}" if message else code)
        self.code = code
        self.message = message
        self.status = status
        self.reasons = reasons
        """Of a cancelled transaction: one for each of its writes."""
        self.item = item
        """Of a failed condition: the item as it is, if that was asked for and it exists."""


class NoAnswer(Exception):
    """Nothing came back that can be understood: what was asked for may or may not have happened."""
