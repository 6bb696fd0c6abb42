"""FastMCP's client."""

import asyncio
import json
import os

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    async with Client(StreamableHttpTransport(os.environ["FORGE_URL"], headers=headers)) as client:
        listed = await client.list_tools()
        called = await client.call_tool("agents_me", {})
    print(json.dumps({"tools": [tool.name for tool in listed], "answer": called.content[0].text}))


asyncio.run(main())
