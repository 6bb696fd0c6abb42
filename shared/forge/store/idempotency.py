"""Idempotency records: a repeated call gets the first one's answer, because both were stored together."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from forge.context import Caller
from forge.errors import Conflict
from forge.store.blobs import Blobs
from forge.store.items import Item
from forge.store.keys import At, Key, sortable_time
from forge.store.physical import ANSWERS, PARTITION
from forge.store.places import KeptFor
from forge.store.table import Table
from forge.store.transactions import Transaction, Write

KEPT = timedelta(hours=24)
MAX_INLINE = 64 * 1024


class Replayed(Exception):
    """This call has already taken effect; here is what it answered."""

    def __init__(self, answer: str) -> None:
        super().__init__("already done")
        self.answer = answer


class IdempotencyItem(Item):
    stored = At("WS#{workspace_id}#IDEMPOTENCY#{key_id}", "{tool}#{digest}", held_in=("partition", "sort"))
    kept = KeptFor(since="record_expires_at")

    partition: str
    sort: str
    fingerprint: str
    answer: str | None = None
    blob: str | None = None
    record_expires_at: datetime

    @classmethod
    def of_call(cls, workspace_id: str, key_id: str, *, tool: str, given: str) -> Key:
        return cls.at(workspace_id, key_id, tool, sha256(given.encode()).hexdigest())


@dataclass(frozen=True, slots=True)
class Idempotency:
    """One call that carries an idempotency key: what was stored for it, and how to store its answer."""

    table: Table
    blobs: Blobs
    key: Key
    fingerprint: str
    now: datetime

    @classmethod
    def of_call(
        cls,
        table: Table,
        blobs: Blobs,
        *,
        caller: Caller,
        tool: str,
        given: str,
        arguments: Mapping[str, object],
        now: datetime,
    ) -> "Idempotency":
        """Scoped to the key and the tool; the same arguments in another order are the same."""
        canonical = json.dumps(arguments, sort_keys=True, default=str)
        key = IdempotencyItem.of_call(caller.workspace_id, caller.key_id, tool=tool, given=given)
        return cls(table, blobs, key, sha256(canonical.encode()).hexdigest(), now)

    @property
    def claim(self) -> str:
        return sha256(f"{self.key.partition}|{self.key.sort}".encode()).hexdigest()[:32]

    def raise_if_done(self) -> None:
        """Replayed or Conflict when there is a record that still counts."""
        found = self.table.find(IdempotencyItem, self.key)
        if found is not None and found.record_expires_at > self.now:
            raise self._verdict(found)

    def remember(self, tx: Transaction, answer: str) -> None:
        """Put the record first, so that its failure is the one that is told."""
        item = self._item(answer, tx.token)
        request: dict[str, Any] = {
            "TableName": tx.table_name,
            "Item": item.attributes(),
            "ConditionExpression": f"attribute_not_exists({PARTITION}) OR #expires <= :now",
            "ExpressionAttributeNames": {"#expires": "record_expires_at"},
            "ExpressionAttributeValues": {":now": {"S": sortable_time(self.now)}},
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        tx.writes.insert(0, Write({"Put": request}, self._explain()))

    def _item(self, answer: str, token: str) -> IdempotencyItem:
        is_large = len(answer.encode()) > MAX_INLINE
        # Named after this very attempt: it is written before it is decided whether the attempt counts.
        name = f"{ANSWERS}{self.key.partition}/{self.key.sort}/{token}"
        blob = self.blobs.put_text(name, answer) if is_large else None
        return IdempotencyItem(
            partition=self.key.partition,
            sort=self.key.sort,
            fingerprint=self.fingerprint,
            answer=None if is_large else answer,
            blob=blob,
            record_expires_at=self.now + KEPT,
        )

    def _explain(self) -> Callable[[dict[str, Any] | None], Exception]:
        def explain(old_item: dict[str, Any] | None) -> Exception:
            if old_item is None:
                return Conflict("This call is being made twice at once.", retryable=True)
            return self._verdict(IdempotencyItem.from_attributes(old_item))

        return explain

    def _verdict(self, record: IdempotencyItem) -> Exception:
        if record.fingerprint != self.fingerprint:
            return Conflict(
                "This idempotency key was used for other arguments.",
                hint="Use a new key for a new call; repeat a call with exactly its arguments.",
            )
        if record.blob is not None:
            return Replayed(self.blobs.get_text(record.blob))
        return Replayed(record.answer or "null")
