"""What a worker is told by its owner: `forge-worker.toml`, and flags over it."""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from forge.cli.calls import BadArguments, say
from forge.cli.worker.limits import Limits

FILE = "forge-worker.toml"
_SHOWN_PROBLEMS = 5


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Sandbox(StrEnum):
    OFF = "off"
    AUTO = "auto"
    """Where bubblewrap works."""
    ON = "on"
    """Or the worker does not start."""


class Permissions(StrEnum):
    """What becomes of what a child asks to be allowed."""

    ALLOW = "allow"
    ASK = "ask"
    """A person is asked, and the run waits."""
    DENY = "deny"


class Checks(Part):
    """What the worker runs by itself once the agent says that it is done."""

    commands: list[str] = []
    rounds: Annotated[int, Field(ge=0, le=10)] = 1
    """How often an agent whose work fails them is shown what failed."""
    minutes: Annotated[float, Field(gt=0, le=24 * 60)] = 30


class Git(Part):
    base: str = ""
    """The branch that work begins at; else the repository's own default."""
    push: bool = True
    pull_request: str = ""
    """A command that opens one, or finds the one that is open: it may be run twice."""
    name: str = ""
    email: str = ""
    keep_days: Annotated[float, Field(ge=0)] = 7
    """For how long the folder of a run whose branch is pushed stays, if nobody merges it."""


class Child(Part):
    model: str = ""
    environment: list[str] = []
    """Names of variables that it sees besides the usual ones."""
    allow: list[str] = []
    """Tools that Claude Code may use unasked, besides those that it needs."""
    trusted: bool = False
    """Whether what the repository has run (CLAUDE.md with its hooks, hooks of WORKFLOW.md) is followed."""
    permissions: Permissions = Permissions.ALLOW
    sandbox: Sandbox = Sandbox.OFF
    silence_minutes: Annotated[float, Field(gt=0)] = 30
    """After so long without a word it is stopped, and started again."""
    attempts: Annotated[int, Field(ge=1, le=20)] = 3
    """How often it may fail before the issue is given back."""


class Price(Part):
    """US dollars for a million tokens, for agents that tell no cost."""

    input: Annotated[float, Field(ge=0)] = 0
    cached: Annotated[float, Field(ge=0)] = 0
    output: Annotated[float, Field(ge=0)] = 0


class Most(Part):
    usd: Annotated[float | None, Field(gt=0)] = None
    turns: Annotated[int | None, Field(gt=0)] = None
    minutes: Annotated[float | None, Field(gt=0)] = None

    def limits(self) -> Limits:
        return Limits(self.usd, self.turns, self.minutes)


class Settings(Part):
    agent: str = ""
    repo: str = "."
    profile: str = ""
    name: str = ""
    slots: Annotated[int, Field(ge=1, le=50)] = 1
    poll_seconds: Annotated[float, Field(gt=0, le=3600)] = 15
    prompt: str = ""
    """A template instead of the usual one; a WORKFLOW.md of the repository goes before it."""
    limits: Most = Most()
    checks: Checks = Checks()
    git: Git = Git()
    child: Child = Child()
    prices: dict[str, Price] = {}
    """By model; `default` for those that are not named."""


def read_settings(file: Path | None, flags: Mapping[str, Any]) -> Settings:
    """From this file, or the usual one where it is there; flags that were given count more."""
    place = file or Path(FILE)
    if file is None and place.exists():
        # Perhaps of a repository, which somebody else has written.
        say(f"Settings are those of {place.resolve()}.")
    try:
        written = tomllib.loads(place.read_text(encoding="utf-8")) if file or place.exists() else {}
    except (OSError, ValueError) as problem:
        raise BadArguments(f"{place} can't be read: {problem}") from None
    given = {name: value for name, value in flags.items() if value not in (None, "")}
    try:
        settings = Settings.model_validate(merged(written, given))
    except ValidationError as wrong:
        raise BadArguments(f"{place}: {_problems(wrong)}") from None
    if not settings.agent:
        raise BadArguments(
            "Say which agent: --agent claude, codex, gemini, opencode, acp:<command> or cmd:<command>."
        )
    return settings


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Whatever `above` says counts, part by part."""
    found = dict(below)
    for name, value in above.items():
        former = found.get(name)
        both = isinstance(value, Mapping) and isinstance(former, Mapping)
        found[name] = merged(former, value) if both else value  # type: ignore[arg-type]  # `both` says so
    return found


def _problems(wrong: ValidationError) -> str:
    told = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in wrong.errors()]
    return "; ".join(told[:_SHOWN_PROBLEMS])
