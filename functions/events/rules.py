"""What of an event is worth telling to whoever looks back."""

from collections.abc import Mapping
from typing import Any


def lean(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is empty."""
    told = {name: lean(value) if isinstance(value, dict) else value for name, value in payload.items()}
    return {name: value for name, value in told.items() if value not in (None, [], {})}
