"""What follows from a comment that is changed or deleted, and who may do that; when a status is news."""

from collections.abc import Collection, Sequence

from forge.context import Caller
from forge.contract.terms import EngagementMode, Scope
from forge.errors import Forbidden, PreconditionFailed
from forge.work.content.comments import mentions
from forge.work.content.comments.announcements import (
    COMMENT_DELETED,
    COMMENT_EDITED,
    STATUS_POSTED,
    STATUS_ROLLED_ON,
    CommentDeleted,
    StatusPosted,
)
from forge.work.content.comments.comments import CommentItem, RevisionItem, preview
from forge.work.content.comments.mentions import Mentioned
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import MAX_LIVE_RUNS, LiveRun
from forge.work.issues.runs.runs import RunItem
from forge.work.record.texts import MAX_INLINE, KeptText
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import ADMIN_ROLES

# Of one character in UTF-8.
_MOST_BYTES = 4


def may_change(caller: Caller, comment: CommentItem) -> bool:
    return _is_author(caller, comment) or _is_admin(caller)


def require_author(caller: Caller, comment: CommentItem) -> None:
    if not may_change(caller, comment):
        raise Forbidden(
            "Only its author or an admin can change a comment.",
            hint="Answer with comments.create, or ask an admin.",
        )


def edit(change: IssueChange, comment: CommentItem, text: str, *, mentioned: Mentioned) -> None:
    """Say it in other words: nobody hears of it but who was not mentioned before."""
    mentions.watch(change, mentioned)
    told = mentions.told_of_another_text(comment, text, mentioned, is_edited=True)
    calls = mentions.calls(change.desk, mentioned, text)
    change.announce(COMMENT_EDITED, told, action="edit-comment", calls=calls, is_quiet=True)


def remove(change: IssueChange, comment: CommentItem) -> None:
    told = CommentDeleted(comment_id=comment.id, issue_id=comment.issue_id, deleted=True)
    change.announce(COMMENT_DELETED, told, action="delete-comment", is_quiet=True)


def roll_on(change: IssueChange, comment: CommentItem, run: RunItem, text: str, *, is_first: bool) -> None:
    """Announce the new text of a run's status comment."""
    told = StatusPosted(
        comment_id=comment.id,
        issue_id=comment.issue_id,
        kind=comment.kind,
        run_id=run.id,
        preview=preview(text),
        current_step=run.current_step,
    )
    change.announce(STATUS_POSTED if is_first else STATUS_ROLLED_ON, told, action="status")


def executes(change: IssueChange, live: LiveRun | None) -> bool:
    """Whether what the calling agent reports is work on the issue itself, and not on a step of a plan."""
    if live is not None:
        return live.mode is EngagementMode.EXECUTE and live.step_id is None
    return change.own_engagement[0] is EngagementMode.EXECUTE


def require_run(run: RunItem | None) -> RunItem:
    """A status belongs to a run, so there is none without."""
    if run is None:
        raise PreconditionFailed(
            f"This issue has {MAX_LIVE_RUNS} live runs, which is the most, so yours could not begin.",
            hint="Say it with comments.create, or wait until one ends: runs.list shows them.",
        )
    return run


def note_on(crowded_out: Sequence[AgentItem]) -> str | None:
    """What whoever comments should know: agents for whom no run began, though they are told."""
    if not crowded_out:
        return None
    names = ", ".join(agent.profile_key for agent in crowded_out)
    return f"No run began for {names}: this issue has {MAX_LIVE_RUNS} live runs, which is the most."


def is_news(comment: CommentItem | None, run: RunItem, *, said: str | None, text: str) -> bool:
    """Whether a status says anything but what the run's status comment says already."""
    if comment is None or comment.deleted_at is not None:
        return True
    return said != text or comment.current_step != run.current_step


def added_names(tokens: Sequence[str], earlier: Collection[str]) -> list[str]:
    """Whom an edit may call: names that were not in the text before."""
    known = frozenset(earlier)
    return [token for token in tokens if token not in known]


def without_text(comment: CommentItem) -> CommentItem:
    """For an answer that does not show it, so that it need not be fetched."""
    return comment.changed(body=KeptText())


def least_length(kept: CommentItem | RevisionItem) -> int:
    """How many characters its text has at least: one that is kept apart is known by its bytes alone."""
    return MAX_INLINE // _MOST_BYTES if kept.body.blob else len(kept.body.text)


def _is_author(caller: Caller, comment: CommentItem) -> bool:
    """An agent's key is the agent, and never the person who owns it."""
    if caller.agent_id is not None:
        return comment.authoring_agent_id == caller.agent_id
    return caller.user_id is not None and comment.author_id == caller.user_id


def _is_admin(caller: Caller) -> bool:
    return Scope.ADMIN in caller.scopes or caller.role in ADMIN_ROLES
