"""A successful call of every tool, and the stage that it needs. A new tool gets its line in SAMPLES.

A sample does as much as its tool can: it refers to whatever can be referred to, and changes whatever moves
other items along, because the tests measure what it costs and break it at every step.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, NamedTuple

import pytest

from forge.auth.keys import hash_of
from forge.context import KeyKind
from forge.contract.terms import Actor, Effect, Scope, Surface
from forge.contract.tools import AnyTool
from forge.store import keys
from forge.store.idempotency import MAX_INLINE
from forge.testing.world import World
from forge.wire.http import Response
from forge.work.api_keys import AuthenticationItem
from forge.work.workspaces import WorkspaceItem
from infra.events import example_arguments
from infra.registry import find_tools

Arguments = dict[str, Any]

ALL_TOOLS = {tool.name: tool for tool in find_tools()}
ALL_SCOPES = frozenset(Scope)

A_LONG_TEXT = "\N{MEMO}" * (MAX_INLINE // 4)
A_WEBHOOK_SECRET = "whsec-never-to-be-seen-again"


class Stage:
    """Makes what calls need, in one workspace, with the product's own tools and its owner's key."""

    def __init__(self, world: World, workspace: WorkspaceItem | None = None) -> None:
        self.world = world
        self.workspace = workspace or world.workspace
        self._numbers = count(1)

    def a_label(self) -> str:
        return self._make("labels.create", {"name": f"label {next(self._numbers)}"})

    def a_status(self, category: str = "IN_PROGRESS") -> str:
        name = f"status {next(self._numbers)}"
        return self._make("statuses.create", {"name": name, "category": category})

    def an_agent(self) -> str:
        return self._make("agents.create", {"profileKey": f"agent{next(self._numbers)}", "name": "An agent"})

    def an_agent_with_history(self) -> str:
        """One that two events are about."""
        agent_id = self.an_agent()
        self._make("agents.update", {"id": agent_id, "name": "Another name"})
        return agent_id

    def a_member(self, role: str = "MEMBER") -> str:
        """With a handle and a key, because both go along when a membership changes."""
        name = f"{self.workspace.slug}{next(self._numbers)}"
        user_id = self._make(
            "members.add", {"email": f"{name}@example.com", "handle": name, "name": name, "role": role}
        )
        self.a_key(user_id)
        return user_id

    def a_key(self, user_id: str | None = None) -> str:
        order = {"name": "made on the stage", "scopes": ["READ_ISSUES"], "userId": user_id}
        return self._make("keys.create", order)

    def key_for(self, tool: AnyTool, scopes: Iterable[Scope]) -> str:
        """A raw key of whom the tool is for: an agent's, else the owner's."""
        if tool.actor is Actor.AGENT:
            agent_id = self.an_agent()
            return self.world.a_key(
                kind=KeyKind.AGENT, linked_agent_id=agent_id, scopes=scopes, workspace=self.workspace
            )
        return self.world.a_key(user_id=self.owner_id(), scopes=scopes, workspace=self.workspace)

    def owner_id(self) -> str | None:
        owner_key = keys.authentication(hash_of(self.world.owner_key(self.workspace)))
        found = self.world.services.store.table.find(AuthenticationItem, owner_key)
        return found.user_id if found else None

    def _make(self, tool: str, arguments: Arguments) -> str:
        made = Ready(ALL_TOOLS[tool], arguments, self.world.owner_key(self.workspace)).send(self.world)
        assert made.status == 200, made.body
        return str(json.loads(made.body)["id"])


@dataclass(frozen=True, slots=True)
class Sample:
    tool: AnyTool
    arguments: Callable[[Stage], Arguments]
    variant: str = ""
    reached_scopes: frozenset[Scope] = frozenset()
    """What the tool that it calls needs."""

    def __str__(self) -> str:
        return f"{self.tool.name} {self.variant}".strip()

    @property
    def scopes(self) -> frozenset[Scope]:
        return frozenset(self.tool.scopes) | self.reached_scopes


class Ready(NamedTuple):
    """A call with everything in place."""

    tool: AnyTool
    arguments: Arguments
    key: str

    def send(self, world: World, *, idempotency_key: str | None = None) -> Response:
        """Over REST, where every tool can be reached."""
        door = world.rest if self.tool.surface is Surface.MCP else world.admin
        headers = {"idempotency-key": idempotency_key} if idempotency_key else {}
        return door(self.tool.name, self.arguments, key=self.key, headers=headers)


def prepare(sample: Sample, stage: Stage, *, scopes: Iterable[Scope] = ALL_SCOPES) -> Ready:
    arguments = sample.arguments(stage)
    return Ready(sample.tool, arguments, stage.key_for(sample.tool, scopes))


def _sample(
    name: str,
    arguments: Callable[[Stage], Arguments] = lambda stage: {},
    *,
    variant: str = "",
    reached_scopes: frozenset[Scope] = frozenset(),
) -> Sample:
    return Sample(ALL_TOOLS[name], arguments, variant, reached_scopes)


SAMPLES: tuple[Sample, ...] = (
    _sample("agents.archive", lambda stage: {"id": stage.an_agent()}),
    _sample(
        "agents.create",
        lambda stage: {
            "profileKey": "planner",
            "name": "Planner",
            "capabilities": ["plans"],
            "webhookUrl": "https://planner.example.com/hook",
            "webhookSecret": A_WEBHOOK_SECRET,
            "templateMarkdown": "# Goal",
        },
    ),
    _sample(
        "agents.create",
        lambda stage: {"profileKey": "writer", "name": "Writer", "templateMarkdown": A_LONG_TEXT},
        variant="with an answer that is kept apart",
    ),
    _sample("agents.heartbeat", lambda stage: {"status": "BUSY"}),
    _sample("agents.list", lambda stage: {"includeArchived": True}),
    _sample("agents.me"),
    _sample(
        "agents.update",
        lambda stage: {"id": stage.an_agent(), "maxConcurrent": 3, "webhookSecret": A_WEBHOOK_SECRET},
    ),
    _sample(
        "catalog.call",
        lambda stage: {"name": "labels.create", "arguments": {"name": "called"}},
        reached_scopes=frozenset({Scope.ADMIN}),
    ),
    _sample("catalog.describe", lambda stage: {"names": ["workspace.get", "labels_list"]}),
    _sample("catalog.search", lambda stage: {"query": "who works here"}),
    _sample("events.recent", lambda stage: {"limit": 1, "subjectType": _eventful(stage)[0]}),
    _sample(
        "events.recent",
        lambda stage: dict(zip(("subjectType", "subjectId", "limit"), (*_eventful(stage), 1), strict=True)),
        variant="of one agent",
    ),
    _sample(
        "keys.create",
        lambda stage: {
            "name": "laptop",
            "scopes": ["READ_ISSUES"],
            "userId": stage.a_member(),
            "labelIds": [stage.a_label()],
            "expiresInDays": 30,
        },
    ),
    _sample(
        "keys.create",
        lambda stage: {
            "name": "runner",
            "kind": "AGENT",
            "scopes": ["READ_ISSUES", "READ_USERS"],
            "linkedAgentId": stage.an_agent(),
        },
        variant="for an agent",
    ),
    _sample("keys.list", lambda stage: {"limit": 1}),
    _sample("keys.revoke", lambda stage: {"id": stage.a_key(stage.a_member())}),
    _sample("labels.create", lambda stage: {"name": "Bug", "color": "#DC2626"}),
    _sample("labels.delete", lambda stage: {"id": stage.a_label()}),
    _sample("labels.list"),
    _sample("labels.update", lambda stage: {"id": stage.a_label(), "name": "Defect", "color": "#dc2626"}),
    _sample(
        "members.add",
        lambda stage: {
            "email": "ada@example.com",
            "name": "Ada",
            "handle": "ada",
            "role": "ADMIN",
        },
    ),
    _sample("members.list"),
    _sample("members.remove", lambda stage: {"userId": stage.a_member(role="OWNER")}),
    _sample("members.setRole", lambda stage: {"userId": stage.a_member(role="OWNER"), "role": "GUEST"}),
    _sample("members.update", lambda stage: {"userId": stage.a_member(), "handle": "lovelace"}),
    _sample("statuses.create", lambda stage: {"name": "Triage", "category": "BACKLOG", "isDefault": True}),
    _sample("statuses.list", lambda stage: {"category": "TODO"}),
    _sample("statuses.update", lambda stage: {"id": stage.a_status(), "name": "Blocked", "isDefault": True}),
    _sample("tokens.create", lambda stage: {"keyId": stage.a_key()}),
    _sample("workspace.get"),
    _sample("workspaces.create", lambda stage: {"slug": "acme", "key": "ACME", "name": "Acme"}),
    _sample("workspaces.get"),
    _sample(
        "workspaces.update",
        lambda stage: {
            "name": "Renamed",
            "startedStatusId": stage.a_status("IN_PROGRESS"),
            "reviewStatusId": stage.a_status("IN_REVIEW"),
        },
    ),
)


def _eventful(stage: Stage) -> tuple[str, str]:
    return "agent", stage.an_agent_with_history()


SAMPLES += tuple(
    # A tool that needs nothing to be there first is called as its own description says.
    Sample(tool, lambda stage, tool=tool: example_arguments(tool))  # type: ignore[misc]
    for tool in ALL_TOOLS.values()
    if tool.name not in {sample.tool.name for sample in SAMPLES}
)


@cache
def samples_of(tool_name: str) -> tuple[Sample, ...]:
    return tuple(sample for sample in SAMPLES if sample.tool.name == tool_name)


def _every(samples: Iterable[Sample]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("sample", tuple(samples), ids=str)


CHANGING = tuple(one for one in SAMPLES if one.tool.effect is not Effect.READ_ONLY)

every_sample = _every(SAMPLES)
every_reading_sample = _every(one for one in SAMPLES if one.tool.effect is Effect.READ_ONLY)
every_changing_sample = _every(CHANGING)
every_offered_sample = _every(one for one in SAMPLES if one.tool.surface is Surface.MCP)
every_operators_sample = _every(one for one in SAMPLES if one.tool.surface is Surface.ADMIN)
