"""Writes docs/benchmarks.md: what was measured, when, on which machine, and beside which versions."""

import json
import os
import platform
import subprocess
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from forge import __version__
from forge.clock import system_now
from tests.bench.rows import Row

_PEERS = ("awslabs.mcp-lambda-handler", "boto3", "fastapi", "fastmcp", "mangum", "mcp", "pydantic", "uvicorn")
_OURS = ("httptools", "ministack", "pydantic", "uvicorn", "uvloop")
_ASK = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"

_HEAD = """<!-- Written by `make bench`; run it instead of editing. -->
# Benchmarks

Both sides run in turns in one run, and the best round of each counts. Absolute numbers tell about the
machine, ratios about the code: a ratio is our cost by the peer's, so that below one is cheaper. What each row
does is in [tests/bench](../tests/bench).
"""
_MACHINE = """
For one machine, eight clients with kept connections ask `forge dev`, and then a FastAPI server on SQLite that
answers the same calls without rates, scopes, modes, idempotency, webhooks or runs; ratios are its calls a
second by ours. A webhook hears of each new issue, and of nothing else: one that hears of every event takes
from what is served, see [0047](decisions/0047-one-machine-keeps-up.md). A burst is settled when its last
issue is found by a word of its description and was posted. These figures are the best of two rounds, each by
itself, and differ much from run to run.
"""
_GROWTH = """
## Growth

Requests of one call, authentication apart, and the rows that they read, with ten log rows for each issue:
`make growth`.
"""


def write(file: Path, rows: Iterable[Row], *, peer_python: str, growth: Path | None) -> None:
    parts = [_HEAD, _circumstances(peer_python), _measured(rows), _MACHINE]
    if growth is not None and growth.exists():
        parts += [_GROWTH, _grown(json.loads(growth.read_text(encoding="utf-8")))]
    file.write_text("".join(parts), encoding="utf-8")


def _circumstances(peer_python: str) -> str:
    told = subprocess.run([peer_python, "-c", _ASK, *_PEERS], capture_output=True, text=True, check=True)
    peers = zip(_PEERS, told.stdout.split(), strict=True)
    lines = [
        ("date", f"{system_now():%Y-%m-%d}"),
        ("machine", f"{os.cpu_count()} cores, {platform.machine()}, {_processor()}, {platform.system()}"),
        ("Python", platform.python_version()),
        ("Forge", ", ".join([__version__, *(f"{name} {version(name)}" for name in _OURS)])),
        ("peers", ", ".join(f"{name} {number}" for name, number in peers)),
    ]
    return "\n" + _table(("what", "which"), lines)


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown processor"
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else "unknown processor"


def _measured(rows: Iterable[Row]) -> str:
    return "\n" + _table(("what", "ours", "peer", "ratio", "budget", ""), [row.cells() for row in rows])


def _grown(found: dict[str, dict[str, list[int]]]) -> str:
    names = [*next(iter(found.values()))]
    lines = [
        (
            name,
            *(
                f"{reads} + {writes} ({rows:,})"
                for reads, writes, rows in (calls[name] for calls in found.values())
            ),
        )
        for name in names
    ]
    return "\n" + _table(("reads + writes (rows)", *(f"{int(size):,} issues" for size in found)), lines)


def _table(head: tuple[str, ...], lines: Iterable[tuple[str, ...]]) -> str:
    cells = [head, ("---",) * len(head), *lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)
