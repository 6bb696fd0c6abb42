"""Mentions: who is called by name in a text. They watch the issue from then on, and agents are woken.

A name is looked up among those that are taken, so that nobody reads all agents and members to find a few
of them. It is read with the issue; agents and watches that names lead to, with what else the change needs.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.content.comments.announcements import CommentEdited, MentionedAgent, Mentions
from forge.work.content.comments.comments import CommentItem, preview
from forge.work.content.comments.prose import prose_of
from forge.work.issues.changes import IssueChange, keys_of_runs
from forge.work.issues.desks import Desk
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs import modes
from forge.work.issues.runs.waking import Reason, WakeCall
from forge.work.issues.watchers import WatchItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.taken_names import NameItem

MAX_TOKENS = 40
"""Words that are looked up at once, in one request; the others are looked at by the continuation."""
MAX_AGENTS = 8
MAX_NAMES = 10
"""Agents and people together: these begin to watch in the transaction of the text, and the rest later."""

# After a letter it is an e-mail address; but scripts without spaces have no other way to write a name.
_TOKEN = re.compile(r"(?<![A-Za-z0-9_+%\u00c0-\u024f\u0370-\u052f-])@([A-Za-z0-9][A-Za-z0-9_-]*)")
_AGENT, _HANDLE = "AGENT", "HANDLE"


class NamedInText(NamedTuple):
    """Whose the names in a text are."""

    agent_ids: list[str]
    user_ids: list[str]


class Mentioned(NamedTuple):
    """Who of those is there to hear it: agents that were archived are not."""

    agents: list[AgentItem]
    user_ids: list[str]

    @property
    def told(self) -> Mentions:
        return Mentions(
            agent_ids=[agent.id for agent in self.agents],
            user_ids=self.user_ids,
            agents=[MentionedAgent(id=agent.id, profile_key=agent.profile_key) for agent in self.agents],
        )


class AtOnce(NamedTuple):
    """Who is called with the text itself, and the words that are left for the continuation."""

    named: NamedInText
    rest: list[str]


def tokens_in(text: str) -> list[str]:
    """The different words after an `@`, in lower case; which of them are names, those that are taken tell."""
    return list(dict.fromkeys(token.lower() for token in _TOKEN.findall(prose_of(text))))


def names_of(workspace_id: str, tokens: Sequence[str]) -> list[Key]:
    return [NameItem.of_name(workspace_id, kind, token) for token in tokens for kind in (_AGENT, _HANDLE)]


def named_by(known: Desk | Readings, workspace_id: str, tokens: Iterable[str]) -> NamedInText:
    """Whose names the tokens are, by the taken names among what was read."""
    words = list(tokens)

    def owners(kind: str) -> list[str]:
        places = (NameItem.of_name(workspace_id, kind, token) for token in words)
        return [taken.owner_id for place in places if (taken := known.find(NameItem, place))]

    return NamedInText(owners(_AGENT), owners(_HANDLE))


def at_once(
    known: Desk | Readings, workspace_id: str, tokens: Iterable[str], *, looked_up: Collection[str]
) -> AtOnce:
    """Of the tokens, in their order, as many names as one transaction takes."""
    agent_ids, user_ids, rest = list[str](), list[str](), list[str]()
    for token in tokens:
        named = named_by(known, workspace_id, [token]) if token in looked_up else None
        if named is None or not _has_room([*agent_ids, *named.agent_ids], [*user_ids, *named.user_ids]):
            rest.append(token)
            continue
        agent_ids += named.agent_ids
        user_ids += named.user_ids
    return AtOnce(NamedInText(agent_ids, user_ids), rest)


def needs(issue: IssueItem, named: NamedInText) -> list[Key]:
    """What `resolve`, `watch` and whoever is called have to find on the desk."""
    workspace_id = issue.workspace_id
    agents = [AgentItem.at(workspace_id, agent_id) for agent_id in named.agent_ids]
    live = [run for agent_id in named.agent_ids if (run := issue.run_at_work_of(agent_id))]
    watches = [WatchItem.at(workspace_id, issue.id, one) for one in (*named.agent_ids, *named.user_ids)]
    return [*agents, *keys_of_runs(issue, live), *watches]


def resolve(desk: Desk, named: NamedInText) -> Mentioned:
    found = [desk.names.agent(agent_id) for agent_id in named.agent_ids]
    return Mentioned([agent for agent in found if agent and agent.archived_at is None], named.user_ids)


def calls(desk: Desk, mentioned: Mentioned, text: str) -> list[WakeCall]:
    """Who writes its own name is not woken by it: the change leaves the caller out."""
    prose = prose_of(text) if mentioned.agents else ""
    return [
        WakeCall(
            agent.id,
            Reason.MENTIONED,
            modes.for_mention(desk.workspace, agent, desk.issue, prose),
            ends_waiting=True,
        )
        for agent in mentioned.agents
    ]


def told_of_another_text(
    comment: CommentItem, text: str, mentioned: Mentioned, *, is_edited: bool
) -> CommentEdited:
    """Of an edit, or only of those whom the same text calls later."""
    return CommentEdited(
        comment_id=comment.id,
        issue_id=comment.issue_id,
        edited=is_edited,
        preview=preview(text),
        mentions=mentioned.told,
    )


def watch(change: IssueChange, mentioned: Mentioned) -> None:
    """Whoever is mentioned follows the issue from now on."""
    for agent in mentioned.agents:
        change.watch(agent_id=agent.id)
    for user_id in mentioned.user_ids:
        change.watch(user_id=user_id)


def _has_room(agent_ids: Sequence[str], user_ids: Sequence[str]) -> bool:
    return len(agent_ids) <= MAX_AGENTS and len(agent_ids) + len(user_ids) <= MAX_NAMES
