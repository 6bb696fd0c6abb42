"""Globs for paths: `**` crosses folders, `*` and `?` do not, and there are classes and alternatives."""

import re

_PART = re.compile(r"\*\*/|/\*\*$|\*\*|\*|\?|\[[!^]?\]?[^\]]*\]|\{[^{}]*\}|[^*?\[{]+|[\[{]")


class InvalidGlob(ValueError):
    """A bracket without its other half, or an alternative within another."""


def glob_pattern(glob: str) -> re.Pattern[str]:
    """Matches whole paths."""
    return re.compile(_translated(glob), re.DOTALL)


def _translated(glob: str) -> str:
    return "".join(_part(part, glob) for part in _PART.findall(glob))


def _part(part: str, glob: str) -> str:
    if part in _WILD:
        return _WILD[part]
    if part in ("[", "{"):
        raise InvalidGlob(f"{glob!r}: {part} is never closed")
    if part[0] == "{":
        return f"(?:{'|'.join(_translated(one) for one in part[1:-1].split(','))})"
    if part[0] == "[":
        return _class(part, glob)
    if "]" in part or "}" in part:
        raise InvalidGlob(f"{glob!r}: a bracket is never opened")
    return re.escape(part)


def _class(part: str, glob: str) -> str:
    inner = part[1:-1]
    is_negated = inner[:1] in ("!", "^")
    members = (inner[1:] if is_negated else inner).replace("\\", "\\\\").replace("[", "\\[")
    if not members:
        raise InvalidGlob(f"{glob!r}: an empty class")
    # No class holds a slash: folders are crossed by ** alone.
    pattern = f"(?!/)[{'^' if is_negated else ''}{members}]"
    try:
        re.compile(pattern)
    except re.error as error:
        raise InvalidGlob(f"{glob!r}: {error}") from None
    return pattern


_WILD = {"**/": "(?:[^/]+/)*", "/**": "/.+", "**": ".*", "*": "[^/]*", "?": "[^/]"}
