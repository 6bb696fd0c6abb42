"""Calls of the tools, their answers and what they write, as the contract tests recorded them."""

import json
from pathlib import Path

CALLS = Path(__file__).parent.parent / "docs" / "examples" / "calls"
WRITES = CALLS.parent / "writes.json"
_WIDTH = 100


def recorded_example(tool_name: str) -> tuple[str, str] | None:
    """The arguments of a call and what it answered; None until it was recorded."""
    file = CALLS / f"{tool_name}.json"
    if not file.exists():
        return None
    example = json.loads(file.read_text(encoding="utf-8"))
    return laid_out(example["arguments"]), laid_out(example["answer"])


def recorded_writes() -> dict[str, list[str]]:
    """By each tool that changes something, what kinds of items its call wrote."""
    text = WRITES.read_text(encoding="utf-8") if WRITES.exists() else "{}"
    return {tool: names.split() for tool, names in json.loads(text).items()}


def laid_out(value: object, indent: str = "") -> str:
    """JSON in which whatever fits on a line is on one: short to read, and still easy to follow."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + len(flat) <= _WIDTH:
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {laid_out(child, inner)}" for name, child in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [laid_out(child, inner) for child in value]
        opening, closing = "[", "]"
    lines = f",\n{inner}".join(parts)
    return f"{opening}\n{inner}{lines}\n{indent}{closing}"
