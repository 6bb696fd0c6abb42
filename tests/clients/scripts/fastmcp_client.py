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
        prompts = await client.list_prompts()
        prompt = await client.get_prompt("start_work", {"issue": "DEMO-12"})
        templates = await client.list_resource_templates()
        (resource,) = await client.read_resource("forge://workspace")
    seen = {
        "tools": [tool.name for tool in listed],
        "answer": called.content[0].text,
        "prompts": [one.name for one in prompts],
        "prompt": prompt.messages[0].content.text,
        "templates": [getattr(one, "uriTemplate", None) or one.uri_template for one in templates],
        "resource": resource.text,
    }
    print(json.dumps(seen))


asyncio.run(main())
