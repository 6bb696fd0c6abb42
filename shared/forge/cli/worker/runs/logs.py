"""The log of a run: a file here, sent on in numbered chunks, of which each counts once."""

import json
import os
from pathlib import Path
from threading import Lock

from forge.cli.local.homes import write_private
from forge.cli.worker.runs.masks import Mask
from forge.cli.worker.server.client import Refused, Server

FILE = "output.log"
MOST_KEPT = 8_000_000
"""Here, of what was sent: as much as Forge keeps."""
MOST_WAITING = 64_000_000
"""For the line to come back: what is printed beyond that is lost, and no disk filled."""
MOST_BYTES = 100_000
"""Of a chunk; what comes faster than that is sent in several."""
LEFT_OUT = b"[left out: it looked like a key]\n"
_SENT = "output.sent"


class LogBook:
    def __init__(self, folder: Path, run_id: str, server: Server) -> None:
        self._file = folder / FILE
        self._mark = folder / _SENT
        self._run_id = run_id
        self._server = server
        self._lock = Lock()
        self._sending = Lock()
        self._seq, self._offset, self._begun = _mark_in(self._mark)
        """The next chunk and where it begins; how long it is, if it was begun to be sent."""
        self._is_full = False

    def write(self, text: str, mask: Mask) -> None:
        with self._lock, self._file.open("ab") as file:
            if file.tell() < MOST_WAITING:
                file.write(mask(text).encode("utf-8", errors="replace") + b"\n")

    def flush(self) -> str:
        """Send what is new; why the run has to stop, where the answer says so."""
        with self._sending:
            stop = ""
            while not self._is_full and (chunk := self._next()):
                stop = self._send(chunk) or stop
                self._shorten()
            return stop

    def _send(self, chunk: bytes) -> str:
        try:
            return self._say(chunk.decode("utf-8", errors="replace"), len(chunk))
        except Refused as refused:
            expected = (refused.answer.get("details") or {}).get("expected")
            if isinstance(expected, int) and expected != self._seq:
                # Somebody else's worker has written here, or ours before its disk was lost.
                self._seq = expected
            elif refused.is_taken_over:
                raise
            elif refused.code == "invalid_input":
                # It looks like a key to Forge.
                return self._replaced(len(chunk))
            else:
                self._is_full = True
            return ""

    def _replaced(self, length: int) -> str:
        try:
            return self._say(LEFT_OUT.decode(), length)
        except Refused:
            self._is_full = True
            return ""

    def _say(self, text: str, length: int) -> str:
        """The next chunk, which is so many bytes here; why the run has to stop, if the answer says so."""
        # Before it is sent: who dies meanwhile has to send the very same again.
        self._note(length)
        arguments = {"runId": self._run_id, "seq": self._seq, "chunk": text}
        answer = self._server.call("runs.appendLog", arguments)
        self._seq, self._offset, self._begun = self._seq + 1, self._offset + length, 0
        return str((answer.get("stop") or {}).get("reason", ""))

    def _next(self) -> bytes:
        """What was begun; else whole lines, so that no letter is torn."""
        if not self._file.exists():
            return b""
        with self._file.open("rb") as file:
            file.seek(self._offset)
            found = file.read(self._begun or MOST_BYTES)
        if self._begun:
            return found
        end = found.rfind(b"\n") + 1
        return found[:end] or (found if len(found) == MOST_BYTES else b"")

    def _shorten(self) -> None:
        with self._lock:
            if self._offset >= MOST_KEPT and self._file.stat().st_size == self._offset:
                os.truncate(self._file, 0)
                self._offset = 0
                self._note(0)

    def _note(self, begun: int) -> None:
        self._begun = begun
        write_private(self._mark, json.dumps([self._seq, self._offset, begun]))


def _mark_in(path: Path) -> tuple[int, int, int]:
    try:
        seq, offset, begun = map(int, json.loads(path.read_text(encoding="utf-8")))
        if offset > path.with_name(FILE).stat().st_size:
            # It was shortened, and that not noted any more.
            return seq, 0, 0
    except (OSError, ValueError, TypeError):
        return 0, 0, 0
    return seq, offset, begun
