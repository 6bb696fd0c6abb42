"""Attachments: a file or a link that hangs on something, from the first word about it to its last byte.

The item of an attachment says how far it is. Only one that is READY has a row among those of its target. A
file that is not wanted any more, or never came, is DISCARDED until its object is gone, too.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from forge.context import Context
from forge.errors import Conflict, NotFound
from forge.store.followers import follow
from forge.store.items import DerivedItem, Item
from forge.store.keys import At
from forge.store.places import DueAt
from forge.store.ranges import EVERYTHING, SortRange
from forge.store.strangers import is_known
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.content.attachments.media import LINK_TYPE, object_name
from forge.work.issues.issues import OF_ISSUE
from forge.work.workspace.people import runtimes
from forge.work.workspace.people.runtimes import EvidenceKind

URL_SECONDS = 15 * 60
KEPT_FOR_UPLOAD = timedelta(hours=1)
"""Well after the URL has ended: whoever began to send in time has done so, and nothing comes any more."""


class AttachmentKind(StrEnum):
    FILE = "FILE"
    LINK = "LINK"


class TargetType(StrEnum):
    ISSUE = "issue"
    COMMENT = "comment"
    PROJECT = "project"
    INITIATIVE = "initiative"
    CYCLE = "cycle"


class AttachmentState(StrEnum):
    PENDING = "PENDING"
    READY = "READY"
    DISCARDED = "DISCARDED"


class AttachmentPlace(NamedTuple):
    """What something is attached to."""

    type: TargetType
    id: str
    issue_id: str | None = None
    sort: str | None = None
    """Of a comment: its place in the issue."""


class _Described(Item):
    """What is shown of an attachment. Nothing of it ever changes."""

    workspace_id: str
    id: str
    kind: AttachmentKind
    target_type: TargetType
    target_id: str
    issue_id: str | None = None
    """The issue that it is about in the end: a comment's, too."""
    filename: str
    mime_type: str
    size: int = 0
    blob: str | None = None
    external_url: str | None = None
    link_title: str | None = None
    evidence: EvidenceKind | None = None
    created_by_id: str | None = None
    created_by_agent_id: str | None = None
    created_at: datetime

    @property
    def url(self) -> str:
        """Of a link where it leads, of a file the name of its object."""
        return self.external_url or self.blob or ""


OF_ISSUE_ITSELF = At(OF_ISSUE, "X#ATTACHMENT#{id}", when="is_of_issue", issue_id="target_id")
"""Among the other parts of the issue."""


class AttachmentRowItem(_Described, DerivedItem):
    """An attachment among those of its target."""

    stored = At("WS#{workspace_id}#ATTACHED#{target_type}#{target_id}", "{id}")
    instead = (OF_ISSUE_ITSELF,)

    @property
    def is_of_issue(self) -> bool:
        return self.target_type == TargetType.ISSUE


class AttachmentItem(_Described):
    stored = At("WS#{workspace_id}#ATTACHMENTS", "{id}")
    indexed = (DueAt("look_at"),)

    state: AttachmentState
    target_sort: str | None = None
    """Of a comment: its place in the issue."""
    look_at: datetime | None = None
    """When the sweep has to see to it: the file did not come, or has to go."""

    @property
    def is_a_file(self) -> bool:
        """Whether its bytes are in the bucket."""
        return self.blob is not None and self.state is AttachmentState.READY

    @property
    def place(self) -> AttachmentPlace:
        return AttachmentPlace(self.target_type, self.target_id, self.issue_id, self.target_sort)

    @property
    def row(self) -> AttachmentRowItem:
        shown = self.model_dump(include=AttachmentRowItem.model_fields.keys() - {"version"})
        return AttachmentRowItem.model_validate(shown)


def stretch_of(workspace_id: str, place: AttachmentPlace) -> tuple[str, SortRange]:
    """Where those of a target are listed."""
    if place.type == TargetType.ISSUE:
        return OF_ISSUE(workspace_id, place.id), SortRange(OF_ISSUE_ITSELF.prefix())
    return AttachmentRowItem.stored.partition(workspace_id, place.type, place.id), EVERYTHING


def a_file(
    ctx: Context, place: AttachmentPlace, *, filename: str, mime_type: str, size: int
) -> AttachmentItem:
    """One whose bytes are still to come."""
    attachment_id, workspace_id = ctx.new_id("att"), ctx.caller.workspace_id
    blob = object_name(workspace_id, place.type, place.id, attachment_id=attachment_id, filename=filename)
    return _new(
        ctx,
        place,
        id=attachment_id,
        kind=AttachmentKind.FILE,
        filename=filename,
        mime_type=mime_type,
        size=size,
        blob=blob,
        state=AttachmentState.PENDING,
        look_at=ctx.now() + KEPT_FOR_UPLOAD,
    )


def a_link(ctx: Context, place: AttachmentPlace, *, url: str, title: str) -> AttachmentItem:
    return _new(
        ctx,
        place,
        id=ctx.new_id("att"),
        kind=AttachmentKind.LINK,
        filename=title,
        mime_type=LINK_TYPE,
        external_url=url,
        link_title=title,
        state=AttachmentState.READY,
    )


def get(table: Table, workspace_id: str, attachment_id: str) -> AttachmentItem:
    """As long as it is wanted, whether or not its bytes have come."""
    missing = no_such_attachment(attachment_id)
    key = AttachmentItem.at(workspace_id, attachment_id)
    found = table.get(AttachmentItem, key, missing=missing)
    if found.state is AttachmentState.DISCARDED:
        raise missing
    if not all(is_known(one) for one in (found.state, found.kind, found.target_type)):
        raise Conflict(
            "This attachment was made by a newer build than this one.",
            hint="Try again when it is rolled out.",
        )
    return found


def add(tx: Transaction, attachment: AttachmentItem) -> None:
    tx.create(attachment)
    follow(tx, (), follows(attachment))


def finish(tx: Transaction, attachment: AttachmentItem) -> AttachmentItem:
    """Its bytes are there."""
    ready = attachment.changed(state=AttachmentState.READY, look_at=None)
    tx.replace(ready)
    follow(tx, follows(attachment), follows(ready))
    return ready


def follows(attachment: AttachmentItem) -> list[AttachmentRowItem]:
    """Where it is found: beside what it hangs on, once its bytes are there."""
    return [attachment.row] if attachment.state is AttachmentState.READY else []


def discard(tx: Transaction, attachment: AttachmentItem) -> None:
    """Nobody finds it any more; of a file, something stays until its object is gone for good.

    That is not before its URL has ended, because until then the object could be sent again.
    """
    follow(tx, follows(attachment), ())
    if attachment.blob is None:
        tx.delete(attachment)
        return
    last_sent = attachment.created_at + KEPT_FOR_UPLOAD
    gone_at = max(tx.origin.now, last_sent)
    tx.replace(attachment.changed(state=AttachmentState.DISCARDED, look_at=gone_at))


def no_such_attachment(given: str) -> NotFound:
    return NotFound(
        f"There is no attachment {given[:60]!r}.",
        hint="attachments.list shows those of an issue; a file that is not finalized within an hour is gone.",
    )


def _new(ctx: Context, place: AttachmentPlace, **fields: Any) -> AttachmentItem:
    return AttachmentItem(
        workspace_id=ctx.caller.workspace_id,
        target_type=place.type,
        target_id=place.id,
        issue_id=place.issue_id,
        target_sort=place.sort,
        created_by_id=ctx.caller.user_id,
        created_by_agent_id=ctx.caller.agent_id,
        created_at=ctx.now(),
        evidence=runtimes.evidence_of(ctx),
        **fields,
    )
