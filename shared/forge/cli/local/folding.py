"""Folds journals into a snapshot, beside the traffic: another process, reading files that nobody writes."""

import os
import subprocess
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path as File

from forge.cli.local import frames
from forge.cli.local.documents import Change, Documents, without_outlived
from forge.cli.local.journal import SNAPSHOT, Kept, load, look, number_of, sync_folder
from forge.clock import system_now

_AT_ONCE = 200
_PATIENT = 10


def fold(folder: File, before: int) -> None:
    """Make everything before this number one snapshot of this number, and remove what it was made of."""
    kept = look(folder)
    journals = [file for file in kept.journals if number_of(file) < before]
    documents = load(Kept(kept.snapshot, journals))
    write_snapshot(folder, before, without_outlived(documents, system_now()))
    for file in (*folder.glob(f"*{SNAPSHOT}"), *journals):
        # Another may be at it still, whose emulator was killed.
        if number_of(file) < before:
            file.unlink(missing_ok=True)
    sync_folder(folder)


def write_snapshot(folder: File, number: int, documents: Documents) -> None:
    """Under its name only when it is whole and on the disk."""
    draft = folder / f"{number:06d}.draft"
    try:
        with draft.open("wb") as file:
            count = 0
            rest = iter(documents.items())
            while some := list(islice(rest, _AT_ONCE)):
                file.write(frames.encode(_changes(some)))
                count += 1
            file.write(frames.encode_end(count))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(draft.with_suffix(SNAPSHOT))
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(folder)


class Folder:
    """Starts a process for it, one at a time."""

    def __init__(self, folder: File) -> None:
        self._folder = folder
        self._running: subprocess.Popen[bytes] | None = None

    def __call__(self, before: int) -> None:
        if self._running and self._running.poll() is None:
            return
        command = [sys.executable, "-m", "forge.cli.local.folding", str(self._folder), str(before)]
        self._running = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - our own words


def _changes(entries: Iterable[tuple[tuple[str, ...], object]]) -> list[Change]:
    return [Change(path, document) for path, document in entries]


if __name__ == "__main__":
    os.nice(_PATIENT)
    fold(File(sys.argv[1]), int(sys.argv[2]))
