"""The worker of exports: the one that reads the whole table, and writes what one workspace has, in parts."""

from collections.abc import Mapping
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from forge.errors import NotFound, Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.keys import workspace_prefix
from forge.store.transactions import VersionMoved
from forge.work.overviews.exports import orders
from forge.work.overviews.exports.lines import ReadText, first_line, last_line, line_of
from forge.work.overviews.exports.orders import CONTENT_TYPE, MOST_TRIES, ExportItem
from forge.work.workspace import jobs, workspaces
from forge.work.workspace.workers import Worker


class Sizes(NamedTuple):
    part_bytes: int = 256 * 1024**2
    """After so much, what is written is put into the bucket, and the next worker would go on from there."""
    page_rows: int | None = None
    """How many rows are read at once; None for as many as the table gives."""


SIZES = Sizes()


class WrittenPart(NamedTuple):
    """What was read in one go, and where the rest begins, if there is any."""

    items: int
    size: int
    position: Mapping[str, str] | None


def consume(worker: Worker, text: str, sizes: Sizes = SIZES) -> bool:
    """Carry an order out, unless somebody else is at it or it is over; whether that came to an end.

    Whoever dies or runs out of time on the way is followed by another, who goes on after the last part.
    """
    order = orders.find(worker.store.table, *jobs.read(ExportItem, text))
    if order is None or not order.is_free(worker.now):
        return False
    try:
        if order.tries >= MOST_TRIES:
            error = f"It was begun {MOST_TRIES} times and never finished; an operator finds why in the log."
            return _save(worker, order.failed(worker.now, error), action="fail") is not None
        return _carry_out(worker, _save(worker, order.taken(worker.now), action="begin"), sizes)
    except VersionMoved:
        # Another worker was faster.
        return False


def _carry_out(worker: Worker, order: ExportItem, sizes: Sizes) -> bool:
    while True:
        try:
            part = _write_part(worker, order, sizes)
        except (Unavailable, Refused, NoAnswer):
            _save(worker, order.given_back(worker.now), action="put-off")
            raise
        order = order.with_part(*part)
        if part.position is None:
            _save(worker, order.done(worker.now), action="finish")
            return True
        if not worker.has_time():
            _save(worker, order.put_down(worker.now), action="put-down")
            return False
        order = _save(worker, order.leased(worker.now), action="go-on")


def _write_part(worker: Worker, order: ExportItem, sizes: Sizes) -> WrittenPart:
    """What comes next, as an object of its own that counts once the order says so. A page at least."""
    items = 0
    position: Mapping[str, str] | None = order.position
    prefix = workspace_prefix(order.workspace_id)
    read_text = _texts_of(worker, order.workspace_id)
    with TemporaryFile() as file:
        if not order.parts:
            _add(file, first_line(order, workspaces.get(worker.store.table, order.workspace_id)))
        while True:
            page = worker.store.table.scan(prefix, after=position, limit=sizes.page_rows)
            position = page.next_position
            for row in page:
                line = line_of(row, order.workspace_id, read_text)
                if line is not None:
                    items += 1
                    _add(file, line)
            if position is None or file.tell() >= sizes.part_bytes or not worker.has_time():
                break
        if position is None:
            _add(file, last_line((order.items or 0) + items))
        part = WrittenPart(items, file.tell(), position)
        if part.size:
            worker.store.blobs.put_file(order.with_part(*part).blobs[-1], file, content_type=CONTENT_TYPE)
    return part


def _add(file: IO[bytes], line: str) -> None:
    file.write(line.encode() + b"\n")


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
