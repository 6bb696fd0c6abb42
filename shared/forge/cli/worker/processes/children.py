"""A child in a session of its own: it ends with its worker, and nothing that it started outlives it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import NamedTuple

from forge.cli.worker.processes import launch, leftovers
from forge.cli.worker.processes.surroundings import MARKER

PATIENCE: Sequence[tuple[signal.Signals, float]] = ((signal.SIGINT, 10.0), (signal.SIGTERM, 5.0))
"""What a child is asked by, and how long it may take over it; then it is killed."""
_LAST_BYTES = 4_000
_LONGEST_LINE = 2**26


class Start(NamedTuple):
    """What is to be started."""

    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    complaints: Path | None = None
    """Where its standard error goes; else to the rest of what it prints."""


def launched(command: Sequence[str]) -> list[str]:
    """The command, which will end when this process does."""
    return [sys.executable, "-I", "-S", str(launch.__file__), str(os.getpid()), *command]


class Child:
    """With a text it gets that on its standard input, and then its end; else others write there."""

    def __init__(self, start: Start, text: str | None) -> None:
        self._start = start
        self._ended = Event()
        self._once = Lock()
        self._is_stopped = False
        with start.complaints.open("ab") if start.complaints else nullcontext() as complaints:
            self.process = subprocess.Popen(  # noqa: S603 - what the owner of this machine configured
                launched(start.command),
                cwd=start.folder,
                env=dict(start.environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints or subprocess.STDOUT,
                start_new_session=True,
            )
        if text is not None:
            Thread(target=self._write, args=(text,), daemon=True).start()
        Thread(target=self._watch, daemon=True).start()

    def lines(self, longest: int = _LONGEST_LINE) -> Iterator[str]:
        """What it prints, as it comes, until it has ended; what is longer comes in parts."""
        assert self.process.stdout is not None  # noqa: S101 - it was asked for
        while line := self.process.stdout.readline(longest):
            yield line.decode("utf-8", errors="replace").rstrip("\n")

    def stop(self, patience: Sequence[tuple[signal.Signals, float]] = PATIENCE) -> None:
        """Ask it, then make it; from any thread, and again without harm."""
        with self._once:
            if self._is_stopped:
                return
            self._is_stopped = True
        for how, seconds in patience:
            self._signal(how)
            if self._ended.wait(seconds):
                return
        self._signal(signal.SIGKILL)

    def stop_soon(self, seconds: float) -> None:
        """It has said all that it had to say; some do not end then."""

        def end() -> None:
            if not self._ended.wait(seconds):
                self.stop()

        Thread(target=end, daemon=True).start()

    def has_ended(self, seconds: float) -> bool:
        return self._ended.wait(seconds)

    def wait(self) -> int:
        """Its exit code, once it has ended and nothing of it is left."""
        self._ended.wait()
        for pipe in (self.process.stdout, self.process.stdin):
            with suppress(OSError):
                pipe.close() if pipe else None
        return self.process.returncode

    def _watch(self) -> None:
        """What it leaves behind would keep its output open, and its worktree busy."""
        self.process.wait()
        self._signal(signal.SIGKILL)
        leftovers.end_all(self._start.environment.get(MARKER, ""))
        self._ended.set()

    def _signal(self, how: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, how)

    def last_words(self) -> str:
        """The end of what it complained of; nothing where it has put a link to what is not its own."""
        if self._start.complaints is None:
            return ""
        with suppress(OSError), open(self._start.complaints, "rb", opener=_no_link) as file:
            return file.read()[-_LAST_BYTES:].decode("utf-8", errors="replace").strip()
        return ""

    def _write(self, text: str) -> None:
        assert self.process.stdin is not None  # noqa: S101 - it was asked for
        with suppress(OSError), self.process.stdin as pipe:
            pipe.write(text.encode())


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW)
