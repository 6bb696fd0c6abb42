"""The worker of exports: the one that reads the whole table, and writes a file of what one workspace has."""

from collections.abc import Callable, Iterator
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from forge.context import Services
from forge.errors import NotFound, Unavailable
from forge.jsontext import BadJson, decode
from forge.store.answers import NoAnswer, Refused
from forge.store.keys import workspace_prefix
from forge.store.readings import Attributes
from forge.store.transactions import VersionMoved
from forge.work.background.sweep import acting
from forge.work.content.destinations.messages import Unreadable
from forge.work.overviews.exports import orders
from forge.work.overviews.exports.lines import ReadText, first_line, last_line, line_of
from forge.work.overviews.exports.orders import CONTENT_TYPE, MOST_TRIES, ExportItem
from forge.work.record.log.events import record_change

EXPORTS = "exports"
MOST_BYTES = 5 * 1024**3
"""What the bucket takes in one piece."""


class NotWritten(Exception):
    """There will be no file, however often it is tried; the message says why."""


class Written(NamedTuple):
    items: int
    size: int


class Exporting(NamedTuple):
    services: Services
    has_time: Callable[[], bool] = lambda: True
    """Asked before each part of the table: whoever is ended in the middle can't say why."""


def consume(task: Exporting, text: str) -> bool:
    """Carry an order out, unless somebody else is at it or it is over; whether it was.

    Whoever dies on the way makes the next one begin anew, which writes the same file.
    """
    services = task.services
    order = _find(services, text)
    if order is None or not order.is_free(services.now()):
        return False
    try:
        if order.tries >= MOST_TRIES:
            error = f"It was begun {MOST_TRIES} times and never finished; an operator finds why in the log."
            return _save(services, order.failed(services.now(), error), action="fail") is not None
        return _carry_out(task, _save(services, order.taken(services.now()), action="begin"))
    except VersionMoved:
        # Another worker was faster.
        return False


def _carry_out(task: Exporting, order: ExportItem) -> bool:
    services = task.services
    try:
        written = _write(task, order)
    except NotWritten as reason:
        over = order.failed(services.now(), str(reason))
    except (Unavailable, Refused, NoAnswer):
        _save(services, order.given_back(services.now()), action="put-off")
        raise
    else:
        over = order.done(services.now(), items=written.items, size=written.size)
    _save(services, over, action="finish" if over.error is None else "fail")
    return True


def _write(task: Exporting, order: ExportItem) -> Written:
    services, items = task.services, 0
    read_text = _texts_of(services, order.workspace_id)
    with TemporaryFile() as file:
        _add(file, first_line(order, services.workspaces.get(order.workspace_id)))
        for row in _rows(task, order.workspace_id):
            line = line_of(row, order.workspace_id, read_text)
            if line is not None:
                items += 1
                _add(file, line)
        _add(file, last_line(items))
        size = file.tell()
        services.store.blobs.put_file(order.blob, file, content_type=CONTENT_TYPE)
    return Written(items, size)


def _rows(task: Exporting, workspace_id: str) -> Iterator[Attributes]:
    after = None
    while True:
        if not task.has_time():
            raise NotWritten("There is more than can be read in the time that a worker has.")
        part = task.services.store.table.scan(workspace_prefix(workspace_id), after=after)
        yield from part
        after = part.next_position
        if after is None:
            return


def _add(file: IO[bytes], line: str) -> None:
    file.write(line.encode() + b"\n")
    if file.tell() > MOST_BYTES:
        raise NotWritten(
            f"It has more than {MOST_BYTES // 1024**3} GB, which is more than one file can have."
        )


def _texts_of(services: Services, workspace_id: str) -> ReadText:
    """The workspace's own: what an item names is not trusted to lead there."""
    own = (f"texts/{workspace_id}/", f"pipelines/{workspace_id}/")

    def read(name: str) -> str | None:
        if not name.startswith(own):
            return None
        try:
            return services.store.blobs.get_text(name)
        except NotFound:
            return None

    return read


def _find(services: Services, text: str) -> ExportItem | None:
    try:
        message = decode(text)
        place = message["workspaceId"], message["exportId"]
    except (BadJson, KeyError, TypeError) as reason:
        raise Unreadable("not a message about an export") from reason
    return orders.find(services.store.table, *place)


def _save(services: Services, order: ExportItem, *, action: str) -> ExportItem:
    worker = acting.Acting(services.store, services.now(), services.new_id)
    nobody = acting.nobody(order.workspace_id, EXPORTS)
    ctx = acting.context_of(worker, nobody, tool=EXPORTS, request_id=services.new_id("xpt"))
    tx = ctx.plan()
    tx.replace(order)
    record_change(tx, "export", order.id, action=action)
    ctx.commit()
    return order.changed(version=order.version + 1)
