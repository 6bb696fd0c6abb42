"""Google's Agent Development Kit."""

import asyncio
import json
import os

from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    toolset = McpToolset(
        connection_params=StreamableHTTPConnectionParams(url=os.environ["FORGE_URL"], headers=headers)
    )
    tools = {tool.name: tool for tool in await toolset.get_tools()}
    session = await toolset._mcp_session_manager.create_session()
    called = await session.call_tool("agents_me", {})
    print(json.dumps({"tools": [*tools], "answer": called.content[0].text}), flush=True)
    await toolset.close()


asyncio.run(main())
