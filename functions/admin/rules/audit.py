"""Which rows of the log an operator asks for, and where the fewest have to be read to find them."""

from datetime import datetime
from typing import NamedTuple

from forge.store import keys
from forge.store.cursors import Cursors
from forge.store.walks import Listing, Source
from forge.work.record.log.kinds import ISSUE
from forge.work.record.log.rows import LOG, LOG_OF_ISSUE, LogItem, log_of, log_partitions


class AboutIssue(NamedTuple):
    id: str
    created_at: datetime
    """Nothing was about it before."""


class WantedRows(NamedTuple):
    """Which changes: of everything, one kind of thing, one thing, or whatever is about one issue."""

    entity: str | None = None
    entity_id: str | None = None
    issue: AboutIssue | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_bounded(self) -> bool:
        """Whether more may have happened to the thing than is asked for; it may even be gone."""
        return bool(self.since or self.until or self.issue)

    def accepts(self, row: LogItem) -> bool:
        is_about = self.issue is None or row.about_issue == self.issue.id
        return self.entity in (None, row.subject_type) and is_about

    def listing(self, workspace_id: str, shards: int = 1) -> Listing:
        """Newest first: of one thing or about one issue where it is known which, else of all."""
        partition: str = LOG(workspace_id)
        sources = [Source(shard) for shard in log_partitions(workspace_id, shards)]
        index: str | None = None
        if subject_id := self._subject_id:
            partition, index = log_of(workspace_id, str(self.entity), subject_id)
        elif self.issue:
            partition, index = LOG_OF_ISSUE(workspace_id, self.issue.id), "updated"
        if index:
            sources = [Source(partition, index)]
        start, end = self._bounds
        # Others list the log as well, by other filters: where they go on is no place in this list.
        cursors = Cursors("audit", partition, self.entity or "", self.issue.id if self.issue else "")
        return Listing(sources, cursors, is_descending=True, start=start, end=end)

    @property
    def _subject_id(self) -> str | None:
        if self.entity == ISSUE and self.issue:
            return self.entity_id or self.issue.id
        return self.entity_id if self.entity else None

    @property
    def _bounds(self) -> tuple[str, str]:
        """Rows begin with their time: what is of the very moment comes after it, so not before `until`."""
        since = max((one for one in (self.since, self.issue and self.issue.created_at) if one), default=None)
        end = keys.sortable_time(since) if since else ""
        start = keys.sortable_time(self.until) if self.until else ""
        # An issue may be younger than the time asked for: then there is nothing between the bounds.
        return (max(start, end) if start else ""), end
