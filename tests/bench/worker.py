"""A contender in a process of its own, which repeats a task on request and says what CPU it took."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import process_time
from types import TracebackType
from typing import Self

ROOT = Path(__file__).parents[2]

Task = Callable[[], object]


def serve(tasks: Mapping[str, Task]) -> None:
    """The contender's side: answer lines of `[task, iterations]` until there are no more."""
    for line in sys.stdin:
        name, iterations = json.loads(line)
        seconds = _cpu_seconds(tasks[name], iterations)
        sys.stdout.write(f"{seconds!r}\n")
        sys.stdout.flush()


def environment() -> dict[str, str]:
    """As in a function that was built well: bytecode is there, and nothing leads to other packages."""
    unwanted = {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONUNBUFFERED"}
    return {name: value for name, value in os.environ.items() if name not in unwanted}


class Worker:
    """The other side: starts a contender and asks it."""

    def __init__(self, python: str, module: str) -> None:
        self._process = subprocess.Popen(
            [python, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment(),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The end of its input is the end of its work.
        self._process.communicate()

    def cpu_seconds(self, task: str, iterations: int) -> float:
        """Per iteration."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the worker was started without pipes")
        self._process.stdin.write(json.dumps([task, iterations]) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self._process.args!r} ended before it answered; its error is above")
        return float(answer) / iterations


def _cpu_seconds(task: Task, iterations: int) -> float:
    started = process_time()
    for _ in range(iterations):
        task()
    return process_time() - started
