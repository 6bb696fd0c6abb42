"""`forge admin` and `forge call`: every tool from a terminal, as the catalog knows it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from forge.cli import exports
from forge.cli.calls import BadArguments, Connection, ending, err, out, post, printable, show_error
from forge.contract.catalog import load_catalog
from forge.contract.catalog_tools import CatalogTool
from forge.contract.names import closest
from forge.contract.terms import Surface
from forge.errors import ErrorCode
from forge.jsontext import BadJson, decode

_WIDE = 10_000


class Door(NamedTuple):
    """A command, and the tools that it calls."""

    command: str
    surface: Surface
    path: str


ADMIN = Door("forge admin", Surface.ADMIN, "/api/admin/")
CALL = Door("forge call", Surface.MCP, "/api/mcp/")


def run(
    door: Door,
    tool_name: str | None,
    words: Sequence[str],
    *,
    at: Connection,
    as_json: bool,
    files: Path | None = None,
) -> int:
    if tool_name is None:
        _list_tools(door)
        return 0
    if files is not None and tool_name != exports.TOOL:
        err.print(f"--files goes with {exports.TOOL} alone.", markup=False)
        return 2
    try:
        tool = _find(door, tool_name)
        if list(words) == ["help"]:
            _show_tool(tool)
            return 0
        arguments = read_arguments(tool, words, door=door)
        if tool.name == exports.TOOL:
            return ending(lambda: exports.run(arguments, at=at, files=files))
        return _call(door, tool, arguments, at=at, as_json=as_json)
    except BadArguments as problem:
        err.print(str(problem), markup=False)
        return 2


def read_arguments(tool: CatalogTool, words: Sequence[str], *, door: Door = ADMIN) -> dict[str, Any]:
    """`name=laptop scopes=READ_ISSUES,WRITE_ISSUES`, or one JSON object."""
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        try:
            whole = decode(words[0])
        except BadJson as problem:
            raise BadArguments(f"This is not JSON: {problem}.") from None
        return dict(whole)
    arguments = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise BadArguments(f"Write name=value instead of {word!r}, or: {door.command} {tool.name} help")
        arguments[name] = _value(tool.input_schema["properties"].get(name, {}), text)
    return arguments


def _value(schema: Mapping[str, Any], text: str) -> Any:
    kind = schema.get("type")
    if text == "null":
        return None
    if kind == "array" and not text.startswith("["):
        return [part for part in text.split(",") if part]
    if kind in ("string", None):
        return text
    try:
        return decode(text)
    except BadJson:
        return text


def _find(door: Door, name: str) -> CatalogTool:
    """By either spelling; who looks behind the other door is told which."""
    offered = load_catalog().on(door.surface)
    known = {one: tool for tool in offered for one in (tool.name, *tool.other_names)}
    if name in known:
        return known[name]
    other = CALL if door is ADMIN else ADMIN
    if any(name in (one.name, *one.other_names) for one in load_catalog().on(other.surface)):
        raise BadArguments(f"{name} is called with: {other.command} {name}")
    suggestions = closest(name, [tool.name for tool in offered]) or [f"{door.command}, which lists them"]
    raise BadArguments(f"There is no tool {name!r}. Try {' or '.join(suggestions)}.")


def _call(
    door: Door, tool: CatalogTool, arguments: Mapping[str, Any], *, at: Connection, as_json: bool
) -> int:
    answer = post(at, f"{door.path}{tool.name}", arguments)
    if as_json:
        out.print_json(json.dumps(answer.body))
    elif answer.is_success:
        _show(answer.body)
    else:
        show_error(answer.body)
        if at.renew is not None and answer.body.get("error") == ErrorCode.SCOPE_REQUIRED:
            err.print(f"Or sign in again, and tick it: forge login {at.url}", markup=False)
    return 0 if answer.is_success else 1


def _show(answer: Any) -> None:
    if answer is None:
        out.print("nothing")
        return
    rows = answer.get("data") if isinstance(answer, dict) else None
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        show_rows(rows, answer.get("nextCursor"))
        return
    _show_fields(answer)


def show_rows(rows: Sequence[Mapping[str, Any]], next_cursor: str | None = None) -> None:
    if not rows:
        out.print("nothing")
        return
    columns = [name for name in rows[0] if any(row.get(name) not in (None, [], "") for row in rows)]
    table = Table(*columns, box=None)
    for row in rows:
        table.add_row(*(_cell(row.get(name)) for name in columns))
    wide = Console(width=_WIDE)
    if Measurement.get(wide, wide.options, table).maximum <= out.width:
        out.print(table)
    else:
        # Cells cut to a few letters help nobody: one row after the other instead.
        for row in rows:
            _show_fields({name: row.get(name) for name in columns})
            out.print()
    if next_cursor:
        out.print(f"more: cursor={next_cursor}", markup=False, soft_wrap=True)


def _show_fields(fields: Mapping[str, Any]) -> None:
    table = Table(show_header=False, box=None)
    for name, value in fields.items():
        table.add_row(f"[bold]{name}[/]", _cell(value))
    out.print(table)


def _cell(value: Any) -> Text:
    """Plain text, whatever people wrote: no markup, no control characters."""
    if value is None:
        return Text("")
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        shown = " ".join(value)
    else:
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Text(printable(shown))


def _list_tools(door: Door) -> None:
    table = Table("tool", "what it does", box=None)
    for tool in load_catalog().on(door.surface):
        table.add_row(tool.name, tool.description.split("\n\n", 1)[0])
    out.print(table)
    out.print(f"\n{door.command} <tool> help shows what a tool takes.", markup=False)


def _show_tool(tool: CatalogTool) -> None:
    out.print(f"{tool.name}: {tool.description}\n", markup=False)
    table = Table("argument", "type", "required", "", box=None)
    required = tool.input_schema.get("required", [])
    for name, schema in tool.input_schema["properties"].items():
        table.add_row(name, _kind(schema), "yes" if name in required else "", _about(schema))
    out.print(table)


def _kind(schema: Mapping[str, Any]) -> str:
    return " | ".join(schema["enum"]) if "enum" in schema else str(schema["type"])


def _about(schema: Mapping[str, Any]) -> Text:
    """What it is for; of a list also what it may hold."""
    known = schema.get("items", {}).get("enum")
    return _cell(" ".join([schema.get("description", ""), *(["Of:", *known] if known else [])]))
