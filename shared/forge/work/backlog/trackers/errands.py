"""Errands: what has to be done at GitHub because of what was decided here.

Each is stored in the transaction that decides it, and carried out later, one issue's after the other. The row
is the truth: a message is only a reason to look, and the sweep sends another one where none arrived.
"""

from datetime import datetime, timedelta

from forge.store.keys import At, Partition
from forge.store.ranges import SortRange
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.work.backlog.repositories import RepositoryItem
from forge.work.backlog.trackers.announcements import ELSEWHERE_CHANGED, ElsewhereChanged
from forge.work.backlog.trackers.trackers import StatusMark
from forge.work.issues.backlog_rows.places import BacklogStatus
from forge.work.record.log import events
from forge.work.workspace.jobs import Job

LOOKED_AT_AFTER = timedelta(minutes=5)
"""When the sweep minds an errand that nobody has carried out."""
MOST_OPEN = 500
MOST_AT_ONCE = 40

ERRANDS = Partition("WS#{workspace_id}#ERRAND#{repository_id}")
"""What has to be done where the issues of a repository are kept."""


class ErrandItem(Job):
    stored = At(ERRANDS, "{number:010}#{turn:012}")
    queue, named, is_in_turns = "errands", "issue", True
    again_after = LOOKED_AT_AFTER

    repository_id: str
    number: int
    turn: int
    """Its place among those of its issue."""
    status: BacklogStatus | None = None
    is_done: bool = False
    comment: str | None = None
    created_at: datetime
    tries: int = 0
    failure: str | None = None

    @property
    def called(self) -> str:
        """By its issue: all errands about one are run together."""
        return f"{self.repository_id}#{self.number}"


def leave(tx: Transaction, repository: RepositoryItem, number: int, mark: StatusMark) -> None:
    """Have GitHub told how an issue stands, and whoever listens; nothing where nothing changes for it."""
    if mark.status is None and not mark.is_done and mark.comment is None:
        return
    caller, now = tx.origin.caller, tx.origin.now
    errand = ErrandItem(
        workspace_id=caller.workspace_id,
        repository_id=repository.id,
        number=number,
        turn=mark.turn,
        status=mark.status,
        is_done=mark.is_done,
        comment=mark.comment,
        created_at=now,
        look_at=now + LOOKED_AT_AFTER,
    )
    # Somebody else had this turn: whoever decides with them decides again.
    tx.create(errand, refusal=overtaken)
    said = {"status": mark.status, "closed": mark.is_done or None, "comment": mark.comment}
    told = ElsewhereChanged(
        repository=repository.full_name,
        number=number,
        **{name: value for name, value in said.items() if value is not None},
    )
    subject_id = f"{repository.full_name}#{number}"
    events.record(tx, ELSEWHERE_CHANGED, told, subject_id=subject_id, action="update", errand=errand.called)


def of_repository(table: Table, workspace_id: str, repository_id: str) -> list[ErrandItem]:
    """The first that are open, those of one issue in the order in which they were left."""
    rows = table.query_all(ERRANDS(workspace_id, repository_id), most=MOST_OPEN)
    return rows.first_ones().of(ErrandItem)


def of_issue(table: Table, workspace_id: str, repository_id: str, number: int) -> list[ErrandItem]:
    """In the order in which they were left; as many as are run together."""
    among = SortRange(prefix=ErrandItem.stored.prefix(number))
    partition = ERRANDS(workspace_id, repository_id)
    return table.query_all(partition, sort=among, most=MOST_AT_ONCE).first_ones().of(ErrandItem)
