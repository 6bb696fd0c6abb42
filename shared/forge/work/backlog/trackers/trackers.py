"""Where the issues of a repository are kept: what the backlog asks of it, and says to it."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from forge.store.transactions import Transaction
from forge.work.backlog.scans import Scored
from forge.work.backlog.wording import PullRequestWords
from forge.work.issues.backlog_rows.places import BacklogStatus, IssueType
from forge.work.issues.issues import IssueLock, Priority

PRIORITIES = {
    "critical": Priority.URGENT,
    "high": Priority.HIGH,
    "medium": Priority.MEDIUM,
    "low": Priority.LOW,
}
WORDS = {priority: word for word, priority in PRIORITIES.items()}
MOST_TEXT = 4_000


Types = Collection[str | None] | None
"""Which types are asked for, None among them for issues without one; None for every one of them."""


class Draft(NamedTuple):
    title: str
    body: str
    priority: Priority
    type: IssueType


class Tracked(NamedTuple):
    """An issue, as every tracker can tell of it."""

    id: str
    identifier: str
    number: int
    title: str
    url: str
    labels: tuple[str, ...]
    priority: Priority
    type: str | None
    status: BacklogStatus
    is_open: bool
    created_at: datetime
    blocked_by: int | None = None
    lock: IssueLock | None = None


class IssueExcerpt(NamedTuple):
    """The beginning of what an issue says, at most `MOST_TEXT` characters."""

    text: str
    is_cut: bool
    is_foreign: bool
    """Whether anybody on GitHub may have written it."""


class Listed(NamedTuple):
    issue: Tracked
    scored: Scored


class BacklogListing(NamedTuple):
    issues: Sequence[Listed]
    total: int


class Supply(NamedTuple):
    """What there would be, where nothing is free. All that the caller may see; the others match as well."""

    total: int
    locked: int
    """How many of them somebody has locked at the moment."""
    aside: int
    """In review, blocked, or assigned to others."""


class StatusMark(NamedTuple):
    """How an issue stands from now on; what is None stays."""

    lock: IssueLock | None
    """Who has it, or None where nobody does."""
    turn: int
    """When that is, as the lease counts: of two marks, the later one has the higher turn."""
    status: BacklogStatus | None = None
    is_done: bool = False
    comment: str | None = None


class PullRequest(NamedTuple):
    number: int
    url: str


class IssueTracker(Protocol):
    @property
    def keeps_code(self) -> bool:
        """Whether there are branches and pull requests to be made, and not only their names."""

    def create(self, draft: Draft) -> Tracked:
        """Plan a new issue."""

    def candidates(self, types: Types, *, wanted: int) -> Sequence[Scored]:
        """What the caller may take now, the best first: at least so many, if there are as many."""

    def supply(self, types: Types) -> Supply: ...

    def listing(self, types: Types, *, limit: int) -> BacklogListing: ...

    def open(self, number: int) -> Tracked | None:
        """An issue that the caller may see, to be marked afterwards."""

    def is_still_free(self, issue: Tracked) -> bool:
        """Whether the opened issue can be taken by the caller."""

    def is_left(self, number: int) -> bool:
        """Whether whoever had its lock when that ran out may go on: it is open, and nobody else's by now.

        Where it is kept elsewhere, only what is known here counts.
        """

    def text(self, issue: Tracked) -> IssueExcerpt:
        """What the opened issue says."""

    def mark(self, tx: Transaction, issue: Tracked, mark: StatusMark) -> None:
        """Change the opened issue in a transaction that holds the lease to what was read."""

    def settle(
        self, tx: Transaction, number: int, mark: StatusMark, *, held: IssueLock | None = None
    ) -> bool:
        """The same for an issue that nobody opened; whether there is one.

        Where it is kept elsewhere, nobody is asked, so that locks do not depend on others. What is closed
        gets no status. A lock that ends is `held`: it also ends on an issue that is in another repository by
        now, and a lock that somebody has there stays.
        """

    def is_branch_there(self, branch: str) -> bool:
        """Whether somebody made it already; never where branches are but names."""

    def make_branch(self, branch: str) -> None:
        """Make a branch of this name, unless the repository has it."""

    def open_pull_request(self, issue: Tracked, words: PullRequestWords, *, branch: str) -> PullRequest:
        """The open pull request from this branch; without one, a new one."""
