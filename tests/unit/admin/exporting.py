"""An office whose exports are carried out when a test says so."""

import json
from typing import Any, NamedTuple

from forge.store.queues import Received
from forge.work.background import export_files
from forge.work.background.export_files import SIZES, Sizes
from forge.work.overviews.exports import orders
from forge.work.overviews.exports.orders import ExportItem
from forge.work.workspace.workers import Worker, worker_of
from tests.workshop.office import Office

Line = dict[str, Any]


class Lines(NamedTuple):
    about: Line
    items: list[Line]
    end: Line

    def of(self, kind: str) -> list[Line]:
        """The items of those partitions: `ISSUE`, `MEMBERS`."""
        return [one["item"] for one in self.items if one["key"][0].partition("#")[0] == kind]


def read(text: str) -> Lines:
    first, *items, last = (json.loads(line) for line in text.splitlines())
    return Lines(first["export"], items, last["end"])


class Exporter(Office):
    def order(self, *, key: str | None = None, **headers: str) -> str:
        """The id of an export that nobody waits for."""
        answer = self.world.admin(
            "export", {}, key=key or self.owner_key, headers={"prefer": "respond-async", **headers}
        )
        assert answer.status == 202, answer.body
        return str(json.loads(answer.body)["exportId"])

    def find(self, export_id: str) -> ExportItem:
        found = orders.find(self.world.services.store.table, self.workspace.id, export_id)
        assert found is not None
        return found

    def messages(self) -> list[Received]:
        """Those that wait, all of which are taken."""
        queues, found = self.world.services.store.queues, list[Received]()
        while more := queues.receive(ExportItem.queue, most=10):
            found += more
        return found

    def work(self, task: Worker | None = None, sizes: Sizes = SIZES) -> list[bool]:
        """A worker acts on what was ordered here."""
        mine = [one.body for one in self.messages() if self.workspace.id in one.body]
        return [export_files.consume(task or self.worker, body, sizes) for body in mine]

    @property
    def worker(self) -> Worker:
        return worker_of(self.world.services, "exports")

    def consume(self, export_id: str, task: Worker | None = None, sizes: Sizes = SIZES) -> bool:
        """A worker gets a message about it, however it came about."""
        message = json.dumps({"workspaceId": self.workspace.id, "exportId": export_id})
        return export_files.consume(task or self.worker, message, sizes)

    def written(self, export_id: str) -> str:
        blobs = self.world.services.store.blobs
        return "".join(blobs.get_text(part) for part in self.find(export_id).blobs)

    def exported(self) -> Lines:
        """Everything, as an export has it now."""
        export_id = self.order()
        assert self.consume(export_id)
        return read(self.written(export_id))
