"""How generated JSON is laid out: short enough to keep, and in lines that a diff can point at."""

import json
from collections.abc import Iterable, Iterator


def laid_out(value: object, width: int, *, packed: bool = False, indent: str = "") -> str:
    """JSON in which whatever fits on a line is on one; packed, it shares the line with what else fits."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + len(flat) <= width:
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        opening, closing = "{", "}"
        named = ((f"{json.dumps(name)}: ", child) for name, child in value.items())
    else:
        opening, closing = "[", "]"
        named = (("", child) for child in value)
    parts: Iterable[str] = (
        name + laid_out(child, width, packed=packed, indent=inner) for name, child in named
    )
    lines = f",\n{inner}".join(_shared(parts, width - len(inner)) if packed else parts)
    return f"{opening}\n{inner}{lines}\n{indent}{closing}"


def _shared(parts: Iterable[str], width: int) -> Iterator[str]:
    line = ""
    for part in parts:
        together = f"{line}, {part}"
        if line and "\n" not in together and len(together) < width:
            line = together
            continue
        if line:
            yield line
        line = part
    yield line
