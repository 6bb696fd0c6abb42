"""`cmd:<command>`: any program that reads a prompt, and ends with 0 when it is done.

What it prints is its log. Lines that are JSON objects of these types are understood, and may be left out;
usage is in totals so far:

    {"type": "step", "text": …}                      what it is at, for those who watch
    {"type": "session", "id": …}                     given back in FORGE_RESUME when it is started again
    {"type": "usage", "tokensIn": …, "tokensOut": …, "tokensCached": …, "costUsd": …, "turns": …}
    {"type": "ask", "title": …, "body": …}           a question to a person: it ends, and is started with the
                                                     answer
    {"type": "result", "summary": …, …}              what it did, with any other field of runs.complete
"""

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from forge.cli.worker.agents.lines import LineAgent, object_in
from forge.cli.worker.agents.protocol import (
    Began,
    Counted,
    End,
    Event,
    Order,
    Outcome,
    Question,
    Said,
    Stepped,
)
from forge.cli.worker.limits import Usage

RESUME = "FORGE_RESUME"
_REPORTED = ("summary", "verificationResult", "followUps", "confidence", "verdict", "transitionTo")


def command_agent(typed: str) -> LineAgent:
    words = shlex.split(typed)
    return LineAgent("cmd", words[0], frozenset(), lambda: Command(words))


class Command:
    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._said: list[str] = []
        self._question: Question | None = None
        self._report: dict[str, Any] = {}

    def command(self, order: Order) -> list[str]:
        return self._words

    def environment(self, order: Order) -> Mapping[str, str]:
        return {RESUME: order.session} if order.is_resumed and order.session else {}

    @property
    def is_over(self) -> bool:
        return False

    def read(self, line: str) -> Iterator[Event]:
        told = object_in(line) or {}
        match told.get("type"):
            case "step":
                yield Stepped(str(told.get("text", "")))
            case "session":
                yield Began(str(told.get("id", "")))
            case "usage":
                yield Counted(usage_in(told), turns=_number(told.get("turns")))
            case "ask":
                self._question = Question(str(told.get("title", "")), str(told.get("body", "")))
                yield Said(f"Asks: {self._question.title}")
            case "result":
                self._report = {name: told[name] for name in _REPORTED if name in told}
            case _:
                self._said.append(line)
                yield Said(line)

    def outcome(self, code: int, complaints: str) -> Outcome:
        text = str(self._report.get("summary") or "\n".join(self._said[-20:]))
        if code:
            return Outcome(End.FAILED, f"It ended with {code}. {complaints or text}".strip())
        if self._question:
            return Outcome(End.ASKED, text, self._question)
        report = {name: value for name, value in self._report.items() if name != "summary"}
        return Outcome(End.DONE, text, report=report)


def usage_in(told: Mapping[str, Any]) -> Usage:
    cost = told.get("costUsd")
    return Usage(
        _number(told.get("tokensIn")),
        _number(told.get("tokensOut")),
        _number(told.get("tokensCached")),
        float(cost) if isinstance(cost, int | float) else None,
    )


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
