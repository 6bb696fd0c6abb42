"""What a runtime is when it comes, and which settings it can have."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from forge.errors import InvalidInput
from forge.work.workspace.people.agents import AgentProvider


def adapter_of(providers: Sequence[AgentProvider]) -> str | None:
    """What talks to it, where that is clear."""
    return providers[0].lower() if len(set(providers)) == 1 else None


def require_understood(config: Mapping[str, Any]) -> None:
    """What adapters know must be as they know it; what only the runtime knows is its own affair."""
    wrong = {
        f"config.{name}": f"Must be {_KNOWN[name][0]}."
        for name, value in config.items()
        if name in _KNOWN and value is not None and not _KNOWN[name][1](value)
    }
    if wrong:
        raise InvalidInput("Some settings are not as adapters know them.", issues=wrong)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_path(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_capabilities(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and all(isinstance(one, str) and one for one in value)
    )


_KNOWN: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "localWorkspaceTools": ("true or false", _is_flag),
    "modeToolPolicyEnforced": ("true or false", _is_flag),
    "toolCapabilities": ("a list of names, or an object by name", _is_capabilities),
    "workspaceRoot": ("a path", _is_path),
}
