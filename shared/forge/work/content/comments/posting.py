"""Posting a comment: whom its text calls at once, whom later, and what is told of it."""

from collections.abc import Sequence

from forge.store.transactions import Transaction
from forge.work.content.comments import mentions
from forge.work.content.comments.announcements import COMMENT_POSTED, CommentPosted
from forge.work.content.comments.comments import CommentItem, preview
from forge.work.content.comments.mentions import Mentioned
from forge.work.issues.changes import IssueChange
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationKind


def post(change: IssueChange, comment: CommentItem, text: str, *, mentioned: Mentioned) -> None:
    """Say something: an agent works by it, and whoever is mentioned is called."""
    mentions.watch(change, mentioned)
    if comment.authoring_agent_id and change.is_worked_on:
        run = change.work_on()
        # Whoever was not at work here only talks.
        change.get_going(None if run in change.begun else run)
    told = CommentPosted(
        comment_id=comment.id,
        issue_id=comment.issue_id,
        kind=comment.kind,
        preview=preview(text),
        mentions=mentioned.told,
        **({"confidence": comment.confidence} if comment.confidence else {}),
    )
    calls = mentions.calls(change.desk, mentioned, text)
    change.announce(COMMENT_POSTED, told, action="comment", calls=calls)


def call_later(tx: Transaction, comment: CommentItem, words: Sequence[str]) -> None:
    """Whoever the rest of the words name is called by a continuation."""
    if words:
        continuations.begin(tx, ContinuationKind.MANY_MENTIONED, comment.id, words=words)
