"""What a comment said before: the newest of its earlier texts, as answers show them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.models import Model, Omittable
from forge.store.blobs import Blobs
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.content.comments.comments import CommentItem, RevisionItem, most_kept, slot_of
from forge.work.content.comments.views import CommentView
from forge.work.issues.desks import Desk
from forge.work.record import texts

MAX_SHOWN = 5
MAX_TEXT = 500
"""In characters: enough to recognise it by."""


class RevisionView(Model):
    body: Annotated[str, Field(description=f"Its first {MAX_TEXT} characters.")]
    truncated: Omittable[bool] = None
    current_step: Omittable[str] = None
    edited_at: Annotated[datetime, Field(description="When it was written.")]


Revisions = Annotated[
    list[RevisionView], Field(description=f"What it said before, the newest first, {MAX_SHOWN} at most.")
]


class RevisedComment(CommentView):
    """`revisionsTruncated` where it said more before than is shown: comments.history has the rest."""

    revisions: Revisions
    revisions_truncated: Omittable[bool] = None


def is_cut(comment: CommentItem) -> bool:
    return comment.revisions > MAX_SHOWN


def keys_of_newest(comment: CommentItem) -> list[Key]:
    """Where its newest earlier texts are, the newest first."""
    return [*keys_of_all(comment).values()][:MAX_SHOWN]


def keys_of_all(comment: CommentItem) -> dict[int, Key]:
    """Where all are that are kept, the newest first, each by which of its texts it was."""
    oldest = max(comment.revisions - most_kept(comment.kind), 0)
    return {
        number: RevisionItem.at(comment.workspace_id, comment.id, slot_of(comment.kind, number))
        for number in range(comment.revisions - 1, oldest - 1, -1)
    }


def newest_of(known: Desk | Readings, comment: CommentItem) -> list[RevisionItem]:
    found = (known.find(RevisionItem, key) for key in keys_of_newest(comment))
    return [one for one in found if one]


def shown(revisions: Sequence[RevisionItem], blobs: Blobs) -> list[RevisionView]:
    return [_shown(one, texts.read(blobs, one.body)) for one in revisions[:MAX_SHOWN]]


def _shown(revision: RevisionItem, text: str) -> RevisionView:
    return RevisionView(
        body=text[:MAX_TEXT],
        truncated=len(text) > MAX_TEXT or None,
        current_step=revision.current_step,
        edited_at=revision.written_at,
    )
