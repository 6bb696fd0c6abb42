"""A contender in processes of its own, which repeat a task on request and say what CPU it took."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from time import process_time
from types import TracebackType
from typing import IO, Any, Self

ROOT = Path(__file__).parents[2]
PROCESSES = 3
"""Where things lie in memory differs from start to start, and identical code with it by a few hundredths."""

_ANSWERS = "FORGE_BENCH_ANSWERS"

Task = Callable[[], object]


def serve(tasks: Mapping[str, Task]) -> None:
    """The contender's side: answer lines of `[task, iterations]` until there are no more.

    Its standard output is left to log lines, and sends each at once, as Lambda's runtime does.
    """
    output: Any = sys.stdout
    output.reconfigure(line_buffering=True)
    with open(int(os.environ[_ANSWERS]), "w", buffering=1) as answers:
        for line in sys.stdin:
            name, iterations = json.loads(line)
            answers.write(f"{_cpu_seconds(tasks[name], iterations)!r}\n")


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """As in a function that was built well: bytecode is there, and nothing leads to other packages."""
    unwanted = {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONUNBUFFERED"}
    return {name: value for name, value in os.environ.items() if name not in unwanted} | dict(more or {})


class Worker:
    """The other side: starts a contender and asks it."""

    def __init__(self, python: str, module: str, more: Mapping[str, str] | None = None) -> None:
        heard, said = os.pipe()
        self._process = subprocess.Popen(
            [python, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(said,),
            cwd=ROOT,
            env=environment(more) | {_ANSWERS: str(said)},
        )
        os.close(said)
        self._answers = open(heard)  # noqa: SIM115 - closed on the way out
        self._log = Thread(target=_read_to_the_end, args=(self._process.stdout,), daemon=True)
        self._log.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The end of its input is the end of its work.
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
        self._log.join()
        self._answers.close()

    def cpu_seconds(self, task: str, iterations: int) -> float:
        """Per iteration."""
        if self._process.stdin is None:
            raise RuntimeError("the worker was started without pipes")
        self._process.stdin.write(json.dumps([task, iterations]).encode() + b"\n")
        self._process.stdin.flush()
        answer = self._answers.readline()
        if not answer:
            raise RuntimeError(f"{self._process.args!r} ended before it answered; its error is above")
        return float(answer) / iterations


class Crew:
    """Several processes of one contender."""

    def __init__(self, python: str, module: str, more: Mapping[str, str] | None = None) -> None:
        self._workers = [Worker(python, module, more) for _ in range(PROCESSES)]
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        for worker in self._workers:
            self._stack.enter_context(worker)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def cpu_seconds(self, task: str, iterations: int) -> float:
        """Of the best of them, per iteration."""
        return min(worker.cpu_seconds(task, iterations) for worker in self._workers)


def _cpu_seconds(task: Task, iterations: int) -> float:
    started = process_time()
    for _ in range(iterations):
        task()
    return process_time() - started


def _read_to_the_end(log: IO[bytes] | None) -> None:
    while log is not None and log.read1(65536):  # type: ignore[attr-defined]  # pipes are buffered readers
        pass
