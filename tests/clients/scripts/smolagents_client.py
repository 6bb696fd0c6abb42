"""smolagents."""

import json
import os

from smolagents import ToolCollection

headers = {"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"}
server = {"url": os.environ["FORGE_URL"], "transport": "streamable-http", "headers": headers}
with ToolCollection.from_mcp(server, trust_remote_code=True, structured_output=False) as collection:
    named = {tool.name: tool for tool in collection.tools}
    answer = str(named["agents_me"]())
print(json.dumps({"tools": [*named], "answer": answer}))
