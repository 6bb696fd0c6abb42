"""How generated JSON is laid out: short enough to keep, and in lines that a diff can point at."""

import json


def laid_out(value: object, width: int, indent: str = "") -> str:
    """JSON in which whatever fits on a line is on one."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + len(flat) <= width:
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {laid_out(child, width, inner)}" for name, child in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [laid_out(child, width, inner) for child in value]
        opening, closing = "[", "]"
    lines = f",\n{inner}".join(parts)
    return f"{opening}\n{inner}{lines}\n{indent}{closing}"
