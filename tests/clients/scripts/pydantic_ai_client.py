"""Pydantic AI."""

import asyncio
import json
import os

from pydantic_ai.mcp import MCPToolset


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    async with MCPToolset(os.environ["FORGE_URL"], headers=headers) as server:
        listed = await server.list_tools()
        answer = await server.direct_call_tool("agents_me", {})
    print(json.dumps({"tools": [tool.name for tool in listed], "answer": str(answer)}))


asyncio.run(main())
