"""The OpenAI Agents SDK."""

import asyncio
import json
import os

from agents.mcp import MCPServerStreamableHttp


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    async with MCPServerStreamableHttp({"url": os.environ["FORGE_URL"], "headers": headers}) as server:
        listed = await server.list_tools()
        called = await server.call_tool("agents_me", {})
    print(json.dumps({"tools": [tool.name for tool in listed], "answer": called.content[0].text}))


asyncio.run(main())
