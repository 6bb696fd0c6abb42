"""The catalog's tools."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import FullList, Rendered
from forge.contract.tools import Namespace
from forge.errors import InvalidInput
from functions.catalog import rules
from functions.catalog.models import (
    CallTool,
    DescribeTools,
    FoundTool,
    SearchTools,
    ToolDescription,
)

namespace = Namespace("catalog", "Find, read and call any tool.", reads=[], writes=[])


@namespace.reads(
    costs=Cost(),
    asks=["which tool do I need", "what can I do here", "is there something for this"],
)
def search(request: SearchTools, ctx: Context) -> FullList[FoundTool]:
    """Find tools by what they do, best first; then use catalog.describe and catalog.call.

    Example: {"query": "link two issues"}
    """
    spelling = ctx.catalog.spelling(canonical_names=ctx.call.canonical_names)
    hits = rules.search(ctx.catalog, request.query, ctx.caller.scopes)[: request.limit]
    return FullList[FoundTool](
        data=[
            FoundTool(
                name=spelling.name(tool.name), description=spelling.text(rules.summary(tool)), score=score
            )
            for tool, score in hits
        ]
    )


@namespace.reads(
    costs=Cost(),
    asks=["how is this tool called", "what arguments does it need", "help with a tool", "usage of a tool"],
)
def describe(request: DescribeTools, ctx: Context) -> FullList[ToolDescription]:
    """Show the full description, input schema, scopes and effect of tools you name.

    Example: {"names": ["workspace.get"]}
    """
    spelling = ctx.catalog.spelling(canonical_names=ctx.call.canonical_names)
    tools = [ctx.catalog.get(name) for name in request.names]
    return FullList[ToolDescription](
        data=[
            ToolDescription(
                name=spelling.name(tool.name),
                description=spelling.text(tool.description),
                input_schema=spelling.published(tool.input_schema),
                scopes=list(tool.scopes),
                effect=tool.effect,
            )
            for tool in tools
        ]
    )


@namespace.writes(
    unscoped_because="The scopes of the tool that it calls apply.",
    for_runs=True,
    costs=Cost(),
    asks=["use a tool my list does not show", "run any tool by its name"],
)
def call(request: CallTool, ctx: Context) -> Rendered:
    """Call any tool by name and return its own answer.

    Its scopes and rules apply as if it was called directly.
    Example: {"name": "workspace.get", "arguments": {}}
    """
    tool = ctx.catalog.get(request.name)
    if tool.name == call.name:
        raise InvalidInput(
            "catalog.call can't call itself.", issues={"name": "Name the tool you want to run."}
        )
    return Rendered(ctx.call_tool(tool.name, request.arguments))
