"""Backlogs that nobody filed: facts of issues, their rows as saving writes them, and a look at them all."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from forge.context import Caller, Context
from forge.store.followers import follow
from forge.testing.builders import USER_ID, a_caller, an_issue
from forge.work.backlog.repositories import Provider, RepositoryItem
from forge.work.backlog.trackers.native import NativeTracker
from forge.work.issues.backlog_rows import rows
from forge.work.issues.issues import BacklogPlace, IssueItem, IssueLock, Priority
from forge.work.workspace.statuses import StatusCategory
from forge.work.workspace.workers import Worker
from tests.contract.dumps import restore
from tests.workshop.office import Office

POINTS = {"URGENT": 1000, "HIGH": 100, "MEDIUM": 10, "LOW": 1, "NONE": 0}
SOMEBODY = "usr_somebody"
_REPOSITORIES = count(1)


class Fact(NamedTuple):
    priority: Priority
    type: str | None
    hours: int
    is_blocking: bool = False
    is_blocked: bool = False
    status: str = "backlog"
    leased_minutes: int | None = None
    """Left of its lease, if there is one."""
    assignee_id: str | None = None

    @property
    def score(self) -> Fraction:
        """As the contract has it, worked out from nothing else."""
        points = Fraction(POINTS[self.priority.value] + min(self.hours // 24, 30))
        return points * (Fraction(3, 2) if self.is_blocking else 1) / (10 if self.is_blocked else 1)

    @property
    def is_mine_to_take(self) -> bool:
        if self.leased_minutes is not None and self.leased_minutes > 0:
            return False
        # What a lease that expired leaves in progress is free; what is in review stays there.
        free = {"backlog"} if self.leased_minutes is None else {"backlog", "in-progress"}
        return self.status in free and self.assignee_id in (None, USER_ID)


def by_age(facts: Iterable[Fact]) -> list[Fact]:
    """In the order of their numbers, which grow with time."""
    return sorted(facts, key=lambda fact: -fact.hours)


def best_of(facts: Sequence[Fact], types: Collection[str | None] | None, *, to_take: bool) -> list[int]:
    """The numbers of all that match, the highest score first: every single one is looked at."""
    wanted = [
        (-fact.score, number)
        for number, fact in enumerate(facts, start=1)
        if (types is None or fact.type in types) and (fact.is_mine_to_take or not to_take)
    ]
    return [number for _, number in sorted(wanted)]


class Heap:
    """A repository with these issues, and the tracker of somebody who looks at it."""

    def __init__(self, office: Office, facts: Sequence[Fact]) -> None:
        self.office, self.facts, self.now = office, facts, office.world.clock()
        self.repository = self._repository(next(_REPOSITORIES))

    def tracker(self) -> NativeTracker:
        return NativeTracker(self._context(), self.repository)

    def issues(self) -> Iterator[IssueItem]:
        for number, fact in enumerate(self.facts, start=1):
            yield self._issue(number, fact)

    def file(self) -> None:
        """Store heads, rows and counts as creating them does."""
        for issue in self.issues():
            tx = self.office.begin()
            tx.create(issue)
            follow(tx, (), rows.follows(issue))
            self.office.commit(tx)

    def shelve(self) -> None:
        """Store the rows alone, straight into the engine: there are many."""
        store = self.office.world.services.store
        shelved = [row for issue in self.issues() for row in rows.rows_of(issue)]
        restore(store, {(row.key.partition, row.key.sort): row.attributes() for row in shelved}, present={})

    def _issue(self, number: int, fact: Fact) -> IssueItem:
        made = self.now - timedelta(hours=fact.hours)
        return an_issue(
            workspace_id=self.office.workspace.id,
            id=f"iss_{self.repository.id}_{number}",
            number=number,
            category=StatusCategory.TODO,
            priority=fact.priority,
            project_id=self.repository.project_id,
            open_blockers=int(fact.is_blocked),
            assignee_ids=frozenset({fact.assignee_id} if fact.assignee_id else ()),
            lock=self._lock(fact.leased_minutes),
            backlog=BacklogPlace(
                repository_id=self.repository.id,
                type=fact.type,
                status=fact.status,
                is_blocking=fact.is_blocking,
                is_blocked=fact.is_blocked,
            ),
            created_at=made,
            updated_at=made,
        )

    def _lock(self, minutes: int | None) -> IssueLock | None:
        if minutes is None:
            return None
        return IssueLock(session_id="somebody", until=self.now + timedelta(minutes=minutes), fence=1)

    def _repository(self, place: int) -> RepositoryItem:
        return RepositoryItem(
            workspace_id=self.office.workspace.id,
            id=f"rep_{place}",
            full_name=f"heap/{place}",
            provider=Provider.NATIVE,
            project_id=f"prj_{place}",
            secret="none",
            created_at=self.now,
            updated_at=self.now,
        )

    def _context(self) -> Context:
        worker = Worker(self.office.world.services.store, lambda: self.now, self.office.world.ids)
        caller: Caller = a_caller(workspace_id=self.office.workspace.id)
        return worker.context_of(caller, tool="select_next_issue", request_id="req_1")
