"""Writing the log: one row per mutation, which is its event and its audit entry in one."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any

from forge import deadline
from forge.context import Context
from forge.contract.effects import Emission, Told
from forge.store.items import Item
from forge.store.transactions import Transaction
from forge.work.record.log.attempts import Attempt
from forge.work.record.log.kinds import Entity, EventKind
from forge.work.record.log.rows import LogItem, OutboxItem, Wake, shard_of

UNSENT_AFTER = timedelta(minutes=2)

Digest = dict[str, Any]

_PATIENCE = 1.0
"""How many seconds an answer waits for the row of an attempt, where the table does not take it at once."""

# Secrets, what only the store and the sweep mind, what the row says itself, and copies of what has rows of
# its own.
_NEVER_LOGGED = frozenset(
    {
        "workspace_id",
        "id",
        "issue_id",
        "created_at",
        "updated_at",
        "claimed_at",
        "claim_minutes",
        "category",
        "live_runs",
        "current_run_id",
        "version",
        "watch_at",
        "webhook_secret",
        "next_secret",
        "secret",
        "key_hash",
        "key_ends_at",
        "live_keys",
        "statuses",
        "steps",
        "look_at",
        "stalled_at",
        "called_at",
    }
)


def record(
    tx: Transaction,
    emission: Emission,
    told: Told,
    *,
    subject_id: str,
    action: str,
    before: Item | None = None,
    after: Item | None = None,
    issue_id: str | None = None,
    wakes: Sequence[Wake] = (),
    errand: str | None = None,
    event_id: str | None = None,
) -> LogItem:
    """Write the row of a mutation that is announced, in its own transaction."""
    if not isinstance(told, emission.told):
        raise TypeError(f"{emission} tells {emission.told.__name__}, not {type(told).__name__}")
    row = _row(
        tx,
        emission.subject,
        subject_id,
        action=action,
        before=before,
        after=after,
        event_id=event_id,
        kind=EventKind(emission.kind),
        payload=told.payload(),
        issue_id=issue_id,
        wakes=[*wakes],
        errand=errand,
    )
    return _announce(tx, row)


def record_change(
    tx: Transaction,
    subject_type: str,
    subject_id: str,
    *,
    action: str,
    before: Item | None = None,
    after: Item | None = None,
    issue_id: str | None = None,
    workspace_id: str | None = None,
) -> LogItem:
    """Write the row of a mutation that is audited, and announced to nobody."""
    row = _row(
        tx,
        subject_type,
        subject_id,
        action=action,
        before=before,
        after=after,
        issue_id=issue_id,
        workspace_id=workspace_id or tx.origin.caller.workspace_id,
    )
    audited = _placed(tx, row)
    tx.create(audited)
    return audited


def record_attempt(
    ctx: Context, attempt: Attempt, *, subject_type: str, subject_id: str, issue_id: str | None = None
) -> None:
    """Write the row of a call that is no mutation, and audited all the same.

    It raises when it can't be written: whoever answers the call decides what that means.
    """
    store = ctx.services.store
    tx = store.begin(ctx)
    record_refusal(tx, attempt, subject_type=subject_type, subject_id=subject_id, issue_id=issue_id)
    begun = deadline.begin(min(_PATIENCE, deadline.seconds_left()))
    try:
        store.commit(tx)
    finally:
        deadline.end(begun)


def record_refusal(
    tx: Transaction, attempt: Attempt, *, subject_type: str, subject_id: str, issue_id: str | None = None
) -> None:
    """The same row, in a transaction of whoever refused."""
    row = _row(tx, subject_type, subject_id, action=attempt.outcome, attempt=attempt, issue_id=issue_id)
    tx.create(_placed(tx, row))


def record_waits(tx: Transaction, subject_type: str, subject_id: str, waits: Sequence[str]) -> None:
    """Log that these waits changed, so that their worker looks at them; nobody else is told."""
    _announce(tx, _row(tx, subject_type, subject_id, action="wait", waits=[*waits]))


def tell_sleepers(tx: Transaction, issue_id: str) -> None:
    """Have those told who sleep until there is an issue to claim. It is no event, and has no row."""
    origin = tx.origin
    mark = tx.growing.get(OutboxItem) or OutboxItem(
        workspace_id=origin.caller.workspace_id,
        id=origin.new_id("evt"),
        created_at=origin.now,
        outbox_due=origin.now + UNSENT_AFTER,
    )
    tx.growing[OutboxItem] = mark.changed(freed=[*mark.freed, issue_id])


def _announce(tx: Transaction, row: LogItem) -> LogItem:
    """One mark for all that a transaction has to tell, and all of that in its shard."""
    if not _is_awaited(row, tx.origin.heard):
        tx.create(placed := _placed(tx, row))
        return placed
    due = row.created_at + UNSENT_AFTER
    mark = tx.growing.get(OutboxItem) or OutboxItem.of(_placed(tx, row), outbox_due=due)
    announced = row.changed(shard=mark.shard) if mark.shard else row
    tx.create(announced)
    tx.growing[OutboxItem] = mark.changed(rows=[*mark.rows, row.id])
    return announced


def _is_awaited(row: LogItem, heard: Collection[str] | None) -> bool:
    """Whether anybody has to be told: a mark that nobody waits for costs more than its row."""
    is_heard = row.kind is not None and (heard is None or row.kind in heard)
    return bool(is_heard or row.wakes or row.waits or row.errand or row.changes_text)


def _placed(tx: Transaction, row: LogItem) -> LogItem:
    spread = tx.origin.caller.log_spread
    return row.changed(shard=shard_of(row.about_issue or row.subject_id, spread)) if spread > 1 else row


def _row(
    tx: Transaction,
    subject_type: str,
    subject_id: str,
    *,
    action: str,
    before: Item | None = None,
    after: Item | None = None,
    event_id: str | None = None,
    **more: Any,
) -> LogItem:
    """Of two items, only what really changed is kept."""
    origin = tx.origin
    old, new = _differences(before, after)
    more = {"workspace_id": origin.caller.workspace_id, **more}
    return LogItem(
        id=event_id or origin.new_id("evt"),
        # What nobody could ask the audit for is not written.
        subject_type=Entity(subject_type),
        subject_id=subject_id,
        action=action,
        tool=origin.tool,
        actor_user_id=origin.caller.user_id,
        actor_agent_id=origin.caller.agent_id,
        key_id=origin.caller.key_id,
        request_id=origin.request_id,
        before=old,
        after=new,
        created_at=origin.now,
        **more,
    )


def _differences(before: Item | None, after: Item | None) -> tuple[Digest | None, Digest | None]:
    """Only the fields that differ, and of those only what may be kept.

    Of what begins or ends, that is what it was given: the rest follows from its kind. Of what changed, a
    field that stands in one alone was empty in the other.
    """
    is_whole = before is None or after is None
    old = before.model_dump(mode="json", exclude_defaults=is_whole) if before else {}
    new = after.model_dump(mode="json", exclude_defaults=is_whole) if after else {}
    first: Digest = {}
    second: Digest = {}
    for name in (old.keys() | new.keys()) - _NEVER_LOGGED:
        was, now = old.get(name), new.get(name)
        if was != now and was is not None:
            first[name] = was
        if was != now and now is not None:
            second[name] = now
    is_told = first or second
    return first if before and is_told else None, second if after and is_told else None
