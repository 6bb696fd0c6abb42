"""LangChain, by its MCP adapters."""

import asyncio
import json
import os

from langchain_mcp_adapters.client import MultiServerMCPClient


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    server = {"transport": "streamable_http", "url": os.environ["FORGE_URL"], "headers": headers}
    tools = await MultiServerMCPClient({"forge": server}).get_tools()
    named = {tool.name: tool for tool in tools}
    answer = await named["agents_me"].ainvoke({})
    print(json.dumps({"tools": [*named], "answer": str(answer)}))


asyncio.run(main())
