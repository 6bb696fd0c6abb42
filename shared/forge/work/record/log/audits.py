"""Keeping what a call came to in the log: beside its transaction, and without any say in its answer."""

from typing import Any

from forge import deadline
from forge.context import Context
from forge.work.record.log import events
from forge.work.record.log.attempts import Attempt

_LEARNED = "learned for the audit"
_PATIENCE = 1.0
"""How long an answer waits for its row, in seconds, where the table does not take it at once."""


def learn(ctx: Context, **facts: str) -> None:
    """Keep in mind what the call is about, in case that it fails."""
    ctx.memory[_LEARNED] = {**learned(ctx), **facts}


def learned(ctx: Context) -> dict[str, Any]:
    found: dict[str, Any] = ctx.memory.get(_LEARNED, {})
    return found


def keep(
    ctx: Context, attempt: Attempt, *, subject_type: str, subject_id: str, issue_id: str | None = None
) -> None:
    """Write the row, or raise that it can't be written: whoever answers the call decides what that means."""
    store = ctx.services.store
    tx = store.begin(ctx)
    events.record_attempt(tx, attempt, subject_type, subject_id, issue_id=issue_id)
    begun = deadline.begin(min(_PATIENCE, deadline.seconds_left()))
    try:
        store.commit(tx)
    finally:
        deadline.end(begun)
