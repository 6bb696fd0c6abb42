"""Mentions: who is called by name in a text. They watch the issue from then on, and agents are woken.

A name is looked up by its guard, so that nobody reads all agents and members to find a few of them. Guards
are read with the issue; the agents and watches that they lead to, with whatever else the change needs.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from forge.errors import InvalidInput
from forge.store.keys import Key
from forge.store.table import Attributes
from forge.work.issues import issue_keys, watchers
from forge.work.issues.changes import Call, IssueChange, Reason
from forge.work.issues.desks import Desk
from forge.work.issues.watchers import WatchItem
from forge.work.people import people_keys
from forge.work.people.agents import AgentItem
from forge.work.runs import modes
from forge.work.workspaces import workspace_keys
from forge.work.workspaces.guards import GuardItem

MAX_TOKENS = 40
"""Words that may be names: their guards are read in one request."""
MAX_AGENTS = 8
MAX_NAMES = 10
"""Agents and people together: all of them begin to watch in the transaction of the text."""

_TOKEN = re.compile(r"@([A-Za-z0-9][A-Za-z0-9_-]*)")
_AGENT, _HANDLE = "AGENT", "HANDLE"


class Named(NamedTuple):
    """Whose the names in a text are."""

    agent_ids: list[str]
    user_ids: list[str]


class Mentioned(NamedTuple):
    """Who of those is there to hear it: agents that were archived are not."""

    agents: list[AgentItem]
    user_ids: list[str]

    @property
    def payload(self) -> dict[str, Any]:
        return {
            "agentIds": [agent.id for agent in self.agents],
            "userIds": self.user_ids,
            "agents": [{"id": agent.id, "profileKey": agent.profile_key} for agent in self.agents],
        }


def tokens_in(text: str) -> list[str]:
    """The first different words after an `@`, in lower case; which of them are names, the guards tell."""
    return list(dict.fromkeys(token.lower() for token in _TOKEN.findall(text)))[:MAX_TOKENS]


def guards_of(workspace_id: str, tokens: Sequence[str]) -> list[Key]:
    return [workspace_keys.guard(workspace_id, kind, token) for token in tokens for kind in (_AGENT, _HANDLE)]


def named_by(rows: Mapping[Key, Attributes], workspace_id: str, tokens: Sequence[str]) -> Named:
    """Whose names the tokens are, by the guards among what was read; too many are refused."""

    def owners(kind: str) -> list[str]:
        found = (rows.get(workspace_keys.guard(workspace_id, kind, token)) for token in tokens)
        return [GuardItem.from_attributes(row).owner_id for row in found if row]

    named = Named(owners(_AGENT), owners(_HANDLE))
    if len(named.agent_ids) > MAX_AGENTS or len(named.agent_ids) + len(named.user_ids) > MAX_NAMES:
        limit = f"at most {MAX_AGENTS} agents, and {MAX_NAMES} agents and people together"
        raise InvalidInput(
            f"Too many are mentioned: one comment can mention {limit}.",
            issues={"body": f"Mention {limit}; write the other names without @."},
        )
    return named


def needs(workspace_id: str, issue_id: str, named: Named) -> list[Key]:
    """What `resolve` and `watch` have to find on the desk."""
    agents = [people_keys.agent(workspace_id, agent_id) for agent_id in named.agent_ids]
    everybody = [*named.agent_ids, *named.user_ids]
    return [*agents, *(issue_keys.watch(workspace_id, issue_id, watcher_id) for watcher_id in everybody)]


def resolve(desk: Desk, named: Named) -> Mentioned:
    found = [desk.names.agent(agent_id) for agent_id in named.agent_ids]
    return Mentioned([agent for agent in found if agent and agent.archived_at is None], named.user_ids)


def calls(desk: Desk, mentioned: Mentioned, text: str) -> list[Call]:
    """Who writes its own name is not woken by it: the change leaves the caller out."""
    return [
        Call(agent.id, Reason.MENTIONED, modes.for_mention(desk.workspace, agent, desk.issue, text))
        for agent in mentioned.agents
    ]


def watch(change: IssueChange, mentioned: Mentioned) -> None:
    """Whoever is mentioned follows the issue from now on."""
    for agent in mentioned.agents:
        if not _watches(change.desk, agent.id):
            watchers.add(change.tx, change.issue, agent_id=agent.id)
    for user_id in mentioned.user_ids:
        if not _watches(change.desk, user_id):
            watchers.add(change.tx, change.issue, user_id=user_id)


def _watches(desk: Desk, watcher_id: str) -> bool:
    key = issue_keys.watch(desk.issue.workspace_id, desk.issue.id, watcher_id)
    return desk.find(WatchItem, key) is not None
