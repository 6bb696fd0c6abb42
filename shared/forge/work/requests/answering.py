"""An answer to an agent that asked about an issue: a comment that calls it, so that it reaches the agent."""

from dataclasses import dataclass

from forge.store.keys import Key
from forge.store.transactions import Transaction
from forge.work.comments import comments, mentions, posting
from forge.work.comments.comments import CommentItem
from forge.work.comments.mentions import Named
from forge.work.issues.changes import IssueChange
from forge.work.people.agents import AgentItem
from forge.work.requests.opening import Opened
from forge.work.requests.requests import RequestItem, RequestKind


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said, whom it calls at once, and the words that are left for later."""

    text: str
    named: Named
    rest: list[str]


def guards_of(workspace_id: str, note: str | None) -> list[Key]:
    """What tells whom a note names; read with the request."""
    return mentions.guards_of(workspace_id, _first(note or ""))


def is_answered(request: RequestItem, agent: AgentItem | None, note: str | None) -> bool:
    """Whether a yes has words for an agent that waits for them."""
    return request.kind is RequestKind.FREE_FORM and agent is not None and bool(note)


def answer_of(opened: Opened, note: str | None) -> Answer | None:
    """None where nobody is answered: a person asked, there is no issue to say it on, or nothing to say."""
    agent, request = opened.asking_agent, opened.request
    if opened.desk is None or agent is None or not note or not is_answered(request, agent, note):
        return None
    at_once, rest = mentions.at_once(
        opened.readings, request.workspace_id, mentions.tokens_in(note), looked_up=_first(note)
    )
    agents = list(dict.fromkeys([agent.id, *at_once.agent_ids]))
    return Answer(f"@{agent.profile_key} {note}", Named(agents, at_once.user_ids), rest)


def needs(opened: Opened, answer: Answer) -> list[Key]:
    return mentions.needs(opened.request.workspace_id, str(opened.request.issue_id), answer.named)


def say(change: IssueChange, answer: Answer) -> CommentItem:
    """The caller's comment, as it will be stored."""
    desk = change.desk
    comment = comments.written(desk.ctx, desk.issue, answer.text)
    posting.post(change, comment, answer.text, mentioned=mentions.resolve(desk, answer.named))
    return comment


def write(tx: Transaction, comment: CommentItem, answer: Answer) -> None:
    comments.add(tx, comment)
    posting.call_later(tx, comment, answer.rest)


def _first(note: str) -> list[str]:
    return mentions.tokens_in(note)[: mentions.MAX_TOKENS]
