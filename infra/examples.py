"""Calls of the tools, their answers and what they write, as the contract tests recorded them."""

import json
from pathlib import Path

from infra.layout import laid_out

CALLS = Path(__file__).parent.parent / "docs" / "examples" / "calls"
WRITES = CALLS.parent / "writes.json"
_WIDTH = 100


def recorded_example(tool_name: str) -> tuple[str, str] | None:
    """The arguments of a call and what it answered; None until it was recorded."""
    file = CALLS / f"{tool_name}.json"
    if not file.exists():
        return None
    example = json.loads(file.read_text(encoding="utf-8"))
    arguments, answer = (laid_out(example[part], _WIDTH, packed=True) for part in ("arguments", "answer"))
    return arguments, answer


def recorded_writes() -> dict[str, list[str]]:
    """By each tool that changes something, what kinds of items its call wrote."""
    text = WRITES.read_text(encoding="utf-8") if WRITES.exists() else "{}"
    return {tool: names.split() for tool, names in json.loads(text).items()}
