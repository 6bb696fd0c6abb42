"""Calling a Forge from a terminal: where and as whom, and what is shown of its answers."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from rich.console import Console, ConsoleDimensions
from rich.text import Text

_TIMEOUT_SECONDS = 35


class _Terminal(Console):
    """As wide as its owner says now: the library asks for COLUMNS once, when it is imported."""

    @property  # type: ignore[misc]  # the library lets it be set, and nobody here does
    def size(self) -> ConsoleDimensions:
        columns, usual = os.environ.get("COLUMNS", ""), super().size
        return ConsoleDimensions(int(columns), usual.height) if columns.isdigit() else usual


out = _Terminal(highlight=False)
err = _Terminal(stderr=True, highlight=False)


class BadArguments(Exception):
    """What was typed can't be sent; the message says what to type instead."""


class Refused(Exception):
    """The server's answer, which is an error."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        super().__init__(str(answer.get("message")))
        self.answer = answer


class Connection(NamedTuple):
    url: str
    key: str
    renew: Callable[[], str] | None = None
    """Gives the key of a session as it is now: it is another one every while."""


class Answer(NamedTuple):
    is_success: bool
    body: dict[str, Any]


def connection_of(url: str, key: str, home: Path, *, name: str = "owner") -> Connection:
    """What was given, else the Forge that runs from this home; its key goes nowhere but to that one."""
    local = default_connection(home, name=name)
    return Connection(url, key) if url else Connection(local.url, key or local.key)


def default_connection(home: Path, *, name: str = "owner") -> Connection:
    """URL of the Forge that runs from this home, and the key of somebody in it, or nothing."""
    try:
        known = json.loads((home / "dev.json").read_text(encoding="utf-8"))
        keys = {**known["keys"], **known["keys"]["agents"]}
        return Connection(str(known["baseUrl"]), str(keys[name]))
    except (OSError, ValueError, KeyError, TypeError):
        return Connection("", "")


def post(at: Connection, path: str, arguments: Mapping[str, Any]) -> Answer:
    """One call over HTTP; whatever does not answer like a Forge is told so."""
    return answer_of(at, sent(at, path, arguments))


def sent(
    at: Connection, path: str, arguments: Mapping[str, Any], *, idempotency_key: str = ""
) -> httpx.Response:
    """What comes back, whatever it is."""
    once = {"idempotency-key": idempotency_key} if idempotency_key else {}
    if not at.url or not at.key:
        raise BadArguments(
            "Say where and as whom: --url and --key, or FORGE_URL and FORGE_KEY; or sign in with forge login."
        )
    key = at.renew() if at.renew else at.key
    try:
        return httpx.post(
            f"{at.url.rstrip('/')}{path}",
            json=dict(arguments),
            headers={"authorization": f"Bearer {key}"} | once,
            timeout=_TIMEOUT_SECONDS,
        )
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as problem:
        raise BadArguments(f"{at.url} does not answer like a Forge: {problem}") from None


def answer_of(at: Connection, response: httpx.Response) -> Answer:
    try:
        answer = response.json()
    except ValueError as problem:
        raise BadArguments(f"{at.url} does not answer like a Forge: {problem}") from None
    if not isinstance(answer, dict) or (not response.is_success and "error" not in answer):
        raise BadArguments(f"{at.url} does not answer like a Forge.")
    return Answer(response.is_success, answer)


def call_tool(at: Connection, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return _call(at, f"/api/mcp/{tool}", arguments)


def call_admin(at: Connection, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return _call(at, f"/api/admin/{tool}", arguments)


def _call(at: Connection, path: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    answer = post(at, path, arguments)
    if not answer.is_success:
        raise Refused(answer.body)
    return answer.body


def ending(act: Callable[[], None]) -> int:
    """What a command ends with, once it has said what went wrong."""
    try:
        act()
    except BadArguments as problem:
        err.print(printable(str(problem)), markup=False)
        return 2
    except Refused as refused:
        show_error(refused.answer)
        return 1
    return 0


def show_error(answer: Mapping[str, Any]) -> None:
    err.print(printable(f"{answer.get('error')}: {answer.get('message')}"), markup=False)
    for field, problem in (answer.get("issues") or {}).items():
        err.print(printable(f"  {field}: {problem}"), markup=False)
    if answer.get("hint"):
        err.print(printable(str(answer["hint"])), markup=False)


def printable(text: str) -> str:
    """One line of plain text, whatever people and agents wrote: nothing in it commands the terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def harmless(text: str) -> str:
    """The same of several lines."""
    return "\n".join(printable(line) for line in text.split("\n"))


def say(line: str) -> None:
    # As a Text, in which neither markup nor names of emoji mean anything.
    out.print(Text(printable(line)), soft_wrap=True)


def show_text(text: str | None) -> None:
    """What somebody wrote, set off from what this program says."""
    if not text:
        return
    say("")
    for line in text.splitlines():
        say(f"  {line}")
    say("")


def moment(shown: str) -> str:
    """`2026-11-17T05:12:00Z` as people read it."""
    return f"{shown[:10]} {shown[11:16]} UTC"
