"""LiteLLM: MCP tools as those of an OpenAI model, and back."""

import asyncio
import json
import os

import httpx2
from litellm import experimental_mcp_client
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        streamable_http_client(os.environ["FORGE_URL"], http_client=http) as (reading, writing),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        tools = await experimental_mcp_client.load_mcp_tools(session=session, format="openai")
        call = {"id": "call-1", "type": "function", "function": {"name": "agents_me", "arguments": "{}"}}
        called = await experimental_mcp_client.call_openai_tool(session=session, openai_tool=call)
    names = [tool["function"]["name"] for tool in tools]
    print(json.dumps({"tools": names, "answer": called.content[0].text}))


asyncio.run(main())
