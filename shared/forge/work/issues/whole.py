"""An issue with what hangs on it, in two requests: its own partition, then whatever that refers to."""

from dataclasses import dataclass

from forge.context import Context
from forge.store.items import of_kind
from forge.store.keys import Key
from forge.store.physical import PARTITION, SORT
from forge.store.table import Attributes, SortRange
from forge.work.comments.comments import CommentItem
from forge.work.comments.views import CommentView, comment_view, writers_of
from forge.work.issues import issue_keys
from forge.work.issues.desks import (
    Desk,
    Reference,
    may_see,
    no_such_issue,
    require_visible,
    resolve,
    workspace_in,
)
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.issues.views import brief_of
from forge.work.people import people_keys
from forge.work.people.names import keys_of, people_of
from forge.work.relations.relations import RelationItem
from forge.work.relations.views import RelationView, relation_view
from forge.work.runs import run_keys
from forge.work.runs.runs import RunItem, RunStatus
from forge.work.runs.views import RunView, run_view
from forge.work.workspaces import workspace_keys

MAX_RELATIONS = 60
_PARTS = 2 * MAX_RELATIONS
"""How many rows that are no comments are expected at most; more cost a second request."""
# Watches come last and are never shown with an issue.
_BEFORE_WATCHES = issue_keys.WATCHES[:-1]

_ENDED = frozenset({RunStatus.COMPLETED, RunStatus.ABANDONED})


@dataclass(frozen=True, slots=True)
class WholeIssue:
    desk: Desk
    body: BodyItem
    comments: list[CommentItem]
    """The newest, oldest first."""
    has_more_comments: bool
    relations: list[RelationItem]
    parts: list[Attributes]
    """Every row of the issue but its comments and watches, as stored."""

    def comment_views(self) -> list[CommentView]:
        blobs = self.desk.ctx.services.store.blobs
        return [comment_view(comment, self.desk.names, blobs) for comment in self.comments]

    def relation_views(self) -> list[RelationView]:
        """What the issue itself says of others; of those that the caller may not see, nothing."""
        found = []
        for relation in sorted(self.relations, key=lambda one: (one.created_at, one.id)):
            key = issue_keys.head(relation.workspace_id, relation.other_id)
            other = self.desk.find(IssueItem, key)
            if other and not relation.is_inbound and may_see(self.desk.ctx, other):
                found.append(relation_view(relation, brief_of(other, self.desk.names)))
        return found

    @property
    def current_run(self) -> RunItem | None:
        """The latest run that was neither completed nor abandoned."""
        issue = self.desk.issue
        run = self.desk.find(RunItem, run_keys.run(issue.workspace_id, issue.current_run_id or ""))
        return run if run and run.status not in _ENDED else None

    def current_run_view(self) -> RunView | None:
        run = self.current_run
        return run_view(run, self.desk.names) if run else None


def read_whole(ctx: Context, given: str, *, comment_limit: int) -> WholeIssue:
    reference = resolve(ctx, given)
    rows, has_more = _read_partition(ctx, reference, comment_limit)
    head = issue_keys.head(ctx.caller.workspace_id, reference.issue_id)
    if head not in rows:
        raise no_such_issue(given)
    issue = IssueItem.from_attributes(rows[head])
    parts = [row for key, row in rows.items() if not key.sort.startswith(issue_keys.COMMENTS)]
    relations = of_kind(RelationItem, parts, sort_prefix=issue_keys.RELATIONS)
    found = [row for key, row in rows.items() if key.sort.startswith(issue_keys.COMMENTS)]
    newest = [CommentItem.from_attributes(row) for row in found]
    kept = [comment for comment in newest if comment.deleted_at is None]
    shown = sorted(kept[:comment_limit], key=lambda comment: (comment.effective_time, comment.id))
    desk = _open_desk(ctx, issue, rows, relations, shown)
    if issue.deleted_at is not None or not reference.is_of(desk.workspace):
        raise no_such_issue(given)
    require_visible(ctx, issue)
    body = desk.find(BodyItem, issue_keys.body(issue.workspace_id, issue.id))
    empty = BodyItem(workspace_id=issue.workspace_id, issue_id=issue.id)
    has_more = has_more or len(kept) > comment_limit
    return WholeIssue(desk, body or empty, shown, has_more, relations, parts)


def _read_partition(
    ctx: Context, reference: Reference, comment_limit: int
) -> tuple[dict[Key, Attributes], bool]:
    """The parts and the newest comments; whether there are more comments."""
    partition = issue_keys.partition(ctx.caller.workspace_id, reference.issue_id)
    first = "" if comment_limit else issue_keys.PARTS
    rows: dict[Key, Attributes] = {}
    after = None
    while True:
        answer = ctx.table.query(
            partition,
            sort=SortRange(first=first, last=_BEFORE_WATCHES),
            limit=_PARTS + comment_limit + 1,
            is_descending=True,
            after=after,
        )
        rows |= {Key(row[PARTITION]["S"], row[SORT]["S"]): row for row in answer.rows}
        after = answer.next_position
        if after is None:
            return rows, False
        comments = sum(key.sort.startswith(issue_keys.COMMENTS) for key in rows)
        # More parts than expected have taken the place of comments.
        is_short = comments < comment_limit and len(rows) - comments > _PARTS
        if after[SORT].startswith(issue_keys.COMMENTS) and not is_short:
            return rows, True


def _open_desk(
    ctx: Context,
    issue: IssueItem,
    rows: dict[Key, Attributes],
    relations: list[RelationItem],
    comments: list[CommentItem],
) -> Desk:
    """With everything that the parts refer to, in one request."""
    workspace_id = issue.workspace_id
    wanted = [workspace_keys.workspace(workspace_id), *keys_of(issue), *people_of(issue)]
    wanted += [issue_keys.head(workspace_id, relation.other_id) for relation in relations]
    wanted += [key for comment in comments for key in writers_of(comment)]
    if issue.current_run_id:
        wanted.append(run_keys.run(workspace_id, issue.current_run_id))
    wanted += [people_keys.agent(workspace_id, run.agent_id) for run in issue.live_runs]
    rows |= ctx.table.find_rows(key for key in wanted if key not in rows)
    return Desk(ctx, workspace_in(ctx, rows), issue, rows)
