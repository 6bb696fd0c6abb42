"""Repositories whose issues are kept here: ordinary issues of a project, changed as by any other tool."""

from collections.abc import Sequence

from forge.auth.narrowing import allows_issue
from forge.context import Context
from forge.errors import NotFound
from forge.store import keys
from forge.store.counters import read_counts
from forge.store.ranges import EVERYTHING, HIGHEST, SortRange
from forge.store.transactions import Transaction
from forge.work.backlog import scans
from forge.work.backlog.repositories import RepositoryItem
from forge.work.backlog.scans import Scored
from forge.work.backlog.trackers import native_changes
from forge.work.backlog.trackers.trackers import (
    MOST_TEXT,
    BacklogListing,
    Draft,
    IssueExcerpt,
    Listed,
    PullRequest,
    StatusMark,
    Supply,
    Tracked,
    Types,
)
from forge.work.backlog.wording import PullRequestWords
from forge.work.issues.backlog_rows import rows
from forge.work.issues.backlog_rows.rows import ASIDE, FREE, FREE_OF_TYPE, HELD, UNTYPED, BacklogItem
from forge.work.issues.claims.holds import others_claim
from forge.work.issues.desks import Desk, open_issue, read_issues, settings_key
from forge.work.issues.edits import beginnings
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.issues import BodyItem, IssueItem, IssueLock
from forge.work.record import links, texts
from forge.work.record.log import attempts

_MOST_ROWS = 500
_MANY = 100


class NativeTracker:
    keeps_code = False

    def __init__(self, ctx: Context, repository: RepositoryItem) -> None:
        self._ctx = ctx
        self._repository = repository
        self._desks: dict[int, Desk] = {}

    def create(self, draft: Draft) -> Tracked:
        return native_changes.create(self._ctx, self._repository, draft)

    def candidates(self, types: Types, *, wanted: int) -> Sequence[Scored]:
        now = self._ctx.now()
        own = [row for row in self._rows(self._aside) if self._is_free(row, types)]
        expired = SortRange(last=f"{keys.sortable_time(now)}#{HIGHEST}")
        own += [row for row in self._rows(self._held, expired) if self._is_free(row, types)]
        free = self._best_free(types, wanted=wanted)
        return sorted([*free, *scans.in_order(own, now)], key=lambda one: one.order)

    def supply(self, types: Types) -> Supply:
        now = self._ctx.now()
        others = self._not_free()
        known = [scans.is_taken(row, now) for row in others if self._is_seen(row, types)]
        return Supply(self._all_seen(others), locked=sum(known), aside=len(known) - sum(known))

    def listing(self, types: Types, *, limit: int) -> BacklogListing:
        ctx, now = self._ctx, self._ctx.now()
        # Nobody counts what a key sees that is narrowed to labels, so as many are looked at.
        is_counted = not ctx.caller.narrowing.label_ids
        free = self._best_free(types, wanted=limit if is_counted else _MANY)
        rest = scans.in_order((row for row in self._not_free() if self._is_seen(row, types)), now)
        ranked = sorted([*free, *rest], key=lambda one: one.order)
        shown = ranked[:limit]
        reach = read_issues(ctx, [one.row.issue_id for one in shown], also=[settings_key(ctx)])
        found = [(reach.find(one.row.issue_id), one) for one in shown]
        issues = [
            Listed(native_changes.tracked(ctx, issue, reach.names.workspace), one)
            for issue, one in found
            if issue
        ]
        return BacklogListing(issues, self._total(types) if is_counted else len(ranked))

    def open(self, number: int) -> Tracked | None:
        desk = _desk(self._ctx, number)
        return self._opened(desk) if desk and self._is_own(desk.issue) else None

    def is_still_free(self, issue: Tracked) -> bool:
        """On the head, which the transaction holds to what is seen here."""
        found = rows.rows_of(self._desks[issue.number].issue)
        return bool(found) and self._is_free(found[0], None)

    def is_left(self, number: int) -> bool:
        issue = self.open(number)
        found = rows.rows_of(self._desks[number].issue) if issue else []
        return bool(found) and scans.is_open_to(found[0], self._ctx.caller, self._ctx.now())

    def text(self, issue: Tracked) -> IssueExcerpt:
        desk = self._desks[issue.number]
        place = BodyItem.at(desk.issue.workspace_id, issue.id)
        desk.fetch([place])
        kept = desk.get(BodyItem, place).description
        text = texts.read(self._ctx.services.store.blobs, kept) if kept else ""
        return IssueExcerpt(text[:MOST_TEXT], is_cut=len(text) > MOST_TEXT, is_foreign=False)

    def mark(self, tx: Transaction, issue: Tracked, mark: StatusMark) -> None:
        native_changes.mark(tx, self._desks[issue.number], mark)

    def settle(
        self, tx: Transaction, number: int, mark: StatusMark, *, held: IssueLock | None = None
    ) -> bool:
        desk = _desk(self._ctx, number)
        if desk is None or not (self._is_own(desk.issue) or native_changes.is_held_as(desk.issue, held)):
            return False
        issue = self._opened(desk)
        if native_changes.is_taken_over(desk.issue, held):
            return True
        if desk.issue.lock is None and others_claim(desk.issue, self._ctx.caller, self._ctx.now()):
            # Who claimed it after the lock had run out is at work, and says when it is done.
            mark = mark._replace(is_done=False)
        self.mark(tx, issue, mark if issue.is_open else native_changes.of_closed(mark))
        return True

    def is_branch_there(self, branch: str) -> bool:
        return False

    def make_branch(self, branch: str) -> None:
        """A name is enough: the code is kept elsewhere."""

    def open_pull_request(self, issue: Tracked, words: PullRequestWords, *, branch: str) -> PullRequest:
        number = beginnings.number_of(self._ctx, f"pulls#{self._repository.id}")
        name = self._repository.full_name
        url = links.pull_request_url(self._ctx, name, number, identifier=issue.identifier)
        return PullRequest(number, url)

    def _opened(self, desk: Desk) -> Tracked:
        self._desks[desk.issue.number] = desk
        attempts.learn(self._ctx, issue_id=desk.issue.id)
        return native_changes.tracked(self._ctx, desk.issue, desk.workspace)

    def _is_own(self, issue: IssueItem) -> bool:
        return issue.project_id == self._repository.project_id

    @property
    def _held(self) -> str:
        return HELD(self._ctx.caller.workspace_id, self._repository.id)

    @property
    def _aside(self) -> str:
        return ASIDE(self._ctx.caller.workspace_id, self._repository.id)

    def _best_free(self, types: Types, *, wanted: int) -> list[Scored]:
        """Of each type that is asked for, or of all at once."""
        ctx, narrowing = self._ctx, self._ctx.caller.narrowing
        place = (ctx.caller.workspace_id, self._repository.id)
        some = [FREE(*place)] if types is None else [FREE_OF_TYPE(*place, one or UNTYPED) for one in types]
        return [
            one
            for partition in some
            for one in scans.best(
                self._read,
                partition,
                now=ctx.now(),
                wanted=wanted,
                accepts=lambda row: self._is_seen(row, types),
                few=_MANY if narrowing.label_ids else scans.FEW,
            )
        ]

    def _read(self, partition: str, *, first: str, limit: int) -> list[BacklogItem]:
        among = SortRange(first=first, last=BacklogItem.stored.prefix(99))
        return self._ctx.table.query_all(partition, sort=among, most=limit).first_ones().of(BacklogItem)

    def _not_free(self) -> list[BacklogItem]:
        return [*self._rows(self._aside), *self._rows(self._held)]

    def _all_seen(self, others: Sequence[BacklogItem]) -> int:
        """How many open issues there are, of those that the caller may see."""
        if not self._ctx.caller.narrowing.label_ids:
            return sum(self._counts().values())
        free = self._best_free(None, wanted=_MANY)
        return len(free) + sum(self._is_seen(row, None) for row in others)

    def _rows(self, partition: str, among: SortRange = EVERYTHING) -> list[BacklogItem]:
        return self._ctx.table.query_all(partition, sort=among, most=_MOST_ROWS).first_ones().of(BacklogItem)

    def _is_seen(self, row: BacklogItem, types: Types) -> bool:
        is_wanted = types is None or row.type in types
        caller = self._ctx.caller
        return is_wanted and allows_issue(
            caller.narrowing, project_id=row.project_id, label_ids=row.label_ids
        )

    def _is_free(self, row: BacklogItem, types: Types) -> bool:
        return self._is_seen(row, types) and scans.is_free(row, self._ctx.caller, self._ctx.now())

    def _counts(self) -> dict[str, int]:
        name = rows.counter_of(self._repository.id)
        return dict(read_counts(self._ctx.table, self._ctx.caller.workspace_id, name))

    def _total(self, types: Types) -> int:
        wanted = None if types is None else {one or UNTYPED for one in types}
        return sum(count for name, count in self._counts().items() if wanted is None or name in wanted)


def settle_held(
    ctx: Context, tx: Transaction, number: int, mark: StatusMark, *, held: IssueLock | None
) -> None:
    """End a lock of a repository that is not there any more, if it is on an issue that is kept here."""
    desk = _desk(ctx, number)
    if desk is not None and native_changes.is_held_as(desk.issue, held):
        native_changes.mark(tx, desk, mark if desk.issue.is_open else native_changes.of_closed(mark))


def _desk(ctx: Context, number: int) -> Desk | None:
    place = ReferenceItem.at(ctx.caller.workspace_id, str(number))
    reference = ctx.table.find(ReferenceItem, place)
    try:
        return open_issue(ctx, reference.issue_id) if reference else None
    except NotFound:
        return None
