"""Codex without a terminal: `codex exec --json`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from forge.cli.worker.agents.lines import LineAgent, object_in
from forge.cli.worker.agents.protocol import (
    RUN_KEY,
    SERVER,
    Began,
    Counted,
    Did,
    End,
    Event,
    Order,
    Outcome,
    Said,
)
from forge.cli.worker.limits import Usage

VARIABLES = frozenset({"OPENAI_API_KEY", "CODEX_API_KEY", "OPENAI_BASE_URL"})
_CONFIG = "codex"
_LONGEST_DETAIL = 500
_NO_SESSION = ("no rollout found", "not found", "already has an active writer")


def codex_agent(program: str = "codex", more: tuple[str, ...] = ()) -> LineAgent:
    """`more` are words for its command, such as `-c model_provider=…`."""
    return LineAgent(
        "codex",
        program,
        VARIABLES,
        lambda: Codex(program, more),
        credentials=[(".codex/auth.json", f"{_CONFIG}/auth.json")],
    )


class Codex:
    def __init__(self, program: str = "codex", more: tuple[str, ...] = ()) -> None:
        self._program = program
        self._more = more
        self._text = ""
        self._failure = ""
        self._is_over = False
        self._turns = 0

    def command(self, order: Order) -> list[str]:
        words = [self._program, "exec"]
        words += ["resume", order.session] if order.is_resumed else ["-C", str(order.worktree)]
        words += ["--json", "--skip-git-repo-check"]
        words += ["-m", order.model] if order.model else []
        settings = [
            'sandbox_mode="workspace-write"',
            "sandbox_workspace_write.network_access=true",
            'shell_environment_policy.exclude=["FORGE_*","*_KEY","*_TOKEN"]',
        ]
        if order.mcp:
            url = json.dumps(order.mcp.url)
            known = f'url={url},bearer_token_env_var="{RUN_KEY}",required=true'
            settings.append(f"mcp_servers.{SERVER}={{{known}}}")
        words += [word for one in settings for word in ("-c", one)]
        return [*words, *self._more, "-"]

    def environment(self, order: Order) -> Mapping[str, str]:
        home = order.home / _CONFIG
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        return {"CODEX_HOME": str(home)}

    @property
    def is_over(self) -> bool:
        return self._is_over

    def read(self, line: str) -> Iterator[Event]:
        told = object_in(line) or {}
        match told:
            case {"type": "thread.started", "thread_id": str() as session}:
                yield Began(session)
            case {"type": "item.completed", "item": dict() as item}:
                self._turns += 1
                yield from self._item(item)
                yield Counted(turns=self._turns)
            case {"type": "turn.completed"}:
                self._is_over = True
                yield Counted(total=_usage(told.get("usage") or {}), turns=self._turns)
            case {"type": "turn.failed"}:
                self._is_over = True
                self._failure = str((told.get("error") or {}).get("message") or "Its turn failed.")
            case {"type": "error"}:
                yield Did("error", str(told.get("message"))[:_LONGEST_DETAIL])

    def outcome(self, code: int, complaints: str) -> Outcome:
        if self._failure:
            return Outcome(End.FAILED, self._failure)
        if code and not self._is_over:
            is_lost = any(words in complaints for words in _NO_SESSION) and "resume" in complaints.lower()
            return Outcome(End.NO_SESSION if is_lost else End.FAILED, complaints or f"It ended with {code}.")
        return Outcome(End.DONE, self._text)

    def _item(self, item: Mapping[str, Any]) -> Iterator[Event]:
        match item.get("type"):
            case "agent_message":
                self._text = str(item.get("text", ""))
                yield Said(self._text)
            case "command_execution":
                output = str(item.get("aggregated_output", ""))[-_LONGEST_DETAIL:]
                yield Did(str(item.get("command")), f"{item.get('exit_code')} {output}".strip())
            case "mcp_tool_call":
                yield Did(
                    f"{item.get('server')}.{item.get('tool')}", str(item.get("error") or item.get("status"))
                )
            case "reasoning":
                return
            case kind:
                yield Did(str(kind), str(item.get("message") or item.get("changes") or "")[:_LONGEST_DETAIL])


def _usage(told: Mapping[str, Any]) -> Usage:
    """Of the whole thread; what was cached is counted within what went in."""
    return Usage(
        int(told.get("input_tokens") or 0),
        int(told.get("output_tokens") or 0),
        int(told.get("cached_input_tokens") or 0),
    )
