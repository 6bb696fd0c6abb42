"""Whether and when GitHub is asked once more. Pure: what came back decides, and the time that is left."""

from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import NamedTuple

from forge.github.failures import Exhausted, GitHubFailure, GitHubRefused, NotThere, OutOfReach

SHORTEST_TRY_SECONDS = 1.0
"""With less than this after a wait, it is not begun."""
LONGEST_WAIT_SECONDS = 60.0
"""Where nothing presses, either: whoever needs the answer is told when to come back."""

_FIRST_PAUSE_SECONDS = 0.5
_UNSAID_LIMIT_SECONDS = 60.0
"""What GitHub asks for where it does not say how long its limit lasts."""
_LIMITED = frozenset({403, 429})
_GONE = frozenset({404, 410})
_SECONDARY_WORDS = ("secondary rate limit", "abuse detection")


class Trouble(StrEnum):
    """What may be over when GitHub is asked again."""

    PRIMARY_LIMIT = "the token's rate limit"
    SECONDARY_LIMIT = "too much at once"
    BROKEN = "no answer, or GitHub's own failure"


_MOST_RETRIES = {Trouble.PRIMARY_LIMIT: 2, Trouble.SECONDARY_LIMIT: 1, Trouble.BROKEN: 3}


class Answer(NamedTuple):
    """What came back; the status is 0 where nothing did that can be read."""

    status: int = 0
    headers: Mapping[str, str] = {}
    """By names in lower case."""
    message: str = ""
    """Why it is no success, in GitHub's words."""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


def trouble_with(answer: Answer) -> Trouble | None:
    """None where asking again changes nothing."""
    if answer.status == 0 or answer.status >= 500:
        return Trouble.BROKEN
    if answer.status not in _LIMITED:
        return None
    if any(words in answer.message.lower() for words in _SECONDARY_WORDS):
        return Trouble.SECONDARY_LIMIT
    if answer.headers.get("x-ratelimit-remaining") == "0":
        return Trouble.PRIMARY_LIMIT
    has_said = "retry-after" in answer.headers or answer.status == 429
    return Trouble.SECONDARY_LIMIT if has_said else None


def wait_before_next(
    answer: Answer, *, failed: int, repeats: bool, seconds_left: float, chance: float
) -> float | None:
    """How long to wait before the next try; None if there shall be none.

    `failed` is how often this very trouble was met, this time included; `chance` is between 0 and 1. A limit
    stops a request before it does anything; after no answer, only what `repeats` may be asked twice.
    """
    trouble = trouble_with(answer)
    if trouble is None or failed > _MOST_RETRIES[trouble]:
        return None
    if trouble is Trouble.BROKEN and not repeats:
        return None
    wait = _pause(answer, failed, chance) if trouble is Trouble.BROKEN else limit_lasts(answer)
    if wait > LONGEST_WAIT_SECONDS or wait + SHORTEST_TRY_SECONDS > seconds_left:
        return None
    return wait


def limit_lasts(answer: Answer) -> float:
    """By GitHub's own clock: ours may be another one."""
    said = _seconds(answer.headers.get("retry-after"))
    if said is not None:
        return said
    reset = _seconds(answer.headers.get("x-ratelimit-reset"))
    now = _moment(answer.headers.get("date"))
    if reset is None or now is None or answer.headers.get("x-ratelimit-remaining") != "0":
        return _UNSAID_LIMIT_SECONDS
    # The second in which it ends is not over yet.
    return max(1.0, reset - now.timestamp() + 1.0)


def failure_of(answer: Answer) -> GitHubFailure:
    """What is said to whoever asked, when nothing more is tried."""
    trouble, status = trouble_with(answer), answer.status
    if trouble is Trouble.BROKEN:
        silence = f"GitHub failed with status {status}." if status else "GitHub did not answer."
        return OutOfReach(answer.message or silence, status=status)
    if trouble is not None:
        wait = int(limit_lasts(answer) + 0.999)
        return Exhausted(
            answer.message or "GitHub's rate limit is used up.", status=status, retry_after_seconds=wait
        )
    if status in _GONE:
        return NotThere(answer.message or "GitHub does not have it.", status=status)
    if 300 <= status < 400:
        moved = "GitHub has it under another name now: have an admin register the repository by that name."
        return GitHubRefused(moved, status=status)
    return GitHubRefused(answer.message or f"GitHub refused with status {status}.", status=status)


def _pause(answer: Answer, failed: int, chance: float) -> float:
    """Twice as long each time, and by chance up to half as long again."""
    grown = _FIRST_PAUSE_SECONDS * 2.0 ** (failed - 1) * (1 + chance / 2)
    return max(grown, _seconds(answer.headers.get("retry-after")) or 0.0)


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isascii() and text.isdigit() else None


def _moment(text: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(text) if text else None
    except ValueError:
        return None
