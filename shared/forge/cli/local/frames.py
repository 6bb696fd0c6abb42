"""Lines that prove themselves: a checksum, and the JSON of changes.

What is written at once is one line, and the next is written only when that one is on the disk. So only a last
line can be torn: nobody was told that it was kept. A bad line before others was kept, and is damaged.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path as File
from typing import Any, NamedTuple
from zlib import crc32

from forge.cli.local.documents import Change


class Damaged(Exception):
    """A file that can't be what was written; the message says what to do."""


class Missing(Damaged):
    """A file between others is not there."""

    def __init__(self, file: File) -> None:
        super().__init__(
            f"{file} is missing, which was written before others that are there, and nothing was changed. "
            f"{_restore(file.parent)}"
        )


class Frame(NamedTuple):
    changes: list[Change]
    end: int
    """The place in the file behind it."""


def encode(changes: Iterable[Change]) -> bytes:
    return _line([[change.path, change.document] for change in changes])


def encode_end(count: int) -> bytes:
    """The last line of a file that is whole, or worth nothing."""
    return _line({"end": count})


def read_growing(file: File, *, is_last: bool) -> Iterator[Frame]:
    """The frames of a file that a crash may have cut: of the last such file alone, and only at its end."""
    for line, end, is_final in _lines(file):
        content = _content(line)
        if content is None:
            if is_last and is_final:
                return
            raise Damaged(_what_to_do(file, end - len(line)))
        yield Frame(_changes(content), end)


def read_whole(file: File) -> Iterator[Frame]:
    """The frames of a file that was complete before it got its name."""
    for count, (line, end, is_final) in enumerate(_lines(file)):
        content = _content(line)
        if content is None or (is_final and content != {"end": count}):
            raise Damaged(_what_to_do(file, end - len(line)))
        if is_final:
            return
        yield Frame(_changes(content), end)
    raise Damaged(_what_to_do(file, 0))


def _line(content: object) -> bytes:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return b"%08x %b\n" % (crc32(text), text)


def _lines(file: File) -> Iterator[tuple[bytes, int, bool]]:
    """Each line, where it ends, and whether it is the last."""
    end = 0
    with file.open("rb") as opened:
        line = opened.readline()
        while line:
            following = opened.readline()
            end += len(line)
            yield line, end, not following
            line = following


def _content(line: bytes) -> Any:
    if len(line) < 10 or not line.endswith(b"\n") or line[:8] != b"%08x" % crc32(line[9:-1]):
        return None
    return json.loads(line[9:-1])


def _changes(content: Any) -> list[Change]:
    return [Change(tuple(path), document) for path, document in content]


def _what_to_do(file: File, place: int) -> str:
    return f"The state in {file} is damaged at byte {place}, and nothing was changed. {_restore(file.parent)}"


def _restore(folder: File) -> str:
    return f"Restore {folder} from a copy, or move it away to start with nothing."
