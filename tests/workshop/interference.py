"""What happens to requests on their way to the table: nothing, until a test says so."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from forge.testing.instruments import Parameters, Send

Handle = Callable[[str, Parameters, Send], dict[str, Any]]

COMMIT = "TransactWriteItems"


def let_pass(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
    return send(**parameters)


@dataclass(slots=True)
class Interference:
    """For `watched`: lets everything pass until it is given something else to do."""

    handle: Handle = let_pass

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        return self.handle(operation, parameters, send)


def only(wanted: str, handle: Handle) -> Handle:
    """Interferes with one operation alone."""

    def choose(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        return (handle if operation == wanted else let_pass)(operation, parameters, send)

    return choose


def once_before(wanted: str, act: Callable[[], object]) -> Handle:
    """Does something else first, when that operation comes for the first time."""
    pending = [act]

    def choose(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        if operation == wanted and pending:
            pending.pop()()
        return send(**parameters)

    return choose


@dataclass(slots=True)
class Tally:
    """Counts what was tried, refused requests included."""

    tried: list[str] = field(default_factory=list)

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        self.tried.append(operation)
        return send(**parameters)
