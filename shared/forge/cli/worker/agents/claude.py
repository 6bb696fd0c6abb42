"""Claude Code without a terminal: `claude -p --output-format stream-json`."""

import uuid
from collections.abc import Iterator, Mapping
from secrets import token_bytes
from typing import Any

from forge.cli.worker.agents.lines import LineAgent, object_in
from forge.cli.worker.agents.protocol import (
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

MCP_FILE = "mcp.json"
ALLOWED = (f"mcp__{SERVER}__*", "Read", "Edit", "Write", "Glob", "Grep", "Bash", "TodoWrite")
"""Without anybody to ask, all else is refused."""
VARIABLES = frozenset(
    {
        *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"),
        *("CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "IS_SANDBOX"),
        *("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "CLAUDE_CODE_MAX_RETRIES", "ENABLE_TOOL_SEARCH"),
    }
)
_CONFIG = "claude"
_LIMITS = {"max_turns", "budget_exhausted"}
_LONGEST_DETAIL = 500


def claude_agent(program: str = "claude") -> LineAgent:
    return LineAgent(
        "claude",
        program,
        VARIABLES,
        lambda: Claude(program),
        lambda: str(uuid.UUID(bytes=token_bytes(16), version=4)),
        [(".claude/.credentials.json", f"{_CONFIG}/.credentials.json")],
    )


class Claude:
    def __init__(self, program: str = "claude") -> None:
        self._program = program
        self._sent: dict[str, Usage] = {}
        """By message, what it took; one comes in several parts."""
        self._message = ""
        self._result: Mapping[str, Any] = {}
        self._failure = ""

    def command(self, order: Order) -> list[str]:
        words = [self._program, "-p", "--output-format", "stream-json", "--verbose"]
        words += ["--include-partial-messages", "--permission-mode", "dontAsk"]
        words += ["--setting-sources", "project" if order.is_trusted else ""]
        words += ["--resume" if order.is_resumed else "--session-id", order.session]
        words += ["--model", order.model] if order.model else []
        if order.mcp:
            words += ["--strict-mcp-config", "--mcp-config", str(order.home / MCP_FILE)]
        words += ["--max-turns", str(order.limits.turns)] if order.limits.turns else []
        words += ["--max-budget-usd", f"{order.limits.usd:.4f}"] if order.limits.usd else []
        return [*words, "--allowedTools", *ALLOWED, *order.allow]

    def environment(self, order: Order) -> Mapping[str, str]:
        return {"CLAUDE_CONFIG_DIR": str(order.home / _CONFIG), "DISABLE_AUTOUPDATER": "1"}

    @property
    def is_over(self) -> bool:
        return bool(self._result)

    def read(self, line: str) -> Iterator[Event]:
        told = object_in(line) or {}
        match told:
            case {"type": "system", "subtype": "init"}:
                yield from self._begin(told)
            case {"type": "system", "subtype": "api_retry"}:
                yield Did("retry", f"{told.get('error_status')}, attempt {told.get('attempt')}")
            case {"type": "system", "subtype": "permission_denied"}:
                yield Did("denied", str(told.get("tool_name")))
            case {"type": "stream_event", "event": dict() as event}:
                yield from self._count(event)
            case {"type": "assistant", "message": dict() as message}:
                yield from _blocks(message.get("content"))
            case {"type": "user", "message": dict() as message}:
                yield from _results(message.get("content"))
            case {"type": "result"}:
                self._result = told
                yield Counted(self._counted(), _total(told), int(told.get("num_turns") or len(self._sent)))

    def outcome(self, code: int, complaints: str) -> Outcome:
        result = self._result
        if not result:
            if "No conversation found" in complaints:
                return Outcome(End.NO_SESSION, complaints)
            return Outcome(
                End.FAILED, self._failure or complaints or f"It ended with {code}, and said nothing."
            )
        text = str(result.get("result") or "")
        if self._failure:
            return Outcome(End.FAILED, self._failure)
        if result.get("terminal_reason") in _LIMITS:
            return Outcome(End.LIMIT, f"It has reached a limit: {result.get('terminal_reason')}.")
        if result.get("is_error"):
            errors = "; ".join(map(str, result.get("errors") or ())) or text or str(result.get("subtype"))
            is_lost = "No conversation found" in errors + complaints
            return Outcome(End.NO_SESSION if is_lost else End.FAILED, errors)
        return Outcome(End.DONE, text)

    def _begin(self, told: Mapping[str, Any]) -> Iterator[Event]:
        yield Began(str(told.get("session_id", "")))
        for server in told.get("mcp_servers") or ():
            if server.get("name") == SERVER and server.get("status") == "failed":
                self._failure = "It could not reach Forge over MCP."

    def _count(self, event: Mapping[str, Any]) -> Iterator[Event]:
        """What a message takes is told when it begins, and what it writes when it ends."""
        match event:
            case {"type": "message_start", "message": dict() as message}:
                self._message = str(message.get("id"))
                self._sent[self._message] = _usage(message.get("usage") or {})._replace(tokens_out=0)
            case {"type": "message_delta", "usage": dict() as usage} if self._message in self._sent:
                written = int(usage.get("output_tokens") or 0)
                self._sent[self._message] = self._sent[self._message]._replace(tokens_out=written)
                yield Counted(self._counted(), turns=len(self._sent))

    def _counted(self) -> Usage:
        total = Usage()
        for one in self._sent.values():
            total = total.plus(one)
        return total


def _blocks(content: object) -> Iterator[Event]:
    for block in content if isinstance(content, list) else ():
        if block.get("type") == "text" and block.get("text"):
            yield Said(str(block["text"]))
        elif block.get("type") == "tool_use":
            yield Did(str(block.get("name")), str(block.get("input"))[:_LONGEST_DETAIL])


def _results(content: object) -> Iterator[Event]:
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_result":
            yield Did("error" if block.get("is_error") else "result", _text(block.get("content")))


def _text(content: object) -> str:
    if isinstance(content, list):
        content = "\n".join(str(one.get("text", "")) for one in content if isinstance(one, dict))
    return str(content or "")[:_LONGEST_DETAIL]


def _usage(told: Mapping[str, Any]) -> Usage:
    cached = int(told.get("cache_read_input_tokens") or 0)
    fresh = int(told.get("input_tokens") or 0) + int(told.get("cache_creation_input_tokens") or 0)
    return Usage(fresh + cached, int(told.get("output_tokens") or 0), cached)


def _total(result: Mapping[str, Any]) -> Usage:
    """Its cost counts all that was spent in the session, its tokens only this stretch."""
    cost = result.get("total_cost_usd")
    return Usage(cost_usd=float(cost) if isinstance(cost, int | float) else None)
