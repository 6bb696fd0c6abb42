"""Plays an agent's day and prints what it cost; fails when a step costs more than was promised."""

import sys
import tempfile
from functools import partial
from pathlib import Path

import anyio

from tests.economy.day import Step, play
from tests.integration.cli.dev_process import running_dev


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, running_dev(Path(folder) / "home") as dev:
        steps = anyio.run(partial(play, dev))
    for step in steps:
        print(_line(step))
    return 0 if all(step.is_within_limits for step in steps) else 1


def _line(step: Step) -> str:
    limit = f" of {step.most_tokens:,}" if step.most_tokens else ""
    verdict = "" if step.is_within_limits else "  TOO MUCH"
    calls = "call" if step.calls == 1 else "calls"
    return f"{step.what:32}{step.calls:3} {calls:6}{step.tokens:7,} tokens{limit}{verdict}"


if __name__ == "__main__":
    sys.exit(main())
