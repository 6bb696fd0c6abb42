"""A program in a terminal of its own: typed at, and read as a person would."""

import codecs
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, Thread
from time import monotonic, sleep

from tests.clients.grid import Grid

ROWS, COLUMNS = 60, 200
ENTER, ESCAPE, BACKSPACE = "\r", "\x1b", "\x7f"
DOWN, RIGHT = "\x1b[B", "\x1b[C"

_KEY = re.compile(r"\x1b\[[A-D]|.", re.DOTALL)
"""An arrow is one key: where its parts come one by one, a program that is slow takes the first for Escape."""
_PAUSE_SECONDS, _KEY_SECONDS, _STOP_SECONDS = 0.05, 0.02, 10
_PRESSES, _PRESS_SECONDS = 5, 4


class NotSeen(Exception):
    """What was waited for did not come; the message has what stood there instead."""


class Screen:
    def __init__(self, process: subprocess.Popen[bytes], terminal: int) -> None:
        self.process = process
        self._terminal = terminal
        self._grid = Grid(ROWS, COLUMNS)
        self._one_at_a_time = Lock()
        Thread(target=self._read, daemon=True).start()

    @property
    def text(self) -> str:
        with self._one_at_a_time:
            return self._grid.text

    def type(self, text: str) -> None:
        """One key after another: what comes at once is taken for a paste."""
        for key in _KEY.findall(text):
            os.write(self._terminal, key.encode())
            sleep(_KEY_SECONDS)

    def press_until(self, key: str, pattern: str) -> None:
        """A key that comes while something is painted anew may be lost."""
        for _ in range(_PRESSES):
            self.type(key)
            try:
                self.wait_for(pattern, seconds=_PRESS_SECONDS)
            except NotSeen:
                continue
            return
        self.wait_for(pattern, seconds=_PRESS_SECONDS)

    def wait_for(self, pattern: str, *, seconds: float = 60) -> re.Match[str]:
        """Until the pattern stands there."""
        until, wanted = monotonic() + seconds, re.compile(pattern)
        while (found := wanted.search(self.text)) is None:
            if monotonic() > until or self.process.poll() is not None:
                shown = "\n".join(line for line in self.text.splitlines() if line.strip())
                raise NotSeen(f"{pattern!r} did not come; this stands there:\n{shown[-3000:]}")
            sleep(_PAUSE_SECONDS)
        return found

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            try:
                chunk = os.read(self._terminal, 65536)
            except OSError:
                # Nobody writes there any more.
                return
            if not chunk:
                return
            with self._one_at_a_time:
                self._grid.write(decoder.decode(chunk))


@contextmanager
def shown(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> Iterator[Screen]:
    """The program, in a terminal that is closed with all that runs in it."""
    terminal, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        command,
        env={**environment, "TERM": "xterm-256color"},
        cwd=folder,
        stdin=inner,
        stdout=inner,
        stderr=inner,
        start_new_session=True,
    )
    os.close(inner)
    try:
        yield Screen(process, terminal)
    finally:
        _end(process)
        os.close(terminal)


def _end(process: subprocess.Popen[bytes]) -> None:
    for how in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, how)
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                continue
