"""A model that knows nothing but the prompt `pipeline`, and its agents, over the official client."""

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from forge.wire.paths import RPC_PATH

Body = dict[str, Any]

USUAL = {
    "design.md": "# Design\n\n## Approach\n\nA queue.\n",
    "review-design.md": "## Verdict: APPROVE\n",
    "review-tasks.md": "## Verdict: APPROVE\n",
}
_LINE = re.compile(r"pipeline_get_prompt with (\{.*?\}), do what it says")
_FILES = re.compile(r"^- \.specs/[^/]+/(\S+)$", re.MULTILINE)


class Stopped(Exception):
    """The model's session ended in the middle of something."""


@asynccontextmanager
async def connected(url: str, key: str) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, trust_env=False) as http:
        transport = streamable_http_client(f"{url}{RPC_PATH}?profile=pipeline", http_client=http)
        async with Client(transport) as client:
            yield client


class Model:
    """Does what the prompt says, with the tools that it names. All that it reads and writes is counted."""

    def __init__(self, client: Client, agents: "Agents", person: Callable[[Body], Body]) -> None:
        self._client = client
        self._agents = agents
        self._person = person
        self._told = ""
        self.characters = 0
        self.did: list[str] = []
        self.stops_before: str | None = None

    async def take(self, name: str, **arguments: str) -> None:
        got = await self._client.get_prompt(name, arguments)
        self._told = str(getattr(got.messages[0].content, "text", ""))
        self.characters += len(self._told)

    async def call(self, tool: str, arguments: Body) -> Body:
        assert tool in self._told, f"the prompt does not say that there is {tool}"
        result = await self._client.call_tool(tool, arguments)
        text = str(getattr(result.content[0], "text", ""))
        self.characters += len(json.dumps(arguments)) + len(text)
        assert not result.is_error, text
        return dict(json.loads(text))

    async def begin(self, request: str, effort: str) -> str:
        found = await self.call("pipeline_init", {"arguments": request, "current_branch": "main"})
        known = {"workspace": found["workspace"], "flags": found["flags"], "task_text": found["task_text"]}
        asked = (await self.call("pipeline_init_with_context", known))["needs_user_confirmation"]
        confirmed = {"effort": effort, "enriched_request_body": asked["enriched_request_body"]}
        if asked.get("needs_workspace_slug"):
            confirmed["workspace_slug"] = "login page"
        return str(
            (await self.call("pipeline_init_with_context", known | {"user_confirmation": confirmed}))[
                "workspace"
            ]
        )

    async def loop(self, workspace: str) -> str:
        due = {"workspace": workspace, "prompt": False}
        said: Body = {}
        for _ in range(60):
            action = await self.call("pipeline_next_action", due | said)
            self.did.append(_line_of(action))
            if self.did[-1] == self.stops_before:
                raise Stopped
            said = await self._carry_out(action)
            if action["type"] == "done":
                return str(action["summary"])
        raise AssertionError(self.did)

    async def _carry_out(self, action: Body) -> Body:
        done = {"previous_action_complete": True, "previous_action_id": action.get("action_id")}
        match action["type"]:
            case "spawn_agent":
                shares = action.get("parallel_tasks") or [action]
                async with anyio.create_task_group() as together:
                    for share in shares:
                        together.start_soon(self._agents.start, share["prompt"])
                return done | {"previous_tokens": 100}
            case "exec" | "write_file":
                return done
            case "checkpoint" | "human_gate":
                return await anyio.to_thread.run_sync(self._person, action)
            case _:
                return {}


class Agents:
    """Each is started with one line, and gets the rest from the server."""

    def __init__(self, url: str, key: str, texts: dict[str, list[str]]) -> None:
        self._url, self._key = url, key
        self._texts = texts
        self.prompts: dict[str, str] = {}
        self.at_once = self._now = 0

    async def start(self, line: str) -> None:
        self._now += 1
        self.at_once = max(self.at_once, self._now)
        asked = _LINE.search(line)
        assert asked, line
        async with connected(self._url, self._key) as client:
            told = await self._call(client, "pipeline_get_prompt", json.loads(asked[1]))
            file, workspace = told["output_file"], json.loads(asked[1])["workspace"]
            self.prompts[file] = told["prompt"]
            for name in _FILES.findall(told["prompt"].partition("## Output File")[0]):
                await client.call_tool("pipeline_get_artifact", {"workspace": workspace, "name": name})
            text = self._texts.get(file) or [USUAL.get(file, _usual(file))]
            put = {
                "workspace": workspace,
                "name": file,
                "content": text[0] if len(text) == 1 else text.pop(0),
            }
            await self._call(client, "pipeline_put_artifact", put)
        self._now -= 1

    async def _call(self, client: Client, tool: str, arguments: Body) -> Body:
        result = await client.call_tool(tool, arguments)
        text = str(getattr(result.content[0], "text", ""))
        assert not result.is_error, text
        return dict(json.loads(text))


def _usual(file: str) -> str:
    return "## Verdict: PASS\n" if file.startswith("review-") else f"## {file}\n\n" + "What was done. " * 100


def _line_of(action: Body) -> str:
    tasks = [one["id"] for one in action.get("parallel_tasks", ())]
    what = action.get("agent") or action.get("name") or ""
    return f"{action['type']} {what}".strip() + (f" {','.join(tasks)}" if tasks else "")
