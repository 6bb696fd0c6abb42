"""The lines of calls, in a file that never grows beyond a size; older ones are beside it for a while."""

import os
from itertools import pairwise
from pathlib import Path
from threading import Lock

MOST_BYTES = 8 * 1024 * 1024
OLDER_FILES = 2


class CallLog:
    """What can't be written is dropped: an answer never waits for its line, nor fails with it."""

    def __init__(self, file: Path, *, most_bytes: int = MOST_BYTES) -> None:
        self._file = file
        self._most = most_bytes
        self._one_at_a_time = Lock()

    def write(self, line: str) -> None:
        text = f"{line}\n".encode(errors="backslashreplace")
        with self._one_at_a_time:
            try:
                self._append(text)
            except OSError:
                return

    def _append(self, text: bytes) -> None:
        descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            if os.write(descriptor, text) < len(text):
                os.ftruncate(descriptor, size)
        finally:
            os.close(descriptor)
        if size + len(text) >= self._most:
            self._turn_over()

    def _turn_over(self) -> None:
        """The oldest goes, each other one becomes the one before it."""
        names = [self._file, *(self._older(number) for number in range(1, OLDER_FILES + 1))]
        for newer, older in reversed([*pairwise(names)]):
            if newer.exists():
                newer.replace(older)

    def _older(self, number: int) -> Path:
        return self._file.with_name(f"{self._file.stem}.{number}{self._file.suffix}")
