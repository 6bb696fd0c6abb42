"""What every key of a workspace has a copy of, so that no call asks for it: ceiling, end, and shards."""

from datetime import datetime
from itertools import islice

from forge.store.physical import PARTITION, SORT
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.workspace.people.api_keys import API_KEYS, ApiKeyItem, AuthenticationItem
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.workspaces import WorkspaceItem

FOLLOWING = frozenset(
    {PARTITION, SORT, "calls_per_minute", "log_shards", "log_spread", "revoked_at", "workspace_ends_at"}
)
"""All that whoever brings keys up to date names of the items that authenticate."""

AT_ONCE = 60


def bring_up_to_date(table: Table, tx: Transaction, workspace: WorkspaceItem) -> None:
    """The newest keys, in the transaction that decides about their workspace; the others follow later."""
    newest = table.query(API_KEYS(workspace.id), limit=AT_ONCE, is_descending=True).first_ones()
    now = tx.origin.now
    every = {AUTHENTICATION(one): key for key in newest.of(ApiKeyItem) for one in key.hashes(now)}
    keys = dict(islice(every.items(), AT_ONCE))
    known = table.read(keys)
    for place, key in keys.items():
        used = known.find(AuthenticationItem, place)
        changes = what_differs(workspace, key, used, tx.origin.now) if used else {}
        if used and changes:
            tx.adjust(place, assign=changes, equal={"revoked_at": used.revoked_at})


def what_differs(
    workspace: WorkspaceItem, key: ApiKeyItem, used: AuthenticationItem, now: datetime
) -> dict[str, object]:
    """What has to become of the item that authenticates; nothing where it is as it should be.

    A key is stopped as if it were revoked, and says until when that can be undone. One that really was
    revoked stays so.
    """
    changes: dict[str, object] = {}
    if used.calls_per_minute != workspace.calls_per_minute:
        changes["calls_per_minute"] = workspace.calls_per_minute
    if used.log_shards != workspace.log_shards:
        changes["log_shards"] = workspace.log_shards
    if workspace.deletes_at is not None and used.revoked_at is None:
        changes |= {"revoked_at": now, "workspace_ends_at": workspace.deletes_at}
    is_stopped = used.workspace_ends_at is not None
    if workspace.deletes_at is None and is_stopped and key.revoked_at is None and used.is_member:
        changes |= {"revoked_at": None, "workspace_ends_at": None}
    return changes
