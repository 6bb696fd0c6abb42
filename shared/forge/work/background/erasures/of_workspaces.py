"""A workspace is deleted: its people, every row that is of it, and every object."""

from forge.store import erasing
from forge.work.background.erasures import users
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.workers import Worker

OBJECTS = (
    "{}/attachments/",
    "uploads/{}/",
    "texts/{}/",
    "pipelines/{}/",
    "exports/{}/",
    "runs/{}/",
    "idempotency/WS#{}#",
)
"""What the names of a workspace's objects begin with."""


def erase_rows(worker: Worker, order: ErasureItem) -> ErasureItem:
    """What a megabyte of the table has of it, also its keys and names. The order itself stays."""
    found = erasing.of_tenant(worker.store.table, order.workspace_id, after=order.position)
    after = users.position(found.next_position)
    keys = [key for key in found.keys if key != order.key]
    erasing.erase(worker.store.table, keys)
    return order.further(after, rows=len(keys))


def erase_objects(worker: Worker, order: ErasureItem) -> ErasureItem:
    blobs = worker.store.blobs
    for beginning in OBJECTS:
        names = blobs.list_names(beginning.format(order.workspace_id))
        for name in names:
            blobs.delete(name)
        if names:
            return order.again(objects=len(names))
    return order.further(None)


STEPS = (users.see_who_leaves, users.look_elsewhere, users.forget, erase_rows, erase_objects)
