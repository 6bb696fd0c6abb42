"""Who may take what of a backlog, and where those begin who lost a race."""

from datetime import datetime

from forge.context import Caller
from forge.work.issues.backlog_rows.places import BacklogStatus
from forge.work.issues.backlog_rows.rows import BacklogItem, Shelf


def is_free(row: BacklogItem, caller: Caller, now: datetime) -> bool:
    """Nobody's, or the caller's own to take; a lease that has expired is free for everybody."""
    if row.shelf is Shelf.HELD:
        return row.held_until is not None and row.held_until <= now
    if row.status != BacklogStatus.BACKLOG:
        return False
    own_id = caller.agent_id or caller.user_id
    is_others = _is_claimed(row, now) and row.claimant_id != own_id
    return not is_others and (not row.assignee_ids or own_id in row.assignee_ids)


def takers_of(row: BacklogItem, now: datetime) -> list[str]:
    """Whose it is without a lock: who has claimed it, and whom it is assigned to."""
    claimant = {row.claimant_id} if row.claimant_id and _is_claimed(row, now) else set()
    return sorted(row.assignee_ids | claimant)


def is_taken(row: BacklogItem, now: datetime) -> bool:
    """Somebody has it for a while: under a lock, or claimed in whatever other way."""
    if row.shelf is Shelf.HELD:
        return row.held_until is not None and row.held_until > now
    return _is_claimed(row, now)


def _is_claimed(row: BacklogItem, now: datetime) -> bool:
    return row.claimant_id is not None and (row.claimed_until is None or row.claimed_until > now)
