"""`WORKFLOW.md` as it stands in a repository: front matter, and a prompt in Liquid."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import yaml
from liquid import Environment, StrictUndefined
from liquid.exceptions import LiquidError

FILE = "WORKFLOW.md"
_OURS = "forge"
_FENCE = "---"
_TOO_MUCH = 1e12
"""Of anything that is counted here; what is no number is not below it."""


class Broken(Exception):
    """The file can't be followed; the message says why."""


@dataclass(frozen=True)
class Workflow:
    options: Mapping[str, Any] = field(default_factory=dict)
    prompt: str = ""

    def number(self, *path: str) -> float | None:
        value = self._at(*path)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if is_number and abs(value) < _TOO_MUCH else None

    def text(self, *path: str) -> str:
        value = self._at(*path)
        return value if isinstance(value, str) else ""

    @property
    def warning(self) -> str:
        """About work that this file wants to be taken from elsewhere."""
        kind = self.text("tracker", "kind")
        if kind and kind != _OURS:
            return f"{FILE} names the tracker {kind}: work comes from Forge all the same."
        return ""

    @property
    def has_hooks(self) -> bool:
        return bool(self._at("hooks"))

    @cached_property
    def wanted(self) -> dict[str, Any]:
        """What it says of settings, in our words."""
        milliseconds, slots = (
            self.number("polling", "interval_ms"),
            self.number("agent", "max_concurrent_agents"),
        )
        minutes = self.number("codex", "turn_timeout_ms")
        found = {
            "poll_seconds": milliseconds and milliseconds / 1000,
            "slots": slots and int(slots),
            "limits": {"minutes": minutes / 60_000} if minutes else None,
        }
        return {name: value for name, value in found.items() if value}

    def _at(self, *path: str) -> Any:
        value: Any = self.options
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        return value


def parse(text: str) -> Workflow:
    lines = text.splitlines()
    if not lines or lines[0].strip() != _FENCE:
        return Workflow(prompt=text.strip())
    end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() == _FENCE), None)
    if end is None:
        raise Broken(f"The front matter of {FILE} has no end: close it with a line of ---.")
    try:
        options = yaml.safe_load("\n".join(lines[1:end])) or {}
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        # A day that no month has, or a number without end, is the parser's own mistake.
        raise Broken(f"The front matter of {FILE} is not YAML: {problem}") from None
    if not isinstance(options, dict):
        raise Broken(f"The front matter of {FILE} is not a map of names to values.")
    return Workflow(options, "\n".join(lines[end + 1 :]).strip())


class _Bounded(Environment):
    """Whoever writes to the repository writes the template: none takes an hour, or all the memory."""

    loop_iteration_limit = 100_000
    local_namespace_limit = output_stream_limit = 1_000_000


def rendered(template: str, variables: Mapping[str, Any]) -> str:
    """Strict: what is not known is an error, and not left out."""
    try:
        return _Bounded(undefined=StrictUndefined).from_string(template).render(**variables)
    except LiquidError as problem:
        raise Broken(f"The prompt of {FILE} can't be made: {problem}") from None
