"""LlamaIndex."""

import asyncio
import json
import os

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    client = BasicMCPClient(os.environ["FORGE_URL"], headers=headers)
    tools = await McpToolSpec(client=client).to_tool_list_async()
    named = {tool.metadata.name: tool for tool in tools}
    answer = await named["agents_me"].acall()
    print(json.dumps({"tools": [*named], "answer": str(answer)}))


asyncio.run(main())
