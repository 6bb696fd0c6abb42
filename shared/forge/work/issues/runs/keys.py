"""The keys of an agent's live runs: they end with whoever answers for them, and not with their runs alone."""

from collections.abc import Sequence

from forge.context import KeyKind
from forge.store.keys import Key
from forge.store.ranges import SortRange
from forge.store.readings import Readings
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.issues.inbox.rows import OF_AGENT
from forge.work.issues.runs.runs import LiveRunItem, RunItem, end_key
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationKind
from forge.work.record.log import events
from forge.work.workspace.people.api_keys import ApiKeyItem, AuthenticationItem, HeldKey
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.signins import revocations

AT_ONCE = 40
"""Ended in the transaction that decides; a continuation has the rest, and what began meanwhile."""


def of_agent(table: Table, workspace_id: str, agent_id: str) -> list[RunItem]:
    """The first of its live runs that have a key; two requests."""
    live = SortRange(prefix=LiveRunItem.stored.prefix())
    found = table.query(OF_AGENT(workspace_id, agent_id), sort=live, limit=AT_ONCE).first_ones()
    keys = [RunItem.at(workspace_id, guard.run_id) for guard in found.of(LiveRunItem)]
    readings = table.read(keys)
    return [run for key in keys if (run := readings.find(RunItem, key)) and run.key_hash]


def made_by(table: Table, runs: list[RunItem], key_id: str) -> list[RunItem]:
    """The runs whose key was made with this key; one request."""
    places = [AUTHENTICATION(str(run.key_hash)) for run in runs]
    readings = table.read(places)
    return [run for run, place in zip(runs, places, strict=True) if _maker(readings, place) == key_id]


def end_all(tx: Transaction, runs: list[RunItem]) -> None:
    """The runs go on, or are ended by somebody else."""
    for run in runs:
        end_key(tx, run)


def revoke_maker(tx: Transaction, table: Table, held: HeldKey, also: Sequence[ApiKeyItem] = ()) -> ApiKeyItem:
    """End a key with what it made: for runs, and `also` for others; a continuation has the rest."""
    item = held.item
    revoked = revocations.revoke(tx, held, also)
    if item.client is None or item.kind is KeyKind.AGENT:
        # Who lets a client act for them lets it make no keys.
        continuations.begin(tx, ContinuationKind.KEY_REVOKED, item.id)
    if item.kind is KeyKind.AGENT and item.linked_agent_id:
        live = of_agent(table, item.workspace_id, item.linked_agent_id)
        end_all(tx, made_by(table, live, item.id))
    events.record_change(tx, "key", item.id, action="revoke", before=item, after=revoked)
    return revoked


def _maker(readings: Readings, place: Key) -> str | None:
    used = readings.find(AuthenticationItem, place)
    return used.made_by_key_id if used and used.revoked_at is None else None
