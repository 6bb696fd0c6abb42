"""The stage of a call: what it needs, made with the product's own tools, and a key for it."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

from forge.auth.keys import hash_of
from forge.context import KeyKind
from forge.contract.terms import Actor, Scope, Surface
from forge.contract.tools import AnyTool
from forge.testing.world import World
from forge.wire.http import Response
from forge.work.background.deliveries import deliveries
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus, Receiver, ReceiverType
from forge.work.background.deliveries.retries import MOST_TRIES
from forge.work.background.sweep import timers
from forge.work.background.sweep.timers import Due, TimerState
from forge.work.background.watchdogs import expired_locks
from forge.work.backlog import repositories
from forge.work.backlog.workflows.workflows import WorkflowItem
from forge.work.overviews.exports import orders
from forge.work.overviews.exports.orders import ExportItem
from forge.work.record.log.kinds import EventKind
from forge.work.workspace import erasures, workspaces
from forge.work.workspace.people.agents import PulseItem
from forge.work.workspace.people.api_keys import AuthenticationItem
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.workers import Worker
from forge.work.workspace.workspaces import WorkspaceItem
from infra.registry import find_tools
from tests.contract.retold import plain

Arguments = dict[str, Any]

ALL_TOOLS = {tool.name: tool for tool in find_tools()}
ALL_SCOPES = frozenset(Scope)


class Stage:
    """Makes what calls need, in one workspace, with the product's own tools and its owner's key."""

    def __init__(self, world: World, workspace: WorkspaceItem | None = None) -> None:
        self.world = world
        self.workspace = workspace or world.workspace
        self._numbers = count(1)
        self.calling_key: str | None = None
        """Whose call is prepared, where that is known: what only its own key can do is done with it."""

    def a_repository(self, **more: object) -> str:
        """Its name."""
        name = f"demo/app{next(self._numbers)}"
        self._make("repositories.register", {"fullName": name, "provider": "native", **more})
        return name

    def a_repository_id(self) -> str:
        name = self.a_repository()
        found = self.call("repositories.list", {})["data"]
        return next(str(one["id"]) for one in found if one["fullName"] == name)

    def a_label(self) -> str:
        return self._make("labels.create", {"name": f"label {next(self._numbers)}"})

    def a_status(self, category: str = "IN_PROGRESS") -> str:
        name = f"status {next(self._numbers)}"
        return self._make("statuses.create", {"name": name, "category": category})

    def an_agent(self, **more: object) -> str:
        key = f"agent{next(self._numbers)}"
        return self._make("agents.create", {"profileKey": key, "name": "An agent", **more})

    def give_without_a_run(self, issue_id: str) -> None:
        """Some agent has the issue, and is not at work on it: what happens to the issue wakes it."""
        agent_id = self.an_agent()
        key = self.agent_key(agent_id)
        self.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": "DISCUSS"})
        runs = self.call("runs.list", {"issueId": issue_id, "agentId": agent_id})["data"]
        self.call("runs.complete", {"runId": runs[0]["id"], "summary": "Later."}, key=key)

    def give_back(self, number: int, *, repository: str) -> None:
        """What the sweep does to a lock of the backlog once it has expired."""
        store, later = self.world.services.store, self.world.clock() + timedelta(hours=1)
        place = repositories.find_by_name(store.table, self.workspace.id, repository)
        assert place is not None
        worker = Worker(store, lambda: later, self.world.ids)
        assert expired_locks.look(worker, WorkflowItem.at(self.workspace.id, place.id, number))

    def an_agent_for_the_queue(self) -> str:
        """The one that auto-dispatch gives everything to, with a template for what says nothing yet."""
        agent_id = self.an_agent(templateMarkdown="# Goal", capabilities=["login"])
        self.call("agents.heartbeat", {}, key=self.agent_key(agent_id))
        mode = {"autoDispatch": True, "autoDispatchMode": "CAPABILITY_MATCH"}
        self.call("workspaces.update", {**mode, "startedStatusId": self.a_status()})
        return agent_id

    def a_while_ago(self, thing_id: str) -> str:
        """Made before the minute in which its issue says but once that something happened to it."""
        self.world.clock.advance(minutes=2)
        return thing_id

    def a_dispatch_rule(self) -> str:
        return self._make("dispatchRules.create", {"name": "A rule", "targetAgentId": self.an_agent()})

    def an_agent_with_history(self) -> str:
        """One that two events are about."""
        agent_id = self.an_agent()
        self._make("agents.update", {"id": agent_id, "name": "Another name"})
        return agent_id

    def a_project(self, initiative_id: str | None = None) -> str:
        key = f"P{next(self._numbers)}"
        return self._make("projects.create", {"key": key, "name": "A project", "initiativeId": initiative_id})

    def an_initiative(self) -> str:
        return self._make("initiatives.create", {"name": f"Initiative {next(self._numbers)}"})

    def a_cycle(self) -> str:
        return self._make("cycles.create", {"name": f"Cycle {next(self._numbers)}"})

    def a_runtime(self) -> str:
        name = f"Runtime {next(self._numbers)}"
        return self._make("runtimes.register", {"name": name, "kind": "LOCAL_DAEMON"})

    def a_crew(self, *roles: str) -> dict[str, Any]:
        """With an agent for each role."""
        members = [{"agentId": self.an_agent(), "role": role} for role in roles]
        made = self._make("agentCrews.create", {"name": f"crew {next(self._numbers)}", "members": members})
        listed: list[dict[str, Any]] = self.call("agentCrews.list", {})["data"]
        return next(one for one in listed if one["id"] == made)

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

    def a_dead_timer(self) -> str:
        """Whether an agent is still there could not be told, until the sweep gave up."""
        store, world = self.world.services.store, self.world
        due = Due(PulseItem.at(self.workspace.id, self.an_agent()), "")
        timer = timers.failed(None, due, LookupError("no queue"), now=world.clock(), chance=1)
        given_up = timer.changed(tries=timers.MOST_TRIES, state=TimerState.DEAD, next_try_at=None)
        tx = Worker(store, world.clock, world.ids).begin(self.workspace.id)
        tx.create(given_up)
        store.commit(tx)
        return given_up.id

    def a_webhook(self) -> str:
        return self._make("webhooks.create", {"url": f"https://ci.example.com/{next(self._numbers)}"})

    def a_dead_letter(self) -> str:
        """An event that a webhook never took, until it was given up."""
        store, now, event_id = self.world.services.store, self.world.clock(), self.world.ids("evt")
        target = Receiver(ReceiverType.WEBHOOK, self.a_webhook())
        given_up = DeliveryItem(
            workspace_id=self.workspace.id,
            id=deliveries.delivery_id(event_id, target),
            event_id=event_id,
            event_kind=EventKind.ISSUE_CREATED,
            target_type=target.type,
            target_id=target.id,
            body="{}",
            status=DeliveryStatus.DEAD_LETTER,
            attempt=MOST_TRIES,
            response_status=503,
            response_body="down for maintenance",
            created_at=now,
            scheduled_at=now,
        )
        tx = Worker(store, lambda: now, self.world.ids).begin(self.workspace.id)
        tx.create(given_up)
        store.commit(tx)
        return given_up.id

    def an_export(self) -> str:
        """That was carried out, of a workspace in which more happened than in this one."""
        store, now = self.world.services.store, self.world.clock()
        order = ExportItem(workspace_id=self.workspace.id, id=self.world.ids("exp"), created_at=now)
        tx = Worker(store, lambda: now, self.world.ids).begin(self.workspace.id)
        done = order.with_part(1_234, 567_890, None).done(now)
        orders.add(tx, done, after=orders.find_latest(store.table, self.workspace.id))
        store.commit(tx)
        return order.id

    def a_deletion(self) -> None:
        """That was ordered, and that the keys have not heard of yet."""
        store, now = self.world.services.store, self.world.clock()
        tx = Worker(store, lambda: now, self.world.ids).begin(self.workspace.id)
        erasures.order(tx, self.workspace.id, begins_at=now + timedelta(days=30))
        found = workspaces.get(store.table, self.workspace.id)
        tx.replace(found.changed(deletes_at=now + timedelta(days=30)))
        store.commit(tx)

    @cached_property
    def acting_agent(self) -> str:
        """The agent that calls what is for agents."""
        return self.an_agent()

    def agent_key(self, agent_id: str, scopes: Iterable[Scope] = ALL_SCOPES) -> str:
        return self.world.a_key(
            kind=KeyKind.AGENT, linked_agent_id=agent_id, scopes=scopes, workspace=self.workspace
        )

    def key_for(self, tool: AnyTool, scopes: Iterable[Scope], *, as_agent: bool = False) -> str:
        """A raw key of whom the tool is for: an agent's, else the owner's."""
        if as_agent or tool.actor is Actor.AGENT:
            return self.agent_key(self.acting_agent, scopes)
        return self.world.a_key(user_id=self.owner_id(), scopes=scopes, workspace=self.workspace)

    def owner_id(self) -> str | None:
        owner_key = AUTHENTICATION(hash_of(self.world.owner_key(self.workspace)))
        found = self.world.services.store.table.find(AuthenticationItem, owner_key)
        return found.user_id if found else None

    def call(self, tool: str, arguments: Arguments, *, key: str | None = None) -> dict[str, Any]:
        """The answer of a call that must succeed, the owner's unless another key is given."""
        used = key or self.world.owner_key(self.workspace)
        made = Ready(ALL_TOOLS[tool], arguments, used).send(self.world)
        assert made.status == 200, made.body
        answer: dict[str, Any] = json.loads(made.body)
        return answer

    def _make(self, tool: str, arguments: Arguments) -> str:
        return str(self.call(tool, arguments)["id"])


Prepare = Callable[[Stage, str], Arguments]
"""The arguments of a call about this very issue."""


@dataclass(frozen=True, slots=True)
class Sample:
    tool: AnyTool
    arguments: Callable[[Stage], Arguments]
    variant: str = ""
    reached_scopes: frozenset[Scope] = frozenset()
    """What the tool that it calls needs."""
    as_agent: bool = False
    """Called by an agent, although a person may, too: it does more then."""
    passed_on: frozenset[Scope] = frozenset()
    """What the key has that it makes: its maker must have as much."""
    elsewhere: bool = False
    """What it does is done on GitHub, too, which nobody sets back."""

    def __str__(self) -> str:
        return f"{self.tool.name} {self.variant}".strip()

    @property
    def scopes(self) -> frozenset[Scope]:
        return frozenset(self.tool.scopes) | self.reached_scopes | self.passed_on


class Ready(NamedTuple):
    """A call with everything in place."""

    tool: AnyTool
    arguments: Arguments
    key: str

    def send(self, world: World, *, idempotency_key: str | None = None) -> Response:
        """Over REST, where every tool can be reached."""
        door = world.rest if self.tool.surface is Surface.MCP else world.admin
        # Of the one tool whose answer is waited for, the tool's own.
        headers = {"prefer": "respond-async"}
        headers |= {"idempotency-key": idempotency_key} if idempotency_key else {}
        return plain(door(self.tool.name, self.arguments, key=self.key, headers=headers))


def prepare(sample: Sample, stage: Stage, *, scopes: Iterable[Scope] = ALL_SCOPES) -> Ready:
    key = stage.calling_key = stage.key_for(sample.tool, scopes, as_agent=sample.as_agent)
    return Ready(sample.tool, sample.arguments(stage), key)


def sample(
    name: str,
    arguments: Callable[[Stage], Arguments] = lambda stage: {},
    *,
    variant: str = "",
    reached_scopes: frozenset[Scope] = frozenset(),
    as_agent: bool = False,
    passed_on: Iterable[Scope] = (),
    elsewhere: bool = False,
) -> Sample:
    passed = frozenset(passed_on)
    return Sample(ALL_TOOLS[name], arguments, variant, reached_scopes, as_agent, passed, elsewhere)
