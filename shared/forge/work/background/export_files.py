"""The worker of exports: the one that reads the whole table, and writes a file of what one workspace has."""

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from forge.errors import NotFound, Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.keys import workspace_prefix
from forge.store.readings import Attributes
from forge.store.transactions import VersionMoved
from forge.work.overviews.exports import orders
from forge.work.overviews.exports.lines import ReadText, first_line, last_line, line_of
from forge.work.overviews.exports.orders import CONTENT_TYPE, MOST_TRIES, ExportItem
from forge.work.workspace import jobs, workspaces
from forge.work.workspace.workers import Worker

MOST_BYTES = 5 * 1024**3
"""What the bucket takes in one piece."""


class NotWritten(Exception):
    """There will be no file, however often it is tried; the message says why."""


class Written(NamedTuple):
    items: int
    size: int


def consume(worker: Worker, text: str) -> bool:
    """Carry an order out, unless somebody else is at it or it is over; whether it was.

    Whoever dies on the way makes the next one begin anew, which writes the same file.
    """
    order = orders.find(worker.store.table, *jobs.read(ExportItem, text))
    if order is None or not order.is_free(worker.now):
        return False
    try:
        if order.tries >= MOST_TRIES:
            error = f"It was begun {MOST_TRIES} times and never finished; an operator finds why in the log."
            return _save(worker, order.failed(worker.now, error), action="fail") is not None
        return _carry_out(worker, _save(worker, order.taken(worker.now), action="begin"))
    except VersionMoved:
        # Another worker was faster.
        return False


def _carry_out(worker: Worker, order: ExportItem) -> bool:
    try:
        written = _write(worker, order)
    except NotWritten as reason:
        over = order.failed(worker.now, str(reason))
    except (Unavailable, Refused, NoAnswer):
        _save(worker, order.given_back(worker.now), action="put-off")
        raise
    else:
        over = order.done(worker.now, items=written.items, size=written.size)
    _save(worker, over, action="finish" if over.error is None else "fail")
    return True


def _write(worker: Worker, order: ExportItem) -> Written:
    items = 0
    read_text = _texts_of(worker, order.workspace_id)
    with TemporaryFile() as file:
        _add(file, first_line(order, workspaces.get(worker.store.table, order.workspace_id)))
        for row in _rows(worker, order.workspace_id):
            line = line_of(row, order.workspace_id, read_text)
            if line is not None:
                items += 1
                _add(file, line)
        _add(file, last_line(items))
        size = file.tell()
        worker.store.blobs.put_file(order.blob, file, content_type=CONTENT_TYPE)
    return Written(items, size)


def _rows(worker: Worker, workspace_id: str) -> Iterator[Attributes]:
    after = None
    while True:
        if not worker.has_time():
            raise NotWritten("There is more than can be read in the time that a worker has.")
        part = worker.store.table.scan(workspace_prefix(workspace_id), after=after)
        after = part.next_position
        yield from part
        if after is None:
            return


def _add(file: IO[bytes], line: str) -> None:
    file.write(line.encode() + b"\n")
    if file.tell() > MOST_BYTES:
        raise NotWritten(
            f"It has more than {MOST_BYTES // 1024**3} GB, which is more than one file can have."
        )


def _texts_of(worker: Worker, workspace_id: str) -> ReadText:
    """The workspace's own: what an item names is not trusted to lead there."""
    own = (f"texts/{workspace_id}/", f"pipelines/{workspace_id}/")

    def read(name: str) -> str | None:
        if not name.startswith(own):
            return None
        try:
            return worker.store.blobs.get_text(name)
        except NotFound:
            return None

    return read


def _save(worker: Worker, order: ExportItem, *, action: str) -> ExportItem:
    return jobs.save(worker, order, "export", action=action)
