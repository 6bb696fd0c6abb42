"""What is told of comments, as events of their issue."""

from forge.contract.effects import Emission, Told
from forge.work.content.comments.comments import CommentKind
from forge.work.issues.runs.reports import Confidence
from forge.work.record.log.kinds import EventKind


class MentionedAgent(Told):
    id: str
    profile_key: str


class Mentions(Told):
    agent_ids: list[str]
    user_ids: list[str]
    agents: list[MentionedAgent]


class CommentPosted(Told):
    comment_id: str
    issue_id: str
    kind: CommentKind
    preview: str
    mentions: Mentions
    confidence: Confidence | None = None


class CommentEdited(Told):
    comment_id: str
    issue_id: str
    edited: bool
    preview: str
    mentions: Mentions


class CommentDeleted(Told):
    comment_id: str
    issue_id: str
    deleted: bool


class StatusPosted(Told):
    """The one status comment of a run, which rolls on."""

    comment_id: str
    issue_id: str
    kind: CommentKind
    run_id: str
    preview: str
    current_step: str | None


COMMENT_POSTED = Emission(EventKind.COMMENT_CREATED, "issue", CommentPosted)
COMMENT_EDITED = Emission(EventKind.COMMENT_UPDATED, "issue", CommentEdited)
COMMENT_DELETED = Emission(EventKind.COMMENT_UPDATED, "issue", CommentDeleted)
STATUS_POSTED = Emission(EventKind.COMMENT_CREATED, "issue", StatusPosted)
STATUS_ROLLED_ON = Emission(EventKind.COMMENT_UPDATED, "issue", StatusPosted)
