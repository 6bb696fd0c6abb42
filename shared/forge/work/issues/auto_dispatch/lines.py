"""The line of issues that auto-dispatch found nobody for, and turns for many who take from one line at once.

While there is a line, the sweep offers its issues again. Who comes alone gets the best. Who lost a race takes
a ticket, and begins where that says: the others who lost begin elsewhere.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import TypeVar
from zlib import crc32

from forge.context import Caller, Context
from forge.errors import DomainError
from forge.store.counters import return_ticket, take_ticket
from forge.store.items import Item
from forge.store.keys import Shared
from forge.store.places import DueAt, due_attributes
from forge.store.transactions import Transaction
from forge.work.issues.auto_dispatch import choices
from forge.work.issues.issues import IssueItem
from forge.work.workspace.workspaces import WorkspaceItem

MOST_GIVEN_OUT = 5
"""Times in a row that an issue is given out anew because nobody answers; after that it waits for people."""

LINE = Shared("WS#{workspace_id}#LINE", "LINE")


class LineItem(Item):
    """One for a workspace, whose existence says that somebody may wait; the queue says who."""

    stored = LINE
    indexed = (DueAt("look_at"),)

    workspace_id: str
    look_at: datetime


def joins(before: IssueItem | None, after: IssueItem, workspace: WorkspaceItem) -> bool:
    """Whether an issue waits for an agent from now on. A claim may lapse, so it is no reason against that."""
    return waits(after, workspace) and not (before is not None and waits(before, workspace))


def waits(issue: IssueItem, workspace: WorkspaceItem) -> bool:
    """Whether an issue waits for auto-dispatch: queued, open, unassigned, and not ignored too often."""
    is_nobodys = issue.queued and issue.is_open and issue.assigned_agent_id is None
    return is_nobodys and issue.times_ignored <= MOST_GIVEN_OUT and choices.is_auto_dispatching(workspace)


def form(tx: Transaction) -> None:
    """Somebody waits: the next sweep looks, and one that is about to close the line looks again."""
    workspace_id, now = tx.origin.caller.workspace_id, tx.origin.now
    place = LINE(workspace_id)
    tx.merge(
        place,
        add={"version": 1},
        assign={"workspace_id": workspace_id, "look_at": now, **due_attributes(place, now)},
    )


RowT = TypeVar("RowT")

_TICKET, _LOSSES = "ticket", "losses"


def place_in_line(ctx: Context, queue: str) -> int | None:
    """Asked once each time that the handler runs: where to begin; None for the first time, at the front."""
    losses = ctx.memory[_LOSSES] = ctx.memory.get(_LOSSES, -1) + 1
    if losses == 0:
        return None
    if _TICKET not in ctx.memory:
        ctx.memory[_TICKET] = _take_ticket(ctx, queue)
    return place_of(ctx.caller, ticket=ctx.memory[_TICKET], losses=losses)


def place_of(caller: Caller, *, ticket: int, losses: int) -> int:
    """Where in the line to begin after so many lost races: those who lost the same one begin apart.

    By the ticket at first, which keeps near the best. Tickets are given back and then given again, so that
    who loses again goes by who they are, differently each time.
    """
    return ticket - 1 if losses == 1 else ticket - 1 + crc32(f"{caller.session_id}#{losses}".encode())


def in_turn(waiting: Sequence[RowT], place: int) -> list[RowT]:
    """The line from this place on, and what stood before it last."""
    start = place % len(waiting) if waiting else 0
    return [*waiting[start:], *waiting[:start]]


def _take_ticket(ctx: Context, queue: str) -> int:
    now = ctx.now()
    ticket = take_ticket(ctx.table, ctx.caller.workspace_id, queue, now)
    ctx.at_end += (lambda: _return_ticket(ctx, queue, now),)
    return ticket


def _return_ticket(ctx: Context, queue: str, taken_at: datetime) -> None:
    # A ticket that stays makes others begin elsewhere for two seconds, which does no harm.
    with suppress(DomainError):
        return_ticket(ctx.table, ctx.caller.workspace_id, queue, taken_at)
