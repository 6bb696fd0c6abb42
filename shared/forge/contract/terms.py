"""The words a tool is declared with: scope, effect, surface, actor, mode.

Free of pydantic, because the router reads them from the compiled catalog.
"""

from enum import StrEnum


class Scope(StrEnum):
    READ_ISSUES = "READ_ISSUES"
    WRITE_ISSUES = "WRITE_ISSUES"
    READ_PROJECTS = "READ_PROJECTS"
    WRITE_PROJECTS = "WRITE_PROJECTS"
    READ_COMMENTS = "READ_COMMENTS"
    WRITE_COMMENTS = "WRITE_COMMENTS"
    READ_USERS = "READ_USERS"
    READ_ANALYTICS = "READ_ANALYTICS"
    SUBSCRIBE_EVENTS = "SUBSCRIBE_EVENTS"
    INVOKE_SKILLS = "INVOKE_SKILLS"
    ADMIN = "ADMIN"

    @property
    def allows_writing(self) -> bool:
        return self.startswith("WRITE_") or self is Scope.ADMIN


class Effect(StrEnum):
    """What calling a tool does to the world. A tool has one effect, whatever its arguments."""

    READ_ONLY = "READ_ONLY"
    MUTATING = "MUTATING"
    EXTERNAL_EXEC = "EXTERNAL_EXEC"

    @property
    def intents(self) -> tuple[str, ...]:
        """The gateway intents that may reach a tool of this effect."""
        return INTENTS[self]


INTENTS = {
    Effect.READ_ONLY: ("QUERY", "ANALYZE", "GENERATE"),
    Effect.MUTATING: ("MODIFY",),
    Effect.EXTERNAL_EXEC: ("EXECUTE", "MODIFY"),
}


class Artifact(StrEnum):
    """The form in which the gateway hands out what a tool gives."""

    TEXT = "TEXT"
    JSON = "JSON"
    CODE_PY = "CODE_PY"
    CODE_TS = "CODE_TS"
    PATCH = "PATCH"
    BINARY = "BINARY"


class Surface(StrEnum):
    """Where it is offered: to agents over MCP and REST, to operators only, or by a resource's address."""

    MCP = "mcp"
    ADMIN = "admin"
    RESOURCE = "resource"


class Actor(StrEnum):
    """Whom the key must stand for."""

    ANYONE = "ANYONE"
    AGENT = "AGENT"
    USER = "USER"


class EngagementMode(StrEnum):
    EXECUTE = "EXECUTE"
    RESEARCH = "RESEARCH"
    REVIEW = "REVIEW"
    DISCUSS = "DISCUSS"


ModePolicy = frozenset[EngagementMode]
"""The modes in which an agent with a live run may call a tool."""

ANY_MODE: ModePolicy = frozenset(EngagementMode)
EXECUTE_ONLY: ModePolicy = frozenset({EngagementMode.EXECUTE})


TAKEN_FOR_GRANTED = {
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}
"""What the protocol has clients assume of a hint that is not given."""


def mcp_annotations(
    effect: Effect, *, idempotent: bool, destructive: bool, open_world: bool
) -> dict[str, bool]:
    """Hints that let a client run reads in parallel and ask before writes."""
    if effect is Effect.READ_ONLY:
        return {"readOnlyHint": True, "openWorldHint": open_world}
    return {
        "readOnlyHint": False,
        "destructiveHint": destructive,
        "idempotentHint": idempotent,
        "openWorldHint": open_world or effect is Effect.EXTERNAL_EXEC,
    }
