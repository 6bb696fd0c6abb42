"""mcp-use."""

import asyncio
import json
import os

from mcp_use import MCPClient


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    client = MCPClient({"mcpServers": {"forge": {"url": os.environ["FORGE_URL"], "headers": headers}}})
    session = await client.create_session("forge")
    listed = await session.list_tools()
    called = await session.call_tool("agents_me", {})
    print(json.dumps({"tools": [tool.name for tool in listed], "answer": called.content[0].text}), flush=True)
    await client.close_all_sessions()


asyncio.run(main())
