"""What was put off comes back by itself."""

from typing import TYPE_CHECKING

from forge.store.keys import Key
from forge.work.requests import deciding, request_keys, requests
from forge.work.requests.requests import RequestStatus, find_whole

if TYPE_CHECKING:
    from forge.work.log.sweep import Sweep


def look(sweep: "Sweep", key: Key) -> bool:
    """Open again what was put off until now; whoever reads it meanwhile sees that it is."""
    _, workspace_id, _, request_id = key.partition.split("#")
    known = sweep.store.table.read(request_keys.whole(workspace_id, request_id))
    found = find_whole(known, workspace_id, request_id)
    if found is None or found[0].status is not RequestStatus.SNOOZED:
        return False
    before, texts = found
    after = before.as_of(sweep.now)
    if after is before:
        return False
    tx = sweep.begin(workspace_id)
    requests.save(tx, after, texts, resolution=None)
    deciding.tell(tx, before, after, deciding.told_of(before, after))
    sweep.store.commit(tx)
    return True
