"""Comments as lists, issues and bundles show them."""

from collections.abc import Iterable
from datetime import datetime
from itertools import takewhile

from forge.contract.models import Model, Omittable
from forge.store.blobs import Blobs
from forge.store.keys import Key
from forge.work.content.comments.comments import CommentItem, CommentKind
from forge.work.issues.runs.reports import Confidence
from forge.work.issues.views import AgentBrief, UserBrief, agent_of, user_of
from forge.work.record import texts
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names


class CommentView(Model):
    id: str
    issue_id: str
    kind: CommentKind
    body: str
    author: UserBrief | None
    authoring_agent: AgentBrief | None
    run_id: Omittable[str] = None
    current_step: Omittable[str] = None
    suggested_replies: Omittable[list[str]] = None
    confidence: Omittable[Confidence] = None
    action_request_id: Omittable[str] = None
    created_at: datetime
    updated_at: datetime
    edited_at: Omittable[datetime] = None


def comment_view(comment: CommentItem, names: Names, blobs: Blobs) -> CommentView:
    return CommentView.of(comment, **comment_fields(comment, names, blobs))


def comment_fields(comment: CommentItem, names: Names, blobs: Blobs) -> dict[str, object]:
    return {
        "body": texts.read(blobs, comment.body),
        "author": user_of(comment.author_id, names) if comment.author_id else None,
        "authoring_agent": agent_of(comment.authoring_agent_id, names),
        "suggested_replies": comment.suggested_replies or None,
        "created_at": comment.effective_time,
    }


def pinned_in(kinds: Iterable[CommentKind]) -> int:
    """How many of a thread's comments stand first because they say how live runs go."""
    return sum(1 for _ in takewhile(lambda kind: kind is CommentKind.STATUS, kinds))


def writers_of(comment: CommentItem) -> list[Key]:
    """Whose names have to be read to show it."""
    wanted = []
    if comment.author_id:
        wanted.append(MemberItem.at(comment.workspace_id, comment.author_id))
    if comment.authoring_agent_id:
        wanted.append(AgentItem.at(comment.workspace_id, comment.authoring_agent_id))
    return wanted
