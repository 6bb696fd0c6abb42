"""What a fresh interpreter pays for an import, beyond what it pays for starting."""

import os
import subprocess
from collections.abc import Iterable

from tests.bench.worker import ROOT, environment

BARE = "pass"


def cpu_seconds(python: str, code: str) -> float:
    """CPU of a whole interpreter that runs the code and leaves without cleaning up."""
    process = subprocess.Popen([python, "-c", f"{code}\nimport os; os._exit(0)"], cwd=ROOT, env=environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{python} failed at {code!r}; its error is above")
    return usage.ru_utime + usage.ru_stime


def net_seconds(starts: Iterable[tuple[str, str]], *, rounds: int) -> dict[tuple[str, str], float]:
    """The best of several rounds for each (python, code), less the best of the bare interpreter."""
    starts = list(starts)
    bare = [(python, BARE) for python, _ in starts]
    every = list(dict.fromkeys([*bare, *starts]))
    for start in every:
        cpu_seconds(*start)  # writes bytecode and warms the file cache
    best = {start: min(samples) for start, samples in _interleaved(every, rounds).items()}
    return {start: best[start] - best[start[0], BARE] for start in starts}


def _interleaved(starts: list[tuple[str, str]], rounds: int) -> dict[tuple[str, str], list[float]]:
    samples: dict[tuple[str, str], list[float]] = {start: [] for start in starts}
    for _ in range(rounds):
        for start in starts:
            samples[start].append(cpu_seconds(*start))
    return samples
