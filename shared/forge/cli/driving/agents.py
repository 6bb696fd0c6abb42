"""Agents with a command line: how each is started without anybody at it, and what it says when it is done."""

import json
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

ALLOWED = ("Read", "Edit", "Write", "Glob", "Grep", "Bash")
"""What Claude Code may do unasked: with nobody there to ask, all else is refused."""

_LAST_WORDS = 2_000


class Work(NamedTuple):
    """What an agent wrote, and what it took; `cost_usd` is None where it does not say."""

    text: str
    tokens: int = 0
    cost_usd: float | None = None


class AgentFailed(Exception):
    """It ended with an error, and said why."""


def command_of(agent: str, allowed: Sequence[str] = ALLOWED) -> list[str]:
    """`claude`, `codex`, or any command that takes its prompt on standard input."""
    words = shlex.split(agent)
    if words == ["claude"]:
        return [
            "claude",
            "-p",
            "--output-format",
            "json",
            "--permission-mode",
            "dontAsk",
            "--allowedTools",
            *allowed,
        ]
    if words == ["codex"]:
        return ["codex", "exec", "--json", "--skip-git-repo-check", "-s", "workspace-write", "-"]
    return words


def run(command: Sequence[str], prompt: str) -> Work:
    """In a group of its own, so that nothing of it is left when somebody stops this program."""
    with subprocess.Popen(  # noqa: S603  # what its owner typed
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as agent:
        try:
            said, complained = agent.communicate(prompt)
        except BaseException:
            _end(agent)
            raise
    if agent.returncode:
        why = (complained.strip() or said.strip())[-_LAST_WORDS:]
        raise AgentFailed(f"{shlex.join(command[:2])} ended with {agent.returncode}: {why}")
    return read_output(said)


def read_output(said: str) -> Work:
    """Plain text, Claude Code's result, or the events of Codex, one a line."""
    events = [*_events(said)]
    if not events:
        return Work(said)
    result = next((one for one in reversed(events) if one.get("type") == "result"), None)
    if result is not None:
        if result.get("is_error"):
            raise AgentFailed(str(result.get("result") or result.get("subtype")))
        return Work(
            str(result.get("result") or ""), _tokens(result.get("usage")), result.get("total_cost_usd")
        )
    items = (one.get("item") for one in events)
    texts = [
        str(item["text"]) for item in items if isinstance(item, dict) and item.get("type") == "agent_message"
    ]
    turns = [one for one in events if one.get("type") == "turn.completed"]
    return Work(texts[-1] if texts else said, _tokens(turns[-1].get("usage")) if turns else 0)


def _events(said: str) -> Iterator[dict[str, Any]]:
    for line in said.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            return
        if isinstance(event, dict) and "type" in event:
            yield event


def _tokens(usage: object) -> int:
    """In and out, what was cached included; Codex counts that within what went in."""
    if not isinstance(usage, dict):
        return 0
    counted = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    return sum(value for name in counted if isinstance(value := usage.get(name), int))


def _end(agent: subprocess.Popen[str]) -> None:
    import os
    import signal

    try:
        os.killpg(agent.pid, signal.SIGTERM)
        agent.wait(5)
    except (ProcessLookupError, subprocess.TimeoutExpired):
        agent.kill()
