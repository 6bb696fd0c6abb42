"""What of an event is worth telling to whoever looks back."""

from collections.abc import Mapping
from typing import Any


def lean(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Without groups in which nothing is; a null by itself says that something was cleared."""
    told = {
        name: {key: one for key, one in value.items() if one not in (None, [])}
        if isinstance(value, dict)
        else value
        for name, value in payload.items()
    }
    return {name: value for name, value in told.items() if value != {}}
