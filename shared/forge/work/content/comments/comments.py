"""Comments on an issue, and the one rolling status comment that a run has."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any

from forge.context import Context
from forge.store.items import DerivedItem, Item
from forge.store.keys import REFERENCES, At, Key
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.issues import OF_ISSUE, IssueItem, LiveRun
from forge.work.issues.runs.reports import Confidence
from forge.work.issues.runs.runs import RunItem
from forge.work.record import texts
from forge.work.record.texts import KeptText

PREVIEW = 120


class CommentKind(StrEnum):
    BODY = "BODY"
    STATUS = "STATUS"
    SYSTEM = "SYSTEM"


class CommentItem(Item):
    stored = At(OF_ISSUE, "C#{created_at}#{id}")

    workspace_id: str
    issue_id: str
    id: str
    kind: CommentKind = CommentKind.BODY
    author_id: str | None = None
    authoring_agent_id: str | None = None
    body: KeptText
    run_id: str | None = None
    current_step: str | None = None
    suggested_replies: list[str] = []
    confidence: Confidence | None = None
    action_request_id: str | None = None
    revisions: int = 0
    """How many earlier versions there have been; the last of them are kept beside its reference."""
    created_at: datetime
    updated_at: datetime
    edited_at: datetime | None = None
    deleted_at: datetime | None = None

    @property
    def effective_time(self) -> datetime:
        """When it was last news: a status comment rolls on, a comment stays where it was said."""
        return self.updated_at if self.kind is CommentKind.STATUS else self.created_at


_FEWEST_REVISIONS = 20
_REVISIONS = {CommentKind.BODY: 20, CommentKind.STATUS: 50, CommentKind.SYSTEM: 20}
"""How many earlier versions of a comment are kept."""


class CommentReferenceItem(ReferenceItem):
    """Finds a comment by its id. Who wrote it never changes, so their names can be read together with it."""

    author_id: str | None = None
    authoring_agent_id: str | None = None


class RevisionItem(DerivedItem):
    """An earlier version of a comment, in one of a fixed number of slots: the oldest is overwritten."""

    stored = At(REFERENCES, "REV#{slot:02}", name="comment_id")

    workspace_id: str
    comment_id: str
    slot: int
    body: KeptText
    current_step: str | None = None
    written_at: datetime


def written(ctx: Context, issue: IssueItem, text: str, **fields: Any) -> CommentItem:
    """What the caller says about an issue now; a long text is kept apart before anything refers to it."""
    return CommentItem(
        workspace_id=issue.workspace_id,
        issue_id=issue.id,
        id=ctx.new_id("cmt"),
        author_id=ctx.caller.user_id,
        authoring_agent_id=ctx.caller.agent_id,
        body=kept(ctx, issue, text),
        created_at=ctx.now(),
        updated_at=ctx.now(),
        **fields,
    )


def kept(ctx: Context, issue: IssueItem, text: str) -> KeptText:
    name = f"{issue.workspace_id}/{issue.id}/{ctx.new_id('txt')}"
    return texts.keep(ctx.services.store.blobs, text, name=name)


def status_comment_id(run_id: str) -> str:
    """A run's status comment takes time and id from the run, so that it is found without being looked up."""
    return "cmt_" + run_id.removeprefix("run_")


def status_comment_key(issue: IssueItem, run: LiveRun) -> Key:
    return CommentItem.at(issue.workspace_id, issue.id, run.started_at, status_comment_id(run.run_id))


def keys_of_live_statuses(issue: IssueItem) -> dict[str, Key]:
    """Where the status comments of live runs are, if these have any, by the comments' ids."""
    return {status_comment_id(run.run_id): status_comment_key(issue, run) for run in issue.live_runs}


def latest_first(statuses: Iterable[CommentItem | None]) -> list[CommentItem]:
    """Those that are there and were not deleted, by when they were written."""
    shown = [one for one in statuses if one is not None and one.deleted_at is None]
    return sorted(shown, key=lambda one: (one.effective_time, one.id), reverse=True)


def find(table: Table, workspace_id: str, comment_id: str) -> CommentItem | None:
    """A comment by its id, deleted or not; two requests."""
    named = CommentReferenceItem.at(workspace_id, comment_id)
    reference = table.read([named]).find_named(CommentReferenceItem, named)
    if reference is None:
        return None
    return table.find(CommentItem, Key(OF_ISSUE(workspace_id, reference.issue_id), reference.sort))


def add(tx: Transaction, comment: CommentItem) -> None:
    # Only a run's status comment can be there already: somebody wrote the first one at the same moment.
    tx.create(comment, refusal=overtaken)
    place = CommentReferenceItem.of(comment, name=comment.id, sort=comment.key.sort)
    tx.create(place, refusal=overtaken)


def roll_on(tx: Transaction, known: CommentItem | None, run: RunItem, body: KeptText) -> CommentItem:
    """The run's one status comment says this now, whether or not it was there."""
    if known is not None:
        return revise(tx, known, body, current_step=run.current_step, deleted_at=None)
    comment = CommentItem(
        workspace_id=run.workspace_id,
        issue_id=run.issue_id,
        id=status_comment_id(run.id),
        kind=CommentKind.STATUS,
        author_id=tx.origin.caller.user_id,
        authoring_agent_id=run.agent_id,
        body=body,
        run_id=run.id,
        current_step=run.current_step,
        created_at=run.started_at,
        updated_at=tx.origin.now,
    )
    add(tx, comment)
    return comment


def slot_of(kind: CommentKind, number: int) -> int:
    """Where the earlier version of that number is kept, counted from 0, until a newer one takes its place."""
    return number % most_kept(kind)


def most_kept(kind: CommentKind) -> int:
    """How many earlier texts of such a comment there are at most."""
    return _REVISIONS.get(kind, _FEWEST_REVISIONS)


def earlier_text(comment: CommentItem) -> RevisionItem:
    """A comment's text as it is kept once there is another."""
    slot = slot_of(comment.kind, comment.revisions)
    return RevisionItem.of(comment, comment_id=comment.id, slot=slot, written_at=comment.updated_at)


def revise(tx: Transaction, comment: CommentItem, body: KeptText, **fields: object) -> CommentItem:
    """Give a comment another text; the one that it had takes the place of the oldest that was kept."""
    tx.overwrite(earlier_text(comment))
    newer = comment.changed(body=body, revisions=comment.revisions + 1, updated_at=tx.origin.now, **fields)
    tx.replace(newer)
    return newer


def remove(tx: Transaction, comment: CommentItem) -> CommentItem:
    """No list shows it any more."""
    removed = comment.changed(deleted_at=tx.origin.now)
    tx.replace(removed)
    return removed


def preview(text: str) -> str:
    return text[:PREVIEW]
