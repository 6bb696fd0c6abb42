"""Fails when a source file or a function has grown beyond what a reader can hold in mind."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    files = [Path(name) for name in listed.stdout.split() if Path(name).exists()]
    problems = [problem for file in files for problem in problems_of(file)]
    print("\n".join(problems) or f"sizes: {len(files)} files within {MAX_FILE_LINES} lines")
    return 1 if problems else 0


def problems_of(file: Path) -> Iterator[str]:
    text = file.read_text(encoding="utf-8")
    lines = text.count("\n")
    if lines > MAX_FILE_LINES:
        yield f"{file}: {lines} lines, more than {MAX_FILE_LINES}"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION_LINES:
                yield f"{file}:{node.lineno}: {node.name} has {length} lines, more than {MAX_FUNCTION_LINES}"


if __name__ == "__main__":
    sys.exit(main())
