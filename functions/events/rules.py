"""What of an event is worth telling to whoever looks back."""

from collections.abc import Mapping
from typing import Any


def lean(payload: Mapping[str, Any], *, subject_id: str) -> dict[str, Any]:
    """Without what is empty, and without the id that the row itself is about."""
    told = {
        name: lean(value, subject_id=subject_id) if isinstance(value, dict) else value
        for name, value in payload.items()
    }
    return {name: value for name, value in told.items() if value not in (None, [], {}, subject_id)}
