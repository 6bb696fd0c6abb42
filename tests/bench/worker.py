"""A contender in processes of its own, which repeat a task on request and say what CPU it took."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from fcntl import F_SETPIPE_SZ, fcntl
from pathlib import Path
from time import process_time
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[2]
PROCESSES = 5
"""Where things lie in memory differs from start to start, and identical code with it by a few hundredths."""

_ANSWERS = "FORGE_BENCH_ANSWERS"
_ROOM = 1 << 20
"""For the log lines of one turn."""

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
    """The other side: starts a contender and asks it.

    The contender's log lines go into a pipe, which is read between the turns: to wake a reader with each
    line costs what the machine makes of it (10 µs on a virtual one), and nothing of it is the contender's.
    """

    def __init__(self, python: str, module: str, more: Mapping[str, str] | None = None) -> None:
        heard, said = os.pipe()
        self._log, log = os.pipe()
        fcntl(log, F_SETPIPE_SZ, _ROOM)
        os.set_blocking(self._log, False)
        self._process = subprocess.Popen(
            [python, "-m", module],
            stdin=subprocess.PIPE,
            stdout=log,
            pass_fds=(said,),
            cwd=ROOT,
            env=environment(more) | {_ANSWERS: str(said)},
        )
        os.close(said)
        os.close(log)
        self._answers = open(heard)  # noqa: SIM115 - closed on the way out

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The end of its input is the end of its work.
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
        self._answers.close()
        os.close(self._log)

    def cpu_seconds(self, task: str, iterations: int) -> float:
        """Per iteration."""
        if self._process.stdin is None:
            raise RuntimeError("the worker was started without pipes")
        self._process.stdin.write(json.dumps([task, iterations]).encode() + b"\n")
        self._process.stdin.flush()
        answer = self._answers.readline()
        if not answer:
            raise RuntimeError(f"{self._process.args!r} ended before it answered; its error is above")
        self._read_log()
        return float(answer) / iterations

    def _read_log(self) -> None:
        with suppress(BlockingIOError):
            while os.read(self._log, _ROOM):
                pass


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
