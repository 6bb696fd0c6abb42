"""The official SDK and FastMCP as contenders: their servers alone, without the transport that calls come by.

So they read no event, no HTTP and no JSON-RPC, which every other contender does. They are in processes of
their own, because they set up logging for everybody in theirs.
"""

import asyncio
import importlib
import json
from collections.abc import Callable
from functools import partial
from inspect import Parameter, Signature
from typing import Annotated, Any

from pydantic import Field

from tests.bench import workload
from tests.bench.worker import Task, serve
from tests.bench.workload import RECEIPT, ToolSpec

Server = Any
"""The packages are missing where types are checked."""


def tasks() -> dict[str, Task]:
    loop = asyncio.new_event_loop()
    official = importlib.import_module("mcp.server").MCPServer("bench")
    fast = importlib.import_module("fastmcp").FastMCP("bench")
    for spec in workload.tool_specs():
        official.add_tool(_function(spec))
        fast.tool(_function(spec))
    tool = workload.called_tool()
    found: dict[str, Task] = {}
    for name, server in (("mcp", official), ("fastmcp", fast)):
        call = partial(server.call_tool, tool.name, tool.arguments)
        _require_right(loop.run_until_complete(call()))
        found[f"call-{name}"] = _in(loop, call)
        listed = server.list_tools
        workload.require(len(loop.run_until_complete(listed())) == workload.TOOL_COUNT, name)
        found[f"list-{name}"] = _in(loop, listed)
    return found


def _in(loop: asyncio.AbstractEventLoop, call: Callable[[], Any]) -> Task:
    return lambda: loop.run_until_complete(call())


def _function(spec: ToolSpec) -> Any:
    async def tool(**arguments: Any) -> dict[str, Any]:
        return RECEIPT | {"title": arguments["title"], "labelIds": arguments["labelIds"]}

    tool.__name__ = spec.name
    tool.__doc__ = spec.description
    hints = {
        item.wire_name: Annotated[item.kind, Field(description=item.description, max_length=item.max_length)]
        for item in spec.parameters
    }
    tool.__annotations__ = {**hints, "return": dict[str, Any]}
    given = [Parameter(name, Parameter.KEYWORD_ONLY, annotation=hint) for name, hint in hints.items()]
    tool.__signature__ = Signature(given, return_annotation=dict[str, Any])  # type: ignore[attr-defined]  # inspect reads it
    return tool


def _require_right(answer: Any) -> None:
    workload.require(json.loads(answer.content[0].text) == RECEIPT, answer)


if __name__ == "__main__":
    serve(tasks())
