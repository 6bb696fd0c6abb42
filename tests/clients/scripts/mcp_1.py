"""The official Python SDK, as it was before its second edition."""

import asyncio
import json
import os

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from pydantic import AnyUrl


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    async with (
        streamablehttp_client(os.environ["FORGE_URL"], headers=headers) as (reading, writing, _),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        listed = await session.list_tools()
        called = await session.call_tool("agents_me", {})
        prompts = await session.list_prompts()
        prompt = await session.get_prompt("start_work", {"issue": "DEMO-12"})
        templates = await session.list_resource_templates()
        resource = await session.read_resource(AnyUrl("forge://workspace"))
    seen = {
        "tools": [tool.name for tool in listed.tools],
        "answer": called.content[0].text,
        "prompts": [one.name for one in prompts.prompts],
        "prompt": prompt.messages[0].content.text,
        "templates": [one.uriTemplate for one in templates.resourceTemplates],
        "resource": resource.contents[0].text,
    }
    print(json.dumps(seen))


asyncio.run(main())
