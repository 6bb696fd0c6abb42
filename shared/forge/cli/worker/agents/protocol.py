"""What a worker asks of an agent, and what it hears from one, of whatever kind."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from forge.cli.worker.limits import NO_LIMITS, Limits, Usage
from forge.cli.worker.settings.settings import Permissions

RUN_KEY = "FORGE_RUN_KEY"
"""The variable with the key of the run: it may do for its issue what an agent must, and nothing else."""
SERVER = "forge"


Wrap = Callable[[Sequence[str], Sequence[Path]], list[str]]
"""What a command becomes, which uses these files besides."""


def unwrapped(command: Sequence[str], also: Sequence[Path]) -> list[str]:
    return [*command]


class McpServer(NamedTuple):
    """Where the child reaches Forge; its key is in the environment."""

    url: str
    key: str

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}


@dataclass(frozen=True, slots=True)
class Order:
    """One stretch of work: until the agent has ended its turn."""

    prompt: str
    worktree: Path
    home: Path
    environment: Mapping[str, str]
    session: str = ""
    """Of the agent: to be resumed, or to be begun under this name by those who let it be chosen."""
    is_resumed: bool = False
    model: str = ""
    limits: Limits = NO_LIMITS
    """What is left of them."""
    mcp: McpServer | None = None
    allow: Sequence[str] = ()
    is_trusted: bool = False
    permissions: Permissions = Permissions.ALLOW
    granted: Collection[str] = ()
    """What a person has allowed in this run."""
    wrap: Wrap = unwrapped
    """Puts a command into the sandbox, where there is one."""


class Said(NamedTuple):
    text: str


class Did(NamedTuple):
    """A tool that it used, or what one answered."""

    what: str
    detail: str = ""


class Began(NamedTuple):
    """The session that can be resumed from now on."""

    session: str


class Stepped(NamedTuple):
    """What it is at, in a few words, for those who watch."""

    step: str


class Lived(NamedTuple):
    """Something was heard of it, which says nothing to anybody."""


class Counted(NamedTuple):
    """`usage` is that of this stretch so far; `total` of the whole session, where the agent keeps that."""

    usage: Usage = Usage()
    total: Usage = Usage()
    turns: int = 0


Event = Said | Did | Began | Stepped | Lived | Counted
Hear = Callable[[Event], None]
Stop = Callable[[], None]


class Question(NamedTuple):
    title: str
    body: str = ""
    permission: str = ""
    """What a yes allows from then on."""


class End(StrEnum):
    DONE = "done"
    ASKED = "asked"
    """It can't go on without a person."""
    LIMIT = "limit"
    FAILED = "failed"
    NO_SESSION = "no-session"
    """What was to be resumed is not there any more."""


@dataclass(frozen=True, slots=True)
class Outcome:
    end: End
    text: str = ""
    """What it said last, or why it failed."""
    question: Question | None = None
    report: Mapping[str, Any] = field(default_factory=dict)
    """More fields for runs.complete."""


class Agent(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def program(self) -> str:
        """What is started, by name or path."""
        ...

    @property
    def variables(self) -> frozenset[str]:
        """Names of what it reads from the environment: its model's key and address."""
        ...

    def new_session(self) -> str:
        """A name for a session that is about to begin; nothing where the agent chooses it."""
        ...

    def work(self, order: Order, hear: Hear, started: Callable[[Stop], None]) -> Outcome:
        """Until its turn is over; `started` gets what stops it."""
        ...
