"""The journal: every change is on the disk before anybody is told of it.

A folder holds `000007.snapshot`, everything before the seventh file, and `000007.journal` and later ones,
what came then. A journal that has grown is left for a new one, and another process folds it into a snapshot.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path as File

from forge.cli.local import frames
from forge.cli.local.documents import Change, Documents, apply
from forge.cli.local.frames import Missing

SNAPSHOT, JOURNAL = ".snapshot", ".journal"
_LARGE = 16 * 1024 * 1024
_MANY = 8
_MOST_TRIES = 5


@dataclass(frozen=True, slots=True)
class Kept:
    """What a folder holds, oldest first."""

    snapshot: File | None
    journals: list[File]

    @property
    def next_number(self) -> int:
        return max([number_of(file) for file in (self.snapshot, *self.journals) if file], default=0) + 1

    @property
    def is_worth_folding(self) -> bool:
        snapshot = self.snapshot.stat().st_size if self.snapshot else 0
        written = sum(file.stat().st_size for file in self.journals)
        return len(self.journals) >= _MANY or written >= max(_LARGE, snapshot)


def look(folder: File) -> Kept:
    snapshot = max(folder.glob(f"*{SNAPSHOT}"), key=number_of, default=None)
    first = number_of(snapshot) if snapshot else 0
    journals = sorted(folder.glob(f"*{JOURNAL}"), key=number_of)
    return Kept(snapshot, [file for file in journals if number_of(file) >= first])


def load(kept: Kept) -> Documents:
    """Everything that was acknowledged; what a crash tore off at the very end is cut off."""
    documents: Documents = {}
    _require_all(kept)
    if kept.snapshot:
        for frame in frames.read_whole(kept.snapshot):
            apply(frame.changes, documents)
    for file in kept.journals:
        is_last, end = file == kept.journals[-1], 0
        for frame in frames.read_growing(file, is_last=is_last):
            apply(frame.changes, documents)
            end = frame.end
        if is_last and file.stat().st_size > end:
            _cut(file, end)
    return documents


def _require_all(kept: Kept) -> None:
    """Each journal goes on where the one before it ends."""
    numbers = {number_of(file) for file in kept.journals}
    # A snapshot that was made of no journals has none of its own number.
    first = number_of(kept.snapshot) + 1 if kept.snapshot else 1
    for number in range(first, max(numbers, default=0)):
        if number not in numbers:
            raise Missing(kept.journals[0].with_name(_name(number)))


def load_all(folder: File) -> Documents:
    """The same of a folder where another process may still be folding, which removes what it has folded."""
    for _ in range(_MOST_TRIES):
        with suppress(FileNotFoundError, Missing):
            return load(look(folder))
    return load(look(folder))


def number_of(file: File) -> int:
    return int(file.stem)


def sync_folder(folder: File) -> None:
    """Makes names last: those of new, renamed and removed files."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Journal:
    """Open for writing, by one thread at a time."""

    def __init__(self, folder: File, on_grown: Callable[[int], None]) -> None:
        """`on_grown` is given the number up to which everything can be folded."""
        self._folder = folder
        self._on_grown = on_grown
        kept = look(folder)
        self._number = kept.next_number
        self._file = _new(folder, self._number)
        self._size = 0
        self._is_clean = True
        if kept.is_worth_folding:
            on_grown(self._number)

    def append(self, changes: list[Change]) -> None:
        """Returns when they are on the disk; an OSError means that nothing of them is."""
        line = frames.encode(changes)
        if not self._is_clean:
            self._take_back()
        self._is_clean = False
        try:
            _write_all(self._file, line)
            os.fdatasync(self._file)
        except OSError:
            with suppress(OSError):
                self._take_back()
            raise
        self._size += len(line)
        self._is_clean = True
        if self._size >= _LARGE:
            self._begin_another()

    def close(self) -> None:
        os.close(self._file)

    def _take_back(self) -> None:
        os.ftruncate(self._file, self._size)
        os.lseek(self._file, self._size, os.SEEK_SET)
        os.fdatasync(self._file)
        self._is_clean = True

    def _begin_another(self) -> None:
        try:
            following = _new(self._folder, self._number + 1)
        except OSError:
            # No room for a file: the one at hand does.
            return
        os.close(self._file)
        self._file, self._size, self._number = following, 0, self._number + 1
        if look(self._folder).is_worth_folding:
            self._on_grown(self._number)


def _new(folder: File, number: int) -> int:
    name = folder / _name(number)
    descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    sync_folder(folder)
    return descriptor


def _name(number: int) -> str:
    return f"{number:06d}{JOURNAL}"


def _write_all(descriptor: int, line: bytes) -> None:
    rest = memoryview(line)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _cut(file: File, size: int) -> None:
    with file.open("r+b") as opened:
        opened.truncate(size)
        os.fsync(opened.fileno())
