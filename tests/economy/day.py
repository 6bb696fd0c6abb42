"""An agent's day, step by step: what each is for, the calls that it takes and the tokens that come back."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from forge.wire.paths import RPC_PATH
from tests.integration.cli.dev_process import Dev
from tests.tokens import count_tokens

DESCRIPTION = (
    "People who come back to the settings page after a few minutes are sent to the login form, although they "
    "ticked the box that keeps them signed in. The session cookie is renewed by the API only, and the page "
    "makes no API call before it looks at the cookie. Renew the cookie when the page is served, and keep the "
    "thirty-minute limit for everybody who did not tick the box. The old behaviour of the mobile client must "
    "not change: it sends its token with each request and has no cookie at all. Add a test that waits with a "
    "fake clock, and mention the change in the release notes."
)
"""Of about 120 tokens, as most issues are."""

Read = dict[str, Any]


class Step(NamedTuple):
    what: str
    calls: int
    tokens: int
    most_calls: int
    most_tokens: int | None = None

    @property
    def is_within_limits(self) -> bool:
        within_tokens = self.most_tokens is None or self.tokens <= self.most_tokens
        return within_tokens and self.calls <= self.most_calls


class Agent:
    """An agent at its client: it counts its calls, and what a model would have to read of the answers."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.calls = 0
        self.tokens = 0

    async def list_tools(self) -> None:
        answer = await self._client.list_tools()
        self._count(answer.model_dump_json(by_alias=True, exclude_none=True))

    async def call(self, tool: str, arguments: Read) -> Read:
        answer = await self._client.call_tool(tool, arguments)
        (content,) = answer.content
        if answer.is_error or not isinstance(content, TextContent):
            raise RuntimeError(f"{tool}: {content}")
        self._count(content.text)
        return answer.structured_content or {}

    def _count(self, text: str) -> None:
        self.calls += 1
        self.tokens += count_tokens(text)


async def play(dev: Dev) -> list[Step]:
    """The whole day. Operators prepare it, which costs the agent nothing."""
    key = dev.description["keys"]["agents"]["worker"]
    done = _prepare(dev)
    work: Read = {}

    async def take(agent: Agent) -> None:
        work.update(await agent.call("issues_claim", {"include": "bundle"}))

    async def say_where_one_is(agent: Agent) -> None:
        order = {"issueId": work["claimed"]["id"], "body": "Reproduced. Writing a test."}
        work.update(await agent.call("comments_upsertStatus", order))

    async def report(agent: Agent) -> None:
        await agent.call("runs_complete", _report_on(work["runId"], done))

    async def look_back(agent: Agent) -> None:
        await agent.call("catalog_call", {"name": "events.recent", "arguments": {"limit": 10}})

    return [
        await _step(dev, key, "tools/list", Agent.list_tools, most_tokens=4_000),
        await _step(dev, key, "tools/list of worker", Agent.list_tools, profile="worker", most_tokens=2_000),
        await _step(dev, key, "find, take and know", take, most_tokens=1_100),
        await _step(dev, key, "say where one is", say_where_one_is),
        await _step(dev, key, "report, evidence, cost, close", report),
        await _step(dev, key, "events.recent", look_back, most_tokens=2_500),
    ]


async def _step(
    dev: Dev,
    key: str,
    what: str,
    act: Callable[[Agent], Awaitable[None]],
    *,
    profile: str = "runtime",
    most_tokens: int | None = None,
) -> Step:
    async with _connected(f"{dev.base_url}{RPC_PATH}?profile={profile}", key) as client:
        agent = Agent(client)
        await act(agent)
    return Step(what, agent.calls, agent.tokens, most_calls=1, most_tokens=most_tokens)


@asynccontextmanager
async def _connected(url: str, key: str) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False) as http_client,
        Client(streamable_http_client(url, http_client=http_client)) as client,
    ):
        yield client


def _prepare(dev: Dev) -> str:
    """A queued issue of the usual size with a comment and a relation, among a morning's other events.

    Gives the status that finished work is in, which agents know from their instructions.
    """

    def call(tool: str, arguments: Read) -> Any:
        response = dev.call(tool, arguments, key=dev.owner_key)
        response.raise_for_status()
        return response.json()

    others = [call("issues.create", {"title": f"Ship part {number}"})["id"] for number in range(1, 9)]
    for number, issue_id in enumerate(others):
        call("issues.update", {"id": issue_id, "priority": "LOW", "title": f"Ship the part {number}"})
        call("comments.create", {"issueId": issue_id, "body": "Not before the next release, please."})
    order = {"title": "Keep people signed in on the settings page", "description": DESCRIPTION}
    issue_id = call("issues.create", order | {"priority": "HIGH", "queue": True})["id"]
    call("comments.create", {"issueId": issue_id, "body": "Three customers wrote about this last week."})
    call("relations.add", {"fromIssueId": issue_id, "toIssueId": others[0], "kind": "RELATES_TO"})
    return str(call("statuses.list", {"category": "DONE"})["data"][0]["id"])


def _report_on(run_id: str, done: str) -> Read:
    return {
        "runId": run_id,
        "summary": "The cookie is renewed when the page is served; the mobile client is as it was.",
        "artifact": {"title": "How it was verified", "body": "The new test fails before and passes after."},
        "usage": {"tokensIn": 48_210, "tokensOut": 3_901, "costUsd": 0.27},
        "transitionTo": done,
    }
