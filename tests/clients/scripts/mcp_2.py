"""The official Python SDK, second edition."""

import asyncio
import json
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(os.environ["FORGE_URL"], http_client=http)) as client,
    ):
        listed = await client.list_tools()
        called = await client.call_tool("agents_me", {})
        prompts = await client.list_prompts()
        prompt = await client.get_prompt("start_work", {"issue": "DEMO-12"})
        templates = await client.list_resource_templates()
        resource = await client.read_resource("forge://workspace")
    seen = {
        "tools": [tool.name for tool in listed.tools],
        "answer": called.content[0].text,
        "prompts": [one.name for one in prompts.prompts],
        "prompt": prompt.messages[0].content.text,
        "templates": [one.uri_template for one in templates.resource_templates],
        "resource": resource.contents[0].text,
    }
    print(json.dumps(seen))


asyncio.run(main())
