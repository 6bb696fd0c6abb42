"""What is asked of `make invoke`: which function, which event, as whom, and of which running Forge."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from forge.cli import function_variables
from forge.cli.calls import default_connection
from forge.contract.names import closest
from forge.wire.paths import HEALTH_PATH
from infra.events import EXAMPLE_KEY

ROOT = Path(__file__).parents[2]
EVENTS = ROOT / "docs" / "examples" / "events"
_HEALTH_SECONDS = 5


class CannotBeAsked(Exception):
    """The message says what to type or to start instead."""


@dataclass(frozen=True, slots=True)
class Invocation:
    folder: str
    event: dict[str, Any]
    variables: dict[str, str]
    """As a process on this machine sees them."""
    home: Path


def invocation_of(folder: str, event: str, *, name: str, home: Path) -> Invocation:
    """All of it, or what is wrong: with what was typed first, because that needs nothing to run."""
    if folder not in _folders():
        like = _meant(folder, _folders())
        raise CannotBeAsked(f"There is no function {folder!r}.{like} Say FN=<a folder of functions/>.")
    text = _text_of(event or str(EVENTS / f"{folder}.json"))
    variables = _variables_of(home)
    return Invocation(folder, _event_in(text, home, name), variables, home)


def _folders() -> list[str]:
    return sorted(file.parent.name for file in (ROOT / "functions").glob("*/app.py"))


def _text_of(event: str) -> str:
    try:
        return Path(event).read_text(encoding="utf-8")
    except (OSError, ValueError) as problem:
        examples = [str(file.relative_to(ROOT)) for file in sorted(EVENTS.glob("*.json"))]
        raise CannotBeAsked(
            f"The event {event} can't be read: {problem}.{_meant(event, examples)} "
            f"Say EVENT=<a JSON file>; {EVENTS.relative_to(ROOT)} has one for each function."
        ) from None


def _variables_of(home: Path) -> dict[str, str]:
    """Those of the Forge that runs from this home now: what a former one wrote leads nowhere."""
    start = f"Start it in another terminal: make dev FORGE_HOME={home}"
    at = default_connection(home)
    if not at.url:
        raise CannotBeAsked(f"No Forge runs from {home}. {start}")
    try:
        answer = httpx.get(f"{at.url}{HEALTH_PATH}", timeout=_HEALTH_SECONDS, trust_env=False)
    except httpx.HTTPError:
        raise CannotBeAsked(f"The Forge of {home} does not answer at {at.url}. {start}") from None
    if answer.status_code != httpx.codes.OK:
        raise CannotBeAsked(f"The Forge of {home} is not well: {answer.text[:300]}")
    try:
        return function_variables.read(home)
    except (OSError, ValueError) as problem:
        raise CannotBeAsked(f"{problem}. Stop `make dev` and start it again, and it is written.") from None


def _event_in(text: str, home: Path, name: str) -> dict[str, Any]:
    """With the key of whoever was named where the example has one that opens nothing."""
    if EXAMPLE_KEY in text:
        key = default_connection(home, name=name).key
        if not key:
            raise CannotBeAsked(
                f"{home / 'dev.json'} has no key of {name!r}. "
                "Say AS=owner, member, readonly, planner, worker or reviewer."
            )
        text = text.replace(EXAMPLE_KEY, key)
    try:
        event = json.loads(text)
    except ValueError as problem:
        raise CannotBeAsked(f"The event is not JSON: {problem}.") from None
    if not isinstance(event, dict):
        raise CannotBeAsked("The event must be a JSON object, as Lambda hands it to a function.")
    return event


def _meant(wanted: str, known: Iterable[str]) -> str:
    found = closest(wanted, known, limit=1)
    return f" Did you mean {found[0]}?" if found else ""
