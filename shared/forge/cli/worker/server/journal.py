"""What a run has done and tells Forge, on the disk before it is said: nothing is lost, or said twice.

A line is one of: a fact, a call that is about to be made, and what became of it. A call has a name, by which
whoever comes to this place again after a crash gets the answer of then; and a number, which makes its
idempotency key.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from forge.cli.worker.server.client import FOR_EVER, Body, Refused, Server

COPY = "copy"
"""The fact that tells journals of one run apart: another machine counts from one, too."""


class Damaged(ValueError):
    """Its lines are not those that a worker has written."""


class Said(NamedTuple):
    """A call as it was written down, and what became of it."""

    number: int
    name: str
    tool: str
    arguments: Body
    answer: Body | None = None
    refusal: Body | None = None
    status: int = 0

    @property
    def is_open(self) -> bool:
        return self.answer is None and self.refusal is None


class Journal:
    """Of one run; its file is opened for each line, so that nothing has to be closed."""

    def __init__(self, path: Path, run_id: str) -> None:
        self._path = path
        self._run_id = run_id
        self._lock = Lock()
        self._facts: dict[str, Any] = {}
        self._said: dict[str, Said] = {}
        try:
            for line in _whole_lines(path):
                self._take(json.loads(line))
        except (ValueError, TypeError, KeyError, StopIteration) as problem:
            raise Damaged(f"{path} is damaged: {problem}") from None

    def fact(self, name: str, otherwise: Any = None) -> Any:
        """What was noted last under this name."""
        return self._facts.get(name, otherwise)

    def note(self, **facts: Any) -> None:
        with self._lock:
            self._write({"facts": facts})

    def said(self, name: str) -> Said | None:
        return self._said.get(name)

    def say(self, server: Server, name: str, tool: str, arguments: Mapping[str, Any]) -> Body:
        """Have a call answered that counts once in the life of this run; again, what was answered then."""
        with self._lock:
            if name not in self._said:
                number = len(self._said) + 1
                self._write({"n": number, "name": name, "tool": tool, "arguments": dict(arguments)})
        said = self._said[name]
        return self._send(server, said) if said.is_open else _told(said)

    def replay(self, server: Server) -> None:
        """Say what was about to be said when somebody pulled the plug, in its order."""
        for said in sorted(self._said.values(), key=lambda one: one.number):
            if said.is_open:
                try:
                    self._send(server, said)
                except Refused as refused:
                    if refused.is_taken_over:
                        raise

    def _send(self, server: Server, said: Said) -> Body:
        once = f"{self.fact(COPY, self._run_id)}:{said.number}"
        try:
            answer = server.call(said.tool, said.arguments, once=once, patience=FOR_EVER)
        except Refused as refused:
            if refused.is_of_key:
                raise
            with self._lock:
                self._write({"n": said.number, "refusal": refused.answer, "status": refused.status})
            raise
        with self._lock:
            self._write({"n": said.number, "answer": answer})
        return answer

    def _write(self, line: Mapping[str, Any]) -> None:
        """On the disk before it counts."""
        _append(self._path, json.dumps(line).encode() + b"\n")
        self._take(line)

    def _take(self, line: Mapping[str, Any]) -> None:
        if "facts" in line:
            self._facts |= line["facts"]
        elif "tool" in line:
            said = Said(line["n"], line["name"], line["tool"], line["arguments"])
            self._said[said.name] = said
        else:
            said = next(one for one in self._said.values() if one.number == line["n"])
            self._said[said.name] = said._replace(
                answer=line.get("answer"), refusal=line.get("refusal"), status=line.get("status", 0)
            )


def _append(path: Path, line: bytes) -> None:
    """All of it or nothing: on a disk that was full, the next line must not go on within this one."""
    with path.open("ab", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        try:
            left = memoryview(line)
            while left:
                left = left[file.write(left) :]
            os.fsync(file.fileno())
        except OSError:
            file.truncate(size)
            raise


def _told(said: Said) -> Body:
    if said.answer is None:
        raise Refused(said.refusal or {}, said.status)
    return said.answer


def _whole_lines(path: Path) -> list[bytes]:
    """Those that were written to their end; half a line is cut off, because the next one begins there."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        path.touch(mode=0o600)
        return []
    written = path.read_bytes()
    whole = written[: written.rfind(b"\n") + 1]
    if len(whole) < len(written):
        os.truncate(path, len(whole))
    return whole.splitlines()
