"""The queue: issues that wait for somebody, in the order in which they should be taken."""

from datetime import datetime

from forge.store.items import Item
from forge.store.keys import Key
from forge.work.issues import issue_keys


class QueueItem(Item):
    """A row for each queued issue that is open and not blocked.

    It repeats what decides who may take the issue, so that choosing needs no issue to be read. Whoever
    changes the issue writes it, under the issue's version.
    """

    workspace_id: str
    issue_id: str
    rank: int
    created_at: datetime
    held_until: datetime | None = None
    """While it is claimed: until when. Past that it is free to take."""
    project_id: str | None = None
    label_ids: frozenset[str] = frozenset()
    assigned_agent_id: str | None = None

    @property
    def key(self) -> Key:
        if self.held_until:
            return issue_keys.held_row(self.workspace_id, expires_at=self.held_until, issue_id=self.issue_id)
        return issue_keys.queue_row(
            self.workspace_id, priority=self.rank, created_at=self.created_at, issue_id=self.issue_id
        )

    @property
    def order(self) -> tuple[int, datetime, str]:
        """The most urgent first, then the oldest."""
        return -self.rank, self.created_at, self.issue_id
