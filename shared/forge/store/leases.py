"""Leases: exclusive for a while, with a fence that only grows.

Whoever writes under a lease replaces it in the same transaction, so that a holder who woke up too late can't
overwrite its successor's work. Expiry is compared by us; a free lease keeps its fence.
"""

from datetime import datetime, timedelta

from forge.errors import Conflict
from forge.store.items import Item
from forge.store.keys import At
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken


class LeaseItem(Item):
    stored = At("WS#{workspace_id}#LEASE#{name}", "LEASE")

    workspace_id: str
    name: str
    key_id: str | None = None
    session_id: str | None = None
    acquired_at: datetime | None = None
    lease_expires_at: datetime | None = None
    fence: int = 0

    def is_held_by(self, key_id: str, session_id: str) -> bool:
        return (self.key_id, self.session_id) == (key_id, session_id)

    def is_free(self, now: datetime) -> bool:
        return self.lease_expires_at is None or self.lease_expires_at <= now


def find(table: Table, workspace_id: str, name: str) -> LeaseItem:
    """The lease as it is; one that nobody ever held is free and has fence 0."""
    found = table.find(LeaseItem, LeaseItem.at(workspace_id, name))
    return found or LeaseItem(workspace_id=workspace_id, name=name, version=0)


def acquire(tx: Transaction, lease: LeaseItem, *, duration: timedelta) -> LeaseItem:
    """Take a lease that is free or our own; anybody else's is a Conflict that says until when.

    A new holder gets a higher fence. The holder who renews keeps it.
    """
    caller, now = tx.origin.caller, tx.origin.now
    is_own = lease.is_held_by(caller.key_id, caller.session_id)
    if not is_own and not lease.is_free(now):
        raise held(lease)
    if not is_own:
        return seize(tx, lease, duration=duration)
    tx.replace(renewed := lease.changed(lease_expires_at=now + duration))
    return renewed.changed(version=renewed.version + 1)


def seize(tx: Transaction, lease: LeaseItem, *, duration: timedelta) -> LeaseItem:
    """Take a lease whoever has it, as it was seen: the fence grows, and the former holder can do no more."""
    caller, now = tx.origin.caller, tx.origin.now
    taken = lease.changed(
        key_id=caller.key_id,
        session_id=caller.session_id,
        acquired_at=now,
        lease_expires_at=now + duration,
        fence=lease.fence + 1,
    )
    if lease.version == 0:
        # Somebody was first: run again, and see who.
        taken = taken.changed(version=1)
        tx.create(taken, refusal=overtaken)
        return taken
    tx.replace(taken)
    return taken.changed(version=taken.version + 1)


def vacate(tx: Transaction, lease: LeaseItem) -> None:
    """Free a lease that its holder gave back or that has expired."""
    tx.replace(lease.changed(key_id=None, session_id=None, acquired_at=None, lease_expires_at=None))


def held(lease: LeaseItem) -> Conflict:
    until = lease.lease_expires_at
    return Conflict(
        f"Somebody else holds this until {until.isoformat() if until else 'they give it back'}.",
        hint="Take something else, or try again after that time.",
        details={"leaseExpiresAt": until.isoformat() if until else None, "fence": lease.fence},
    )
