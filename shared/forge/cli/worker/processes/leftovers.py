"""Processes that a child left behind when it was killed: found by the mark that all of a run have."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from forge.cli.worker.processes.surroundings import MARKER

_PROCESSES = Path("/proc")


def left_of(run_id: str, processes: Path = _PROCESSES) -> list[int]:
    """Ids of whatever has the mark of this run; nothing where this system does not tell."""
    mark = f"{MARKER}={run_id}".encode()
    found = []
    for folder in processes.glob("[0-9]*"):
        if int(folder.name) == os.getpid():
            continue
        with suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def end_all(run_id: str) -> int:
    """Kill them, and those that they start meanwhile; how many there were."""
    if not run_id:
        return 0
    ended: set[int] = set()
    while left := {*left_of(run_id)} - ended:
        for process in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        ended |= left
    return len(ended)
