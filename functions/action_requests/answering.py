"""An answer to an agent that asked about an issue: a comment that calls it, so that it reaches the agent."""

from dataclasses import dataclass

from forge.store.keys import Key
from forge.store.transactions import Transaction
from forge.work.content.comments import comments, mentions, posting
from forge.work.content.comments.comments import CommentItem
from forge.work.content.comments.mentions import NamedInText
from forge.work.issues.changes import IssueChange
from forge.work.plans.requests.requests import RequestKind, RequestStatus
from forge.work.workspace.people.agents import AgentItem
from functions.action_requests.opening import Opened


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said, whom it calls at once, and the words that are left for later."""

    text: str
    named: NamedInText
    rest: list[str]


def names_of(workspace_id: str, note: str | None) -> list[Key]:
    """What tells whom a note names; read with the request."""
    return mentions.names_of(workspace_id, _first(note or ""))


def asker_of(opened: Opened) -> AgentItem | None:
    """The agent that waits for the answer: not one that is gone, nor one that decides for itself."""
    agent = opened.asking_agent
    is_there = agent is not None and agent.archived_at is None
    return agent if agent and is_there and agent.id != opened.ctx.caller.agent_id else None


def answer_of(opened: Opened, status: RequestStatus, resolution: str, note: str | None) -> Answer | None:
    """None where nobody is answered here: a person asked, there is no issue to say it on, or it goes away.

    A yes to a question is the note itself; of everything else it is said what was decided about what.
    """
    agent, request = asker_of(opened), opened.request
    if opened.desk is None or agent is None or request.kind is RequestKind.ARCHIVE:
        return None
    looked_up = _first(note or "")
    at_once, rest = mentions.at_once(
        opened.readings, request.workspace_id, mentions.tokens_in(note or ""), looked_up=looked_up
    )
    agents = list(dict.fromkeys([agent.id, *at_once.agent_ids]))
    is_plain = request.kind is RequestKind.FREE_FORM and status is RequestStatus.RESOLVED
    words = note if note and is_plain else f"{resolution} ({request.title})"
    return Answer(f"@{agent.profile_key} {words}", NamedInText(agents, at_once.user_ids), rest)


def needs(opened: Opened, answer: Answer) -> list[Key]:
    return mentions.needs(opened.issue_desk.issue, answer.named)


def say(change: IssueChange, answer: Answer) -> CommentItem:
    """Write the caller's comment with the change; where that closes the issue, no agent is called by it."""
    desk = change.desk
    comment = comments.written(desk.ctx, desk.issue, answer.text)
    named = answer.named if change.issue.is_open else NamedInText([], answer.named.user_ids)
    posting.post(change, comment, answer.text, mentioned=mentions.resolve(desk, named))
    return comment


def is_left(opened: Opened, change: IssueChange | None, answer: Answer | None) -> bool:
    """Whether no comment calls the agent that asked, so that it has to find the answer by itself."""
    is_called = answer is not None and change is not None and change.issue.is_open
    return asker_of(opened) is not None and not is_called


def write(tx: Transaction, comment: CommentItem, answer: Answer) -> None:
    comments.add(tx, comment)
    posting.call_later(tx, comment, answer.rest)


def _first(note: str) -> list[str]:
    return mentions.tokens_in(note)[: mentions.MAX_TOKENS]
