"""The orchestrator of the guide with a host that follows a script, and a door to call through."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from forge.cli.driving import orchestrator as orchestrator
from forge.cli.driving.agents import Work
from tests.workshop.office import Body, Office

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "pipeline"

APPROVE, PASS = "## Verdict: APPROVE\n", "## Verdict: PASS\n"
REVISE = "## Verdict: REVISE\n\n**1. [CRITICAL] No error handling**\n"
FAIL = "## Verdict: FAIL\n\n**1. [CRITICAL] It does not compile**\n"


class Killed(BaseException):
    """Nobody catches it, as nobody catches the end of a process."""


class Door:
    """Calls of an office's owner, in this process; the change of that number is the last, made or unmade."""

    def __init__(self, office: Office, *, last: int | None = None, is_made: bool = True) -> None:
        self._office = office
        self._last = last
        self._is_made = is_made
        self.changes = 0

    def __call__(self, tool: str, arguments: Body) -> Body:
        is_change = tool in ("pipeline_next_action", "pipeline_put_artifact")
        self.changes += is_change
        is_last = is_change and self.changes == self._last
        if is_last and not self._is_made:
            raise Killed
        answer = self._office.send(tool, arguments)
        body: Body = json.loads(answer.body)
        if is_last:
            raise Killed
        if answer.status != 200:
            raise orchestrator.Refused(body["error"], body["message"])
        return body


class Script:
    """Agents that write what stands here, a shell that only remembers, and a person who knows their lines."""

    def __init__(self, **more: Any) -> None:
        self.texts: dict[str, list[str]] = {}
        """By file, what is written the first time, the second time and so on; the last goes on for ever."""
        self.answers: dict[str, list[tuple[str, str]]] = {}
        """By question; of those that are not here the first option is taken."""
        self.wrote: list[str] = []
        self.prompts: dict[str, list[str]] = {}
        self.ran: list[list[str]] = []
        self.disk: dict[str, str] = {}
        self.asked: list[str] = []
        self.fails: dict[str, str] = {}
        """By the first two words of a command, what goes wrong with it."""
        self.before: dict[str, Callable[[], object]] = {}
        """What happens while a file is being written, by file."""
        self.issue: Body = {}
        self.sleep: Callable[[float], object] = self._no_rest
        self._lock = Lock()
        vars(self).update(more)

    def host(self) -> Any:
        return orchestrator.Host(self._spawn, self._run, self._write, self._ask, self._fetch, self.sleep)

    def _spawn(self, prompt: str, path: str) -> Work:
        file = path.rpartition("/")[2]
        self.before.get(file, lambda: None)()
        with self._lock:
            self.wrote.append(file)
            self.prompts.setdefault(file, []).append(prompt)
            texts = self.texts.get(file, [_usual(file)])
            return Work(texts[min(self.wrote.count(file), len(texts)) - 1], 100)

    def _run(self, command: list[str]) -> str:
        self.ran.append(command)
        return self.fails.get(" ".join(command[:2]), "")

    def _write(self, path: str, text: str) -> None:
        with self._lock:
            self.disk[path.rpartition("/")[2]] = text

    def _ask(self, question: Body) -> tuple[str, str]:
        name = str(question.get("name", "effort"))
        self.asked.append(name)
        lines = self.answers.get(name, [(str(question["options"][0]), "")])
        return lines[min(self.asked.count(name), len(lines)) - 1]

    def _fetch(self, needed: Body) -> Body:
        return {mapped: self.issue[name] for name, mapped in needed["response_mapping"].items()}

    def _no_rest(self, seconds: float) -> None:
        raise AssertionError(f"it was told to wait {seconds} seconds")


def _usual(file: str) -> str:
    if file in ("review-design.md", "review-tasks.md"):
        return APPROVE
    if file.startswith("review-"):
        return PASS
    return "## Task 1: All of it\n" if file == "tasks.md" else f"## What is in {file}\n"
