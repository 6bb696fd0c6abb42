"""The line of issues that auto-dispatch found nobody for: while there is one, the sweep offers them again."""

from datetime import datetime

from forge.store.items import Item
from forge.store.keys import Shared
from forge.store.places import DueAt, due_attributes
from forge.store.transactions import Transaction
from forge.work.issues.dispatch import choices
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
    """Not what all have ignored: that is for people."""
    is_nobodys = issue.queued and issue.is_open and issue.assigned_agent_id is None
    return is_nobodys and issue.times_ignored <= MOST_GIVEN_OUT and choices.is_dispatching(workspace)


def form(tx: Transaction) -> None:
    """Somebody waits: the next sweep looks, and one that is about to close the line looks again."""
    workspace_id, now = tx.origin.caller.workspace_id, tx.origin.now
    place = LINE(workspace_id)
    tx.merge(
        place,
        add={"version": 1},
        assign={"workspace_id": workspace_id, "look_at": now, **due_attributes(place, now)},
    )
