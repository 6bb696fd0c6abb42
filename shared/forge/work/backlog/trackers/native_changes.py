"""What the backlog does to issues that are kept here, through the rules that every tool goes by."""

from datetime import datetime, timedelta

from forge.auth import narrowing
from forge.auth.actors import identity_of
from forge.context import Context
from forge.store.keys import Key, sortable_time
from forge.store.transactions import Transaction, VersionMoved
from forge.work.backlog import known_labels
from forge.work.backlog.repositories import RepositoryItem
from forge.work.backlog.trackers.trackers import WORDS, Draft, StatusMark, Tracked
from forge.work.content.comments import comments, posting
from forge.work.content.comments.comments import kept
from forge.work.content.comments.mentions import Mentioned
from forge.work.issues import heads
from forge.work.issues.announcements import ISSUE_CLAIMED, ISSUE_RELEASED, Claimed, Released
from forge.work.issues.backlog_rows.places import (
    COLORS,
    BacklogStatus,
    label_ids_of,
    place_of,
    status_label,
    type_label,
)
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.desks import Desk, new_issue, settings_in, settings_key
from forge.work.issues.edits import beginnings, labelling, transitions
from forge.work.issues.issues import NO_CLAIM, NOT_STARTED, BodyItem, IssueItem, IssueLock
from forge.work.issues.saving import save, save_new
from forge.work.record import links
from forge.work.record.search import search
from forge.work.workspace import workspaces
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import keys_of
from forge.work.workspace.statuses import StatusCategory, StatusCopy
from forge.work.workspace.workspaces import WorkspaceItem

_BEFORE_REVIEW = NOT_STARTED | {StatusCategory.IN_PROGRESS}


def tracked(ctx: Context, issue: IssueItem, workspace: WorkspaceItem) -> Tracked:
    identifier = f"{workspace.key_prefix}-{issue.number}"
    place = place_of(issue, workspace)
    word = WORDS.get(issue.priority)
    known = {name for one in issue.label_ids if (name := workspace.backlog_labels.get(one))}
    in_order = [name for name in COLORS if name in known] + sorted(known - COLORS.keys())
    return Tracked(
        id=issue.id,
        identifier=identifier,
        number=issue.number,
        title=issue.title,
        url=links.issue_url(ctx, identifier),
        labels=(*([f"priority:{word}"] if word else []), *in_order),
        priority=issue.priority,
        type=place.type if place else None,
        status=BacklogStatus(place.status) if place else BacklogStatus.BACKLOG,
        is_open=issue.is_open,
        created_at=issue.created_at,
        blocked_by=min(issue.blocker_numbers, default=None),
        lock=issue.lock,
    )


def create(ctx: Context, repository: RepositoryItem, draft: Draft) -> Tracked:
    """Plan a new issue of the repository's project, as issues.create does."""
    settings = known_labels.ensure(ctx, workspaces.get(ctx.table, ctx.caller.workspace_id))
    ids = label_ids_of(settings)
    label_ids = [ids[type_label(draft.type)], ids[status_label(BacklogStatus.BACKLOG)]]
    narrowing.require_issue(ctx.caller, project_id=repository.project_id, label_ids=label_ids)
    readings = ctx.table.read([settings_key(ctx), *_of_caller(ctx), *_labels(settings)])
    workspace = settings_in(ctx, readings)
    issue = beginnings.first_head(
        workspace,
        workspace.default_status,
        ctx.caller,
        number=beginnings.number_of(ctx),
        now=ctx.now(),
        id=ctx.new_id("iss"),
        title=draft.title,
        priority=draft.priority,
        project_id=repository.project_id,
        label_ids=frozenset(label_ids),
    )
    body = BodyItem(
        workspace_id=issue.workspace_id, issue_id=issue.id, description=kept(ctx, issue, draft.body)
    )
    desk = new_issue(ctx, issue, body, readings=readings, assignee_id=None)
    change = IssueChange(desk)
    beginnings.begin(change, is_queued=False, agent=None)
    tx = ctx.plan()
    heads.count_labels(tx, issue.workspace_id, added=issue.label_ids, removed=())
    search.index_title(tx, issue.workspace_id, issue.id, old_title=None, new_title=issue.title)
    return tracked(ctx, save_new(tx, change), workspace)


def of_closed(mark: StatusMark) -> StatusMark:
    """The mark of an issue that was closed under its lock: no status, and done once the lock has ended."""
    return mark._replace(status=None, is_done=mark.lock is None)


def is_held_as(issue: IssueItem, held: IssueLock | None) -> bool:
    """Whether this very lock is on the issue: fences of two repositories may be alike, moments are not."""
    return held is not None and issue.lock == held


def is_taken_over(issue: IssueItem, held: IssueLock | None) -> bool:
    """Whether somebody else's lock is on it by now, taken while it was in another repository."""
    return held is not None and issue.lock is not None and issue.lock != held


def mark(tx: Transaction, desk: Desk, wanted: StatusMark) -> None:
    """Let an issue stand as the backlog says: its status, who has it, whether it is done."""
    issue, workspace = desk.issue, desk.workspace
    if wanted.status:
        _require_label(desk, wanted.status)
    done = _done(workspace) if wanted.is_done and issue.is_open else None
    runs = transitions.runs_to_end(issue, done) if done else []
    blocked = transitions.issues_to_settle(issue, done) if done else []
    # Whether the lock is the caller's, its fence has decided.
    change = begin_change(
        desk, [*keys_of(issue), *_labels(workspace), *runs], issue_ids=blocked, takes_over=True
    )
    if wanted.status or wanted.is_done:
        _relabel(tx, change, None if wanted.is_done else wanted.status)
    _lock(change, wanted.lock)
    if wanted.comment:
        _say(tx, change, wanted.comment)
    if done:
        transitions.move(change, done)
    elif reached := _reached(workspace, change.issue, wanted.status):
        transitions.move(change, reached, is_auto=True)
    save(tx, change)


def _reached(workspace: WorkspaceItem, issue: IssueItem, status: BacklogStatus | None) -> StatusCopy | None:
    """Where work under a lock moves its issue: forwards alone, as any other work does."""
    if status is BacklogStatus.IN_PROGRESS and issue.category in NOT_STARTED:
        return workspace.status_once_begun
    if status is BacklogStatus.IN_REVIEW and issue.category in _BEFORE_REVIEW:
        return workspace.status_once_completed
    return None


def _require_label(desk: Desk, status: BacklogStatus) -> None:
    """Somebody may have deleted or renamed it: then it is made again, and all is decided anew."""
    if status_label(status) not in label_ids_of(desk.workspace):
        known_labels.ensure(desk.ctx, desk.workspace)
        raise VersionMoved


def _relabel(tx: Transaction, change: IssueChange, status: BacklogStatus | None) -> None:
    """One status label, or none on what is over."""
    ids = label_ids_of(change.desk.workspace)
    every = {ids[status_label(one)] for one in BacklogStatus if status_label(one) in ids}
    wanted = {ids[status_label(status)]} if status else set()
    added, removed = labelling.relabel(change, add=wanted, remove=every - wanted)
    heads.count_labels(tx, change.issue.workspace_id, added=added, removed=removed)


def _lock(change: IssueChange, lock: IssueLock | None) -> None:
    """Whoever has the lock has claimed the issue, so that nobody is given it from the queue either."""
    before = change.issue.lock
    change.set(lock=lock)
    if lock is None:
        if before is not None:
            change.set(**NO_CLAIM)
            change.announce(ISSUE_RELEASED, Released(claimed=False), action="unlock")
        return
    is_new = before is None or before.fence != lock.fence
    claim(change, lock, since=change.issue.claimed_at or change.now, is_told=is_new)


def claim(change: IssueChange, lock: IssueLock, *, since: datetime, is_told: bool) -> None:
    """As long as the lock lasts, for whoever calls."""
    caller = change.desk.ctx.caller
    user_id = None if caller.agent_id else identity_of(caller)
    change.set(
        claimed_at=since,
        claimed_by_id=user_id,
        claimed_by_agent_id=caller.agent_id,
        claim_expires_at=lock.until,
        claim_minutes=max(1, round((lock.until - change.now) / timedelta(minutes=1))),
        # Under a lock, its own fence tells sessions apart.
        claim_session=None,
        claim_runtime_id=None,
    )
    if is_told:
        told = Claimed(
            claimed=True,
            claimed_by_id=user_id,
            claimed_by_agent_id=caller.agent_id,
            claim_expires_at=sortable_time(lock.until),
        )
        change.announce(ISSUE_CLAIMED, told, action="lock")


def _say(tx: Transaction, change: IssueChange, text: str) -> None:
    comment = comments.written(change.desk.ctx, change.issue, text)
    posting.post(change, comment, text, mentioned=Mentioned([], []))
    comments.add(tx, comment)


def _done(workspace: WorkspaceItem) -> StatusCopy:
    return next(one for one in workspace.statuses if one.category is StatusCategory.DONE)


def _labels(workspace: WorkspaceItem) -> list[Key]:
    return [LabelItem.at(workspace.id, label_id) for label_id in sorted(workspace.backlog_labels)]


def _of_caller(ctx: Context) -> list[Key]:
    caller = ctx.caller
    wanted = [MemberItem.at(caller.workspace_id, caller.user_id)] if caller.user_id else []
    return [*wanted, *([AgentItem.at(caller.workspace_id, caller.agent_id)] if caller.agent_id else [])]
