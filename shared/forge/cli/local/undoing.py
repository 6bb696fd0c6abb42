"""Files that are about to be replaced, under a second name, until what replaces them is on the disk.

If the second name is still there at a start, nobody was told of the change: the old files come back.
"""

import os
import shutil
from pathlib import Path as File

from forge.cli.local.journal import sync_folder

_SIDECAR = ".meta.json"


class Undo:
    """For one object at a time: its content, and what is said of it beside."""

    def __init__(self, folder: File) -> None:
        self._kept = folder / "undo"
        self._draft = folder / "undo.draft"
        self._trash = folder / "undo.trash"

    def remember(self, file: File) -> None:
        """An OSError means that there is no room to change anything."""
        shutil.rmtree(self._draft, ignore_errors=True)
        self._draft.mkdir(mode=0o700)
        with (self._draft / "place").open("w", encoding="utf-8") as place:
            place.write(str(file))
            place.flush()
            os.fsync(place.fileno())
        for name, each in _parts(file).items():
            if each.exists():
                os.link(each, self._draft / name)
        sync_folder(self._draft)
        self._draft.rename(self._kept)
        sync_folder(self._kept.parent)

    def forget(self, file: File, root: File) -> None:
        """Have the files as they are now on the disk; from then on there is no way back."""
        for each in _parts(file).values():
            if each.exists():
                with each.open("rb") as opened:
                    os.fsync(opened.fileno())
        for folder in file.parents:
            if folder.exists() and (folder == root or root in folder.parents):
                sync_folder(folder)
        shutil.rmtree(self._trash, ignore_errors=True)
        self._kept.rename(self._trash)
        sync_folder(self._kept.parent)
        shutil.rmtree(self._trash, ignore_errors=True)

    def put_back(self) -> None:
        if not self._kept.exists():
            return
        file = File((self._kept / "place").read_text(encoding="utf-8"))
        for name, each in _parts(file).items():
            each.unlink(missing_ok=True)
            if (self._kept / name).exists():
                os.link(self._kept / name, each)
        if file.parent.exists():
            sync_folder(file.parent)
        shutil.rmtree(self._kept)
        sync_folder(self._kept.parent)


def _parts(file: File) -> dict[str, File]:
    return {"data": file, "sidecar": file.with_name(file.name + _SIDECAR)}
