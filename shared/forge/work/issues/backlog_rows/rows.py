"""The rows of a backlog: derived from an issue's head, and moved in the transaction that changes it.

A row repeats what decides who may take the issue and what it scores, so that choosing needs no head to be
read. An issue is either free to take, held under a lease, or aside: open, and not free for everybody.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum

from forge.store.followers import Counted, Follower
from forge.store.items import DerivedItem
from forge.store.keys import At, Partition
from forge.store.transactions import Transaction
from forge.work.issues.backlog_rows import scores
from forge.work.issues.backlog_rows.places import BacklogStatus
from forge.work.issues.backlog_rows.scores import ScoreClass
from forge.work.issues.issues import IssueItem, Priority
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationKind

UNTYPED = "none"
MOST_AT_ONCE = 4
"""Issues that change class because what blocks them closes; the rest follows within minutes."""


class Shelf(StrEnum):
    FREE = "free"
    HELD = "held"
    ASIDE = "aside"


FREE = Partition("WS#{workspace_id}#BL#{repository_id}")
"""What anybody may take. Read ascending, the best class first."""
FREE_OF_TYPE = Partition("WS#{workspace_id}#BL#{repository_id}#{type_name}")
ASIDE = Partition("WS#{workspace_id}#BL#{repository_id}#ASIDE")
"""What is open and free for some at most: assigned, claimed, in review or blocked."""
HELD = Partition("WS#{workspace_id}#HELD#{repository_id}")
_IN_CLASS = "{place:02}#{number:010}"


class BacklogItem(DerivedItem):
    stored = At(FREE, _IN_CLASS)
    instead = (
        At(HELD, "{held_until}#{number:010}", when="held_until"),
        At(ASIDE, _IN_CLASS, when="is_aside"),
        At(FREE_OF_TYPE, _IN_CLASS, when="of_type"),
    )

    workspace_id: str
    repository_id: str
    issue_id: str
    number: int
    shelf: Shelf
    of_type: bool = False
    """Whether it stands among those of its type alone."""
    type: str | None = None
    status: str
    priority: Priority
    is_blocking: bool
    is_blocked: bool
    created_at: datetime
    held_until: datetime | None = None
    project_id: str | None = None
    label_ids: frozenset[str] = frozenset()
    assignee_ids: frozenset[str] = frozenset()
    """People and agents alike."""
    claimant_id: str | None = None
    claimed_until: datetime | None = None

    @property
    def place(self) -> int:
        return scores.place_of(self.score_class)

    @property
    def is_aside(self) -> bool:
        return self.shelf is Shelf.ASIDE

    @property
    def type_name(self) -> str:
        return self.type or UNTYPED

    @property
    def score_class(self) -> ScoreClass:
        return ScoreClass(self.priority, self.is_blocking, self.is_blocked)


def rows_of(issue: IssueItem) -> list[BacklogItem]:
    place = issue.backlog
    if place is None or not issue.is_open:
        return []
    row = BacklogItem.of(
        issue,
        issue_id=issue.id,
        shelf=_shelf(issue),
        held_until=issue.lock.until if issue.lock else None,
        assignee_ids=issue.assignee_ids | ({issue.assigned_agent_id} if issue.assigned_agent_id else set()),
        claimed_until=issue.claim_expires_at,
        **place.model_dump(),
    )
    return [row, row.changed(of_type=True)] if row.shelf is Shelf.FREE else [row]


def _shelf(issue: IssueItem) -> Shelf:
    if issue.lock:
        return Shelf.HELD
    is_anybodys = not (issue.assignee_ids or issue.assigned_agent_id or issue.claimant_id)
    is_waiting = issue.backlog is not None and issue.backlog.status == BacklogStatus.BACKLOG
    return Shelf.FREE if is_anybodys and is_waiting else Shelf.ASIDE


def settled(issue: IssueItem) -> IssueItem:
    """The head with what its place takes from the head itself: nothing else has to be known for that."""
    place, is_blocked = issue.backlog, issue.open_blockers > 0
    if place is None or place.is_blocked == is_blocked:
        return issue
    return issue.changed(backlog=place.model_copy(update={"is_blocked": is_blocked}))


def settle_later(tx: Transaction) -> None:
    """Have the sweep put every issue of the workspace into its place."""
    continuations.begin(tx, ContinuationKind.BACKLOG_PLACED, tx.origin.caller.workspace_id)


def follows(issue: IssueItem) -> Iterator[Follower]:
    """Its rows, and that its repository has one more open issue of its type."""
    rows = rows_of(issue)
    yield from rows
    for row in rows[:1]:
        yield Counted(counter_of(row.repository_id), row.type or UNTYPED)


def counter_of(repository_id: str) -> str:
    return f"backlog#{repository_id}"
