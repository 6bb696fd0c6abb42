"""The official Python SDK, as it was before its second edition."""

import asyncio
import json
import os

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    async with (
        streamablehttp_client(os.environ["FORGE_URL"], headers=headers) as (reading, writing, _),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        listed = await session.list_tools()
        called = await session.call_tool("agents_me", {})
    print(json.dumps({"tools": [tool.name for tool in listed.tools], "answer": called.content[0].text}))


asyncio.run(main())
