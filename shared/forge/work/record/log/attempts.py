"""What a call came to, as the log keeps it of calls that changed nothing: who tried what, and why not."""

from collections.abc import Mapping
from enum import StrEnum
from itertools import islice
from typing import Any

from forge.context import Context
from forge.errors import DomainError, Retold
from forge.jsontext import encode
from forge.store.items import Part
from forge.work.record.log import secrecy

MOST_TEXT = 200
MOST_ENTRIES = 20
MOST_BITS = 64
MOST_PARAMS = 4_000
"""How long the arguments may be, as JSON; of longer ones only the names are kept."""
_DEEPEST = 4
_HIDDEN, _LEFT_OUT = "(hidden)", "…"


class CallOutcome(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"
    SKIPPED = "skipped"
    """There was nothing to do, which is nobody's mistake."""


class Level(StrEnum):
    INFO = "info"
    WARN = "warn"
    ERROR = "error"


_LEVELS = {CallOutcome.SUCCESS: Level.INFO, CallOutcome.FAILURE: Level.ERROR, CallOutcome.SKIPPED: Level.WARN}


class Attempt(Part):
    outcome: CallOutcome
    level: Level
    code: str | None = None
    error: str | None = None
    session_id: str
    repository: str | None = None
    issue_number: int | None = None
    phase: str | None = None
    params: str = "{}"
    """As JSON: nothing in it is too large, too small or too empty a name to be stored."""

    @classmethod
    def that(
        cls,
        outcome: CallOutcome,
        arguments: Mapping[str, object],
        *,
        session_id: str,
        code: object = None,
        error: object = None,
    ) -> "Attempt":
        """The record of a call with this outcome, its arguments shortened and without secrets."""
        return cls(
            outcome=outcome,
            level=_LEVELS[outcome],
            code=_text(str(code)) if code else None,
            error=_text(str(error)) if error else None,
            session_id=_text(session_id),
            params=redacted(arguments),
        )


def told_of(failure: DomainError) -> Mapping[str, object]:
    """A failure as its caller was told of it."""
    return failure.body if isinstance(failure, Retold) else {"code": failure.code, "error": failure.message}


def redacted(arguments: Mapping[str, object]) -> str:
    """Arguments as they may be kept: no secrets, no long texts, and never more than a little of anything."""
    kept: dict[str, Any] = _shortened(arguments, depth=0)
    text = encode(kept)
    return text if len(text) <= MOST_PARAMS else encode(dict.fromkeys(kept, _LEFT_OUT))


def _shortened(value: object, *, depth: int) -> Any:
    if isinstance(value, Mapping | list) and depth == _DEEPEST:
        return _LEFT_OUT
    if isinstance(value, Mapping):
        hidden = secrecy.value_beside(value)
        return {
            _text(name): _HIDDEN
            if secrecy.is_named(name) or name in hidden
            else _shortened(one, depth=depth + 1)
            for name, one in islice(value.items(), MOST_ENTRIES)
        }
    if isinstance(value, list):
        return [_shortened(one, depth=depth + 1) for one in value[:MOST_ENTRIES]]
    if isinstance(value, str):
        return _HIDDEN if secrecy.looks(value) else _text(value)
    is_long = isinstance(value, int) and value.bit_length() > MOST_BITS
    return _LEFT_OUT if is_long else value


def _text(value: str) -> str:
    return value if len(value) <= MOST_TEXT else f"{value[:MOST_TEXT]}{_LEFT_OUT}"


_LEARNED = "learned for the audit"


def learn(ctx: Context, **facts: str) -> None:
    """Keep in mind what the call is about, in case that it fails."""
    ctx.memory[_LEARNED] = {**learned(ctx), **facts}


def learned(ctx: Context) -> dict[str, Any]:
    found: dict[str, Any] = ctx.memory.get(_LEARNED, {})
    return found
