"""An issue with what hangs on it, in two requests: its own partition, then whatever that refers to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from forge.context import Context
from forge.store.keys import Key
from forge.store.physical import SORT
from forge.store.ranges import SortRange
from forge.store.readings import Readings, Rows
from forge.store.table import Table
from forge.work.backlog.github import links
from forge.work.backlog.github.links import LinkItem
from forge.work.backlog.github.resources import ResourceItem
from forge.work.content.attachments.attachments import OF_ISSUE_ITSELF, AttachmentRowItem
from forge.work.content.attachments.views import AttachmentBrief
from forge.work.content.comments.comments import CommentItem, keys_of_live_statuses, latest_first
from forge.work.content.comments.views import CommentView, comment_view, writers_of
from forge.work.issues.desks import Desk, Reach, Reference, no_such_issue, resolve, settings_key
from forge.work.issues.issues import OF_ISSUE, BodyItem, IssueItem
from forge.work.issues.relations.relations import MAX_RELATIONS, RelationItem, RelationView, relation_view
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.issues.runs.views import RunView, run_view
from forge.work.issues.views import brief_of
from forge.work.issues.watchers import WatchItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.names import keys_of, people_of

_PARTS = 2 * MAX_RELATIONS
"""How many rows that are no comments are expected at most; more cost a second request."""
# Watches come last and are never shown with an issue.
_FIRST_PART = "X#"
_BEFORE_WATCHES = WatchItem.stored.prefix()[:-1]

_ENDED = frozenset({RunStatus.COMPLETED, RunStatus.ABANDONED})


@dataclass(frozen=True, slots=True)
class WholeIssue:
    desk: Desk
    body: BodyItem
    live_statuses: list[CommentItem]
    """How the work goes that is going on, the latest word first."""
    other_comments: list[CommentItem]
    """The newest, oldest first."""
    has_more_comments: bool
    relations: list[RelationItem]
    parts: Rows
    """Every row of the issue but its comments and watches."""

    @property
    def comments(self) -> list[CommentItem]:
        return [*self.live_statuses, *self.other_comments]

    def comment_views(self) -> list[CommentView]:
        blobs = self.desk.ctx.services.store.blobs
        return [comment_view(comment, self.desk.names, blobs) for comment in self.comments]

    def relation_views(self) -> list[RelationView]:
        """The relations of the issue, in both directions, to issues that the caller may see."""
        found = []
        for relation in sorted(self.relations, key=lambda one: (one.created_at, one.id)):
            other = self.desk.visible(relation.other_id)
            if other:
                found.append(relation_view(relation, brief_of(other, self.desk.names)))
        return found

    def attachment_views(self) -> list[AttachmentBrief]:
        """The oldest first."""
        rows = self.parts.of(AttachmentRowItem, sort_prefix=OF_ISSUE_ITSELF.prefix())
        return [AttachmentBrief.of(row) for row in sorted(rows, key=lambda row: row.id)]

    def external_resources(self) -> list[tuple[LinkItem, ResourceItem]]:
        """What is linked on GitHub, the first link first."""
        workspace_id = self.desk.issue.workspace_id
        found = [
            (link, self.desk.find(ResourceItem, ResourceItem.at(workspace_id, link.resource_id)))
            for link in links.links_in(self.parts)
        ]
        return [(link, resource) for link, resource in found if resource]

    @property
    def current_run(self) -> RunItem | None:
        """The latest run that was neither completed nor abandoned."""
        issue = self.desk.issue
        if issue.current_run_id is None:
            return None
        run = self.desk.find(RunItem, RunItem.at(issue.workspace_id, issue.current_run_id))
        return run if run and run.status not in _ENDED else None

    def current_run_view(self) -> RunView | None:
        run = self.current_run
        if run is None:
            return None
        # The agents of live runs were read along; who let one stall, only the run itself tells.
        self.desk.fetch([AgentItem.at(run.workspace_id, run.agent_id)])
        return run_view(run, self.desk.names)


def read_whole(
    ctx: Context,
    given: str,
    *,
    comment_limit: int,
    also: Iterable[Key] = (),
    of_head: Callable[[IssueItem], Iterable[Key]] = lambda _: (),
) -> WholeIssue:
    """`also` is what the caller will change the issue to refer to, `of_head` what it refers to already."""
    reference = resolve(ctx, given)
    rows, has_more = _read_partition(ctx, reference, comment_limit)
    parts, newest = _parted(rows)
    head = IssueItem.at(ctx.caller.workspace_id, reference.issue_id)
    if head not in parts.keys:
        raise no_such_issue(given)
    readings = Readings(ctx.table)
    readings.hold(parts)
    issue = readings.get(IssueItem, head)
    # Wherever in the thread a run began: how it goes is what its issue is about now.
    statuses = keys_of_live_statuses(issue) if comment_limit else {}
    others = [one for one in newest.of(CommentItem) if one.deleted_at is None and one.id not in statuses]
    relations = parts.of(RelationItem)
    wanted = [*_needed_beside(ctx, issue, relations, others[:comment_limit]), *of_head(issue)]
    linked = {one.resource_id for one in links.links_in(parts)}
    resources = (ResourceItem.at(ctx.caller.workspace_id, one) for one in linked)
    readings.fetch([*wanted, *statuses.values(), *resources, *also])
    desk = Reach(ctx, readings).open(reference, missing=no_such_issue(given))
    body = desk.get(BodyItem, BodyItem.at(desk.issue.workspace_id, desk.issue.id))
    live = latest_first(desk.find(CommentItem, key) for key in statuses.values())[:comment_limit]
    room = comment_limit - len(live)
    shown = sorted(others[:room], key=lambda comment: (comment.effective_time, comment.id))
    return WholeIssue(desk, body, live, shown, has_more or len(others) > room, relations, parts)


def find_texts(table: Table, workspace_id: str, issue_id: str) -> tuple[IssueItem, BodyItem] | None:
    """What an issue says, for a worker that acts for nobody."""
    head, body = IssueItem.at(workspace_id, issue_id), BodyItem.at(workspace_id, issue_id)
    known = table.read([head, body])
    issue = known.find(IssueItem, head)
    return (issue, known.get(BodyItem, body)) if issue else None


def _read_partition(ctx: Context, reference: Reference, comment_limit: int) -> tuple[Rows, bool]:
    """The parts and the newest comments; whether there are more comments."""
    partition = OF_ISSUE(ctx.caller.workspace_id, reference.issue_id)
    among = SortRange(first="" if comment_limit else _FIRST_PART, last=_BEFORE_WATCHES)
    read, after = Rows([]), None
    while True:
        answer = ctx.table.query(
            partition,
            sort=among,
            limit=_PARTS + comment_limit + 1,
            is_descending=True,
            after=after,
        )
        after = answer.next_position
        read = Rows([*read.rows, *answer.rows])
        if after is None:
            return read, False
        comments = sum(key.sort.startswith(CommentItem.stored.prefix()) for key in read.keys)
        # More parts than expected have taken the place of comments.
        is_short = comments < comment_limit and len(read) - comments > _PARTS
        if after[SORT].startswith(CommentItem.stored.prefix()) and not is_short:
            return read, True


def _parted(rows: Rows) -> tuple[Rows, Rows]:
    """The parts of an issue, and its comments."""
    is_comment = [key.sort.startswith(CommentItem.stored.prefix()) for key in rows.keys]
    both = list(zip(rows, is_comment, strict=True))
    return Rows([row for row, is_one in both if not is_one]), Rows([row for row, is_one in both if is_one])


def _needed_beside(
    ctx: Context, issue: IssueItem, relations: list[RelationItem], comments: list[CommentItem]
) -> list[Key]:
    """Everything that the parts refer to."""
    workspace_id = issue.workspace_id
    wanted = [settings_key(ctx), *keys_of(issue), *people_of(issue)]
    wanted += [IssueItem.at(workspace_id, relation.other_id) for relation in relations]
    wanted += [key for comment in comments for key in writers_of(comment)]
    if issue.current_run_id:
        wanted.append(RunItem.at(workspace_id, issue.current_run_id))
    return [*wanted, *(AgentItem.at(workspace_id, run.agent_id) for run in issue.live_runs)]
