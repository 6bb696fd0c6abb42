"""`forge pipeline run`: a person at a terminal, git in a checkout, and an agent with a command line."""

import json
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

import typer

from forge.cli.calls import BadArguments, Connection, out, printable, say, sent, show_text
from forge.cli.driving import agents
from forge.cli.driving.agents import AgentFailed, Work
from forge.cli.driving.orchestrator import Body, Call, Host, Refused, begin, drive

_WAITS = (1, 2, 4, 8)
_MOST_SHOWN = 200


def run(at: Connection, typed: str, agent: str, *, branch: str = "") -> int:
    """From a text, an issue's URL or a workspace to the end of its pipeline."""
    call, host = caller(at), TerminalHost(agents.command_of(agent)).host()
    try:
        workspace = begin(call, host, typed, branch or _git("branch", "--show-current"))
        say(f"{workspace}: to go on with it later, forge pipeline run {workspace}")
        say(printable(drive(call, host, workspace)["summary"]))
    except Refused as refused:
        say(printable(f"{refused.args[0]}: {refused.args[1]}"))
        return 1
    except (AgentFailed, BadArguments) as failed:
        say(printable(f"{failed} The pipeline waits: start this again to go on."))
        return 1
    except KeyboardInterrupt:
        say("Stopped; what was due stays due. Start this again to go on.")
        return 130
    return 0


def caller(at: Connection, pause: Callable[[float], object] = time.sleep) -> Call:
    """What is sent twice counts once: Forge knows it by its key."""

    def call(tool: str, arguments: Body) -> Body:
        once = token_hex()
        for wait in (*_WAITS, None):
            try:
                answer = sent(at, f"/api/mcp/{tool}", arguments, idempotency_key=once)
            except BadArguments:
                if wait is None:
                    raise
            else:
                if answer.is_success:
                    return dict(answer.json())
                if wait is None or (answer.status_code < 500 and answer.status_code != 429):
                    told = _error_in(answer.text)
                    raise Refused(str(told.get("error")), str(told.get("message")))
            pause(wait)
        raise AssertionError("the last try has returned or raised")

    return call


class TerminalHost:
    """Files and commands are of the checkout that it is started in."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._root = Path.cwd().resolve()

    def host(self) -> Host:
        return Host(self._spawn, self._run, self._write, self._ask, self._fetch, show=self._show)

    def _spawn(self, prompt: str, path: str) -> Work:
        """An agent writes its file, or answers with what it would have written."""
        output, began = self._root / path, time.monotonic()
        before = output.stat().st_mtime_ns if output.exists() else None
        work = agents.run(self._command, prompt)
        if output.exists() and output.stat().st_mtime_ns != before:
            work = work._replace(text=output.read_text(encoding="utf-8"))
        cost = f", {work.cost_usd:.2f} USD" if work.cost_usd is not None else ""
        say(f"  {path.rpartition('/')[2]}: {time.monotonic() - began:.0f} s, {work.tokens:,} tokens{cost}")
        return work

    def _run(self, command: list[str]) -> str:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # Forge's own
        return "" if done.returncode == 0 else done.stderr.strip() or f"ended with {done.returncode}"

    def _write(self, path: str, text: str) -> None:
        place = (self._root / path).resolve()
        if not place.is_relative_to(self._root):
            raise BadArguments(f"{path} is not below this folder.")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def _ask(self, question: Body) -> tuple[str, str]:
        """Whoever presses return without a word lets somebody else answer."""
        show_text(question["present_to_user"])
        options = question["options"]
        if len(options) == 1:
            return options[0], typer.prompt("", default="", show_default=False).strip()
        option = typer.prompt(" / ".join(options), default="", show_default=False).strip()
        words = typer.prompt("Anything else", default="", show_default=False).strip() if option else ""
        return option, words

    def _fetch(self, needed: Body) -> Body:
        if "command" not in needed:
            raise BadArguments(f"{needed['instruction']}: here, give the text of the issue instead.")
        done = subprocess.run(needed["command"], capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise BadArguments(f"The issue can't be fetched: {done.stderr.strip()[:_MOST_SHOWN]}")
        named: Mapping[str, str] = needed["response_mapping"]
        return {named.get(name, name): value for name, value in json.loads(done.stdout).items()}

    def _show(self, action: Body) -> None:
        told = action.get("display_message") or action.get("title") or " ".join(action.get("commands", ()))
        out.print(printable(told.splitlines()[0][:_MOST_SHOWN]) if told else "", markup=False)


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.stdout.strip()


def _error_in(text: str) -> Mapping[str, Any]:
    try:
        told = json.loads(text)
    except ValueError:
        told = None
    return told if isinstance(told, dict) else {"error": "unavailable", "message": text[:_MOST_SHOWN]}
