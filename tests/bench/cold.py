"""What a fresh interpreter pays for an import and a first call, beyond what it pays for starting."""

import os
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tests.bench.worker import ROOT, environment


@dataclass(frozen=True, slots=True)
class Start:
    """A fresh interpreter with something to do."""

    python: str
    code: str
    more: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Environment variables."""
    prepare: Callable[[], object] = field(default=lambda: None, compare=False)

    def bare(self) -> "Start":
        return Start(self.python, "pass")

    def cpu_seconds(self) -> float:
        """CPU of the whole interpreter, which leaves without cleaning up."""
        self.prepare()
        process = subprocess.Popen(
            [self.python, "-c", f"{self.code}\nimport os; os._exit(0)"],
            stdout=subprocess.DEVNULL,
            cwd=ROOT,
            env=environment(self.more),
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{self.python} failed at {self.code!r}; its error is above")
        return usage.ru_utime + usage.ru_stime


def net_seconds(starts: Iterable[Start], *, rounds: int) -> dict[Start, float]:
    """The best of several rounds for each, less the best of the bare interpreter."""
    starts = list(dict.fromkeys(starts))
    every = list(dict.fromkeys([*(start.bare() for start in starts), *starts]))
    for start in every:
        start.cpu_seconds()  # writes bytecode and warms the file cache
    best = {start: min(samples) for start, samples in _interleaved(every, rounds).items()}
    return {start: best[start] - best[start.bare()] for start in starts}


def _interleaved(starts: list[Start], rounds: int) -> dict[Start, list[float]]:
    samples: dict[Start, list[float]] = {start: [] for start in starts}
    for _ in range(rounds):
        for start in starts:
            samples[start].append(start.cpu_seconds())
    return samples
