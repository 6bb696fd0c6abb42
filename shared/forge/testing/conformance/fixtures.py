"""What a fixture is made of: a function from params to an answer, and readers for those params."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from forge.wire.protocol import INVALID_PARAMS, META_CAPABILITIES, MISSING_CAPABILITY, Params, ProtocolError

Result = dict[str, Any]


class Answer(NamedTuple):
    result: Result
    notifications: tuple[Result, ...] = ()
    """Streamed before the result, to clients that take a stream."""


Run = Callable[[Params], Answer]


def _no_arguments() -> Mapping[str, Any]:
    return {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class FixtureTool:
    name: str
    description: str
    run: Run
    input_schema: Mapping[str, Any] = field(default_factory=_no_arguments)

    def entry(self) -> Result:
        return {"name": self.name, "description": self.description, "inputSchema": self.input_schema}


@dataclass(frozen=True, slots=True)
class FixturePrompt:
    name: str
    description: str
    run: Run
    arguments: tuple[str, ...] = ()
    """All of them are required."""

    def entry(self) -> Result:
        arguments = [
            {"name": name, "description": f"The value of {name}.", "required": True}
            for name in self.arguments
        ]
        return {"name": self.name, "description": self.description, "arguments": arguments}


def always(result: Result) -> Run:
    return lambda params: Answer(result)


def member(params: Params, name: str) -> Mapping[str, Any]:
    """An object among the params; one left out is empty."""
    found = params.get(name, {})
    if not isinstance(found, dict):
        raise ProtocolError(INVALID_PARAMS, f"The member {name} must be an object.")
    return found


def capabilities_of(params: Params) -> Mapping[str, Any]:
    return member(member(params, "_meta"), META_CAPABILITIES)


def require_capability(params: Params, name: str) -> None:
    if name not in capabilities_of(params):
        raise ProtocolError(
            MISSING_CAPABILITY,
            f"This needs a client with the capability {name}.",
            {"requiredCapabilities": {name: {}}},
        )
