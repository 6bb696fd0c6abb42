"""The lines of calls, in a file that never grows beyond a size; older ones are beside it for a while."""

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from threading import Lock
from time import monotonic

MOST_BYTES = 8 * 1024 * 1024
OLDER_FILES = 2
_OPEN_SECONDS = 1.0


class CallLog:
    """What can't be written is dropped: an answer never waits for its line, nor fails with it."""

    def __init__(
        self, file: Path, *, most_bytes: int = MOST_BYTES, clock: Callable[[], float] = monotonic
    ) -> None:
        self._file = file
        self._most = most_bytes
        self._clock = clock
        self._one_at_a_time = Lock()
        self._opened: int | None = None
        self._open_until = 0.0
        self._size = 0

    def write(self, line: str) -> None:
        text = f"{line}\n".encode(errors="backslashreplace")
        with self._one_at_a_time:
            try:
                self._append(text)
            except OSError:
                self._close()

    def _append(self, text: bytes) -> None:
        descriptor = self._open()
        if os.write(descriptor, text) < len(text):
            os.ftruncate(descriptor, self._size)
            return
        self._size += len(text)
        if self._size >= self._most:
            self._close()
            self._turn_over()

    def _open(self) -> int:
        """It stays open for a moment: each call to the system costs whoever writes a turn of all threads.

        No longer, because somebody may have taken the file away.
        """
        if self._opened is None or self._clock() >= self._open_until:
            self._close()
            self._opened = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            self._open_until = self._clock() + _OPEN_SECONDS
            self._size = os.fstat(self._opened).st_size
        return self._opened

    def _close(self) -> None:
        if self._opened is not None:
            os.close(self._opened)
            self._opened = None

    def _turn_over(self) -> None:
        """The oldest goes, each other one becomes the one before it."""
        names = [self._file, *(self._older(number) for number in range(1, OLDER_FILES + 1))]
        for newer, older in reversed([*pairwise(names)]):
            if newer.exists():
                newer.replace(older)

    def _older(self, number: int) -> Path:
        return self._file.with_name(f"{self._file.stem}.{number}{self._file.suffix}")
