"""An agent that speaks ACP, for tests: it follows its prompt's last word."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import acp
from acp.schema import (
    AgentCapabilities,
    Cost,
    InitializeResponse,
    McpCapabilities,
    NewSessionResponse,
    PermissionOption,
    PromptResponse,
    ResumeSessionResponse,
    SessionCapabilities,
    SessionResumeCapabilities,
    ToolCallUpdate,
    UsageUpdate,
)


class Agent:
    """`sys.argv[1]` says what it does: `write`, `ask` (each time), or `die` within its turn."""

    def __init__(self) -> None:
        self._client: Any = None
        self._folder = Path()

    def on_connect(self, client: Any) -> None:
        self._client = client

    async def initialize(self, protocol_version: int, **_: Any) -> InitializeResponse:
        able = AgentCapabilities(
            load_session=False,
            mcp_capabilities=McpCapabilities(http=True),
            session_capabilities=SessionCapabilities(resume=SessionResumeCapabilities()),
        )
        return InitializeResponse(protocol_version=protocol_version, agent_capabilities=able)

    async def new_session(self, cwd: str, **_: Any) -> NewSessionResponse:
        self._folder = Path(cwd)
        return NewSessionResponse(session_id="session-1")

    async def resume_session(self, session_id: str, cwd: str, **_: Any) -> ResumeSessionResponse:
        self._folder = Path(cwd)
        return ResumeSessionResponse()

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> PromptResponse:
        await self._client.session_update(session_id, acp.start_tool_call("call-1", "write hello.txt"))
        match sys.argv[1]:
            case "die":
                sys.exit(3)
            case "ask":
                if await self._is_refused(session_id):
                    return PromptResponse(stop_reason="cancelled")
        (self._folder / "hello.txt").write_text(f"hello {session_id}", encoding="utf-8")
        used = UsageUpdate(
            session_update="usage_update", used=10, size=100, cost=Cost(amount=0.5, currency="USD")
        )
        await self._client.session_update(session_id, used)
        await self._client.session_update(session_id, acp.update_agent_message_text("Wrote it."))
        return PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id: str, **_: Any) -> None:
        """Its turn ends with what it was refused."""

    async def _is_refused(self, session_id: str) -> bool:
        options = [PermissionOption(option_id="yes", name="Yes", kind="allow_once")]
        call = ToolCallUpdate(tool_call_id="call-1", title="rm -rf")
        answer = await self._client.request_permission(session_id=session_id, tool_call=call, options=options)
        return bool(answer.outcome.outcome == "cancelled")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(Agent(), use_unstable_protocol=True))  # type: ignore[arg-type]  # it offers what a worker uses
