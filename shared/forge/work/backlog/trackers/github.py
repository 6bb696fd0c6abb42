"""Repositories whose issues are kept on GitHub. The lock and the work under it are kept here.

Choosing reads what GitHub has now; what is decided is stored with an errand, which tells GitHub of it.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from forge.context import Context
from forge.github.client import GitHubRepository
from forge.github.failures import NotThere
from forge.github.records import GitHubIssue
from forge.store.ranges import SortRange
from forge.store.transactions import Transaction
from forge.work.backlog import scans
from forge.work.backlog.github import connections, foreign_texts
from forge.work.backlog.refusals import BacklogRefusal, refusal
from forge.work.backlog.repositories import RepositoryItem
from forge.work.backlog.scans import Scored
from forge.work.backlog.trackers import errands, github_making, github_rows, twins
from forge.work.backlog.trackers.github_rows import NOTHING, KnownMarks
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
from forge.work.backlog.workflows.workflows import ARCHIVED, WORKFLOWS, WorkflowItem
from forge.work.issues.backlog_rows.rows import BacklogItem
from forge.work.issues.claims.holds import others_claim
from forge.work.issues.issues import IssueItem, IssueLock
from forge.work.record.log import attempts
from forge.work.workspace.workers import worker_of

MOST_OPEN = 5_000
_MOST_ASKED_FOR_BLOCKERS = 20


class GitHubTracker:
    keeps_code = True

    def __init__(self, ctx: Context, repository: RepositoryItem) -> None:
        self._ctx = ctx
        self._repository = repository
        self._opened: dict[int, tuple[GitHubIssue, BacklogItem]] = {}
        self._twin_ids: dict[int, str | None] = {}

    @cached_property
    def _github(self) -> GitHubRepository:
        return connections.connect(worker_of(self._ctx.services, self._ctx.tool), self._repository)

    def create(self, draft: Draft) -> Tracked:
        try:
            facts = self._github.facts()
        except NotThere:
            raise self._no_repository() from None
        if not facts.can_push:
            raise refusal(
                "NO_WRITE_ACCESS",
                f"The connection to {facts.full_name} may only read. Ask an admin for another one.",
            )
        github_making.ensure_labels(self._github)
        made = github_making.create_issue(self._ctx, self._github, self._repository, draft)
        return github_rows.tracked(made, self._repository, NOTHING)

    def candidates(self, types: Types, *, wanted: int) -> Sequence[Scored]:
        """Every issue that can be taken, the best first, however few are `wanted`: all are read anyway."""
        ctx = self._ctx
        free = (row for row in self._rows(types) if scans.is_free(row, ctx.caller, ctx.now()))
        return scans.in_order(free, ctx.now())

    def supply(self, types: Types) -> Supply:
        now = self._ctx.now()
        known = [scans.is_taken(row, now) for row in self._rows(types)]
        return Supply(len(self._rows(None)), locked=sum(known), aside=len(known) - sum(known))

    def listing(self, types: Types, *, limit: int) -> BacklogListing:
        rows = scans.in_order(self._rows(types), self._ctx.now())
        known = self._known
        blocked = [one.row.number for one in rows[:limit] if one.row.is_blocked]
        blockers = {
            number: min(self._github.blockers(number), default=None)
            for number in blocked[:_MOST_ASKED_FOR_BLOCKERS]
        }
        shown = [
            Listed(
                github_rows.tracked(
                    self._issues[one.row.number],
                    self._repository,
                    known.get(one.row.number, NOTHING),
                    blocked_by=blockers.get(one.row.number),
                ),
                one,
            )
            for one in rows[:limit]
        ]
        return BacklogListing(shown, len(rows))

    def open(self, number: int) -> Tracked | None:
        try:
            issue = self._github.issue(number)
        except NotThere:
            return None
        if issue.is_pull_request:
            return None
        known, issue_id = self._known_of(number), self._twin_id(number)
        self._opened[number] = issue, github_rows.row_of(issue, self._repository, known)
        if number in self._memory:
            # What was listed before the call ran again may be older.
            self._memory[number] = issue
        tracked = github_rows.tracked(issue, self._repository, known)
        if issue_id is not None:
            attempts.learn(self._ctx, issue_id=issue_id)
        return tracked._replace(id=issue_id or tracked.id)

    def is_still_free(self, issue: Tracked) -> bool:
        _, row = self._opened[issue.number]
        return issue.is_open and scans.is_free(row, self._ctx.caller, self._ctx.now())

    def is_left(self, number: int) -> bool:
        issue_id = self._twin_id(number)
        twin = twins.find(self._ctx, issue_id) if issue_id else None
        return twin is None or others_claim(twin, self._ctx.caller, self._ctx.now()) is None

    def text(self, issue: Tracked) -> IssueExcerpt:
        said, _ = self._opened[issue.number]
        text = foreign_texts.as_description(
            url=said.url,
            repository=self._repository.full_name,
            author=said.author,
            body=said.body,
            most=MOST_TEXT,
        )
        return IssueExcerpt(text, is_cut=foreign_texts.is_cut(text), is_foreign=True)

    def mark(self, tx: Transaction, issue: Tracked, mark: StatusMark) -> None:
        self.settle(tx, issue.number, mark, held=issue.lock)

    def settle(
        self, tx: Transaction, number: int, mark: StatusMark, *, held: IssueLock | None = None
    ) -> bool:
        """Whoever runs the errand sees whether it is still open.

        The issue that was made of it here is claimed as long as this one is locked.
        """
        errands.leave(tx, self._repository, number, mark)
        issue_id = self._twin_id(number)
        if issue_id and mark.lock:
            twins.hold(self._ctx, tx, issue_id, mark.lock, held=held)
        elif issue_id:
            twins.let_go(self._ctx, tx, issue_id, held)
        return True

    def is_branch_there(self, branch: str) -> bool:
        return self._github.branch_commit(branch) is not None

    def make_branch(self, branch: str) -> None:
        github_making.make_branch(self._github, branch)

    def open_pull_request(self, issue: Tracked, words: PullRequestWords, *, branch: str) -> PullRequest:
        opened = github_making.open_pull_request(self._github, words, branch=branch)
        return PullRequest(opened.number, opened.url)

    @property
    def _memory(self) -> dict[int, GitHubIssue]:
        """What was listed, for when the handler runs again in the same call."""
        known: dict[int, GitHubIssue] = self._ctx.memory.setdefault(f"github {self._repository.id}", {})
        return known

    @cached_property
    def _issues(self) -> dict[int, GitHubIssue]:
        """The open ones, by number; the oldest, where there are very many."""
        memory = self._memory
        if not memory:
            try:
                for issue in self._github.open_issues():
                    memory[issue.number] = issue
                    if len(memory) >= MOST_OPEN:
                        break
            except NotThere:
                raise self._no_repository() from None
        return {number: one for number, one in memory.items() if one.is_open}

    @cached_property
    def _known(self) -> dict[int, KnownMarks]:
        """What is known here of issues there."""
        table, workspace_id = self._ctx.table, self._ctx.caller.workspace_id
        partition = WORKFLOWS(workspace_id, self._repository.id)
        running = SortRange(last=ARCHIVED.prefix())
        found = table.query_all(partition, sort=running, most=MOST_OPEN, because="each is held or left")
        workflows = {one.number: one for one in found.first_ones().of(WorkflowItem)}
        left: dict[int, list[errands.ErrandItem]] = {}
        for errand in errands.of_repository(table, workspace_id, self._repository.id):
            left.setdefault(errand.number, []).append(errand)
        known = {
            number: github_rows.known_of(workflows.get(number), left.get(number, ()))
            for number in workflows.keys() | left.keys()
        }
        return known | {
            number: known.get(number, NOTHING)._replace(twin=twin)
            for number, twin in self._twins(known).items()
        }

    def _twins(self, known: Mapping[int, KnownMarks]) -> dict[int, IssueItem]:
        rows = [
            github_rows.row_of(one, self._repository, known.get(number, NOTHING))
            for number, one in self._issues.items()
        ]
        first = scans.in_order(rows, self._ctx.now())[: twins.MOST_LOOKED_AT]
        return twins.twins_of(self._ctx, self._repository, [one.row.number for one in first])

    def _twin_id(self, number: int) -> str | None:
        if number not in self._twin_ids:
            self._twin_ids[number] = twins.id_of(self._ctx, self._repository, number)
        return self._twin_ids[number]

    def _known_of(self, number: int) -> KnownMarks:
        table, workspace_id = self._ctx.table, self._ctx.caller.workspace_id
        key = WorkflowItem.at(workspace_id, self._repository.id, number)
        known = github_rows.known_of(
            table.find(WorkflowItem, key),
            errands.of_issue(table, workspace_id, self._repository.id, number),
        )
        twin_id = self._twin_id(number)
        return known._replace(twin=twins.find(self._ctx, twin_id)) if twin_id else known

    def _rows(self, types: Types) -> list[BacklogItem]:
        known = self._known
        rows = (
            github_rows.row_of(one, self._repository, known.get(number, NOTHING))
            for number, one in self._issues.items()
            if not known.get(number, NOTHING).is_done
        )
        return [row for row in rows if types is None or row.type in types]

    def _no_repository(self) -> BacklogRefusal:
        name = self._repository.full_name
        return refusal(
            "REPO_NOT_FOUND", f"GitHub has no {name}, or its connection here may not see it. Ask an admin."
        )
