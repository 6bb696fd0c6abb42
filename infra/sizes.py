"""Fails when a source file or a function has grown beyond what a reader can hold in mind."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40
KINDS = ("*.py", "*.js", "*.mjs", "*.css")
COPIED = "shared/forge/console/vendor/"
"""What others wrote, as they publish it."""

_SCRIPTED = re.compile(r"^(?:export )?(?:async )?function (?P<name>\w+)\(.*?^}", re.MULTILINE | re.DOTALL)
"""A function of a script, as it is formatted: it ends with the first brace at the margin."""


def main() -> int:
    """Of the files that are named, or of all."""
    files = [Path(name) for name in sys.argv[1:] or _all_files() if Path(name).exists()]
    problems = [problem for file in files for problem in problems_of(file)]
    print("\n".join(problems) or f"sizes: {len(files)} files within {MAX_FILE_LINES} lines")
    return 1 if problems else 0


def _all_files() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *KINDS],
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.split() if not name.startswith(COPIED)]


def problems_of(file: Path) -> Iterator[str]:
    text = file.read_text(encoding="utf-8")
    lines = text.count("\n")
    if lines > MAX_FILE_LINES:
        yield f"{file}: {lines} lines, more than {MAX_FILE_LINES}"
    for name, line, length in _functions_in(text) if file.suffix == ".py" else _scripted_in(text):
        if length > MAX_FUNCTION_LINES:
            yield f"{file}:{line}: {name} has {length} lines, more than {MAX_FUNCTION_LINES}"


def _functions_in(text: str) -> Iterator[tuple[str, int, int]]:
    """Name, first line and length."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1


def _scripted_in(text: str) -> Iterator[tuple[str, int, int]]:
    for found in _SCRIPTED.finditer(text):
        yield found["name"], text[: found.start()].count("\n") + 1, found[0].count("\n") + 1


if __name__ == "__main__":
    sys.exit(main())
