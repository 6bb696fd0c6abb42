"""An office: one workspace with people, agents and keys, made with the product's own tools."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from forge.context import Narrowing
from forge.contract.catalog import load_catalog
from forge.contract.terms import Scope, Surface
from forge.store.items import Item
from forge.store.transactions import MAX_WRITES, Transaction
from forge.testing.builders import a_label
from forge.testing.instruments import Counter
from forge.testing.world import World
from forge.wire.http import Response
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.background.sweep.timers import Due
from forge.work.record.log.rows import LOG, LogItem
from forge.work.workspace.founding import setup_transaction
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.workers import Worker
from forge.work.workspace.workspaces import WorkspaceItem
from tests.workshop.interference import COMMIT, Interference, once_before

Body = dict[str, Any]

ALL_SCOPES = sorted(scope.value for scope in Scope)

_SURFACES = {tool.name: tool.surface for tool in load_catalog().tools}


Refused = tuple[int, str, set[str]]
"""How a call was refused: the status, the code, and the fields that `issues` names."""


def ids_in(*pages: Body) -> list[str]:
    return [str(row["id"]) for page in pages for row in page["data"]]


class Colleague(NamedTuple):
    id: str
    key: str


class Office:
    def __init__(
        self,
        world: World,
        workspace: WorkspaceItem | None = None,
        interference: Interference | None = None,
    ) -> None:
        self.world = world
        self.workspace = workspace or world.workspace
        self.owner_key = world.owner_key(self.workspace)
        self.interference = interference or Interference()
        """What happens to requests on their way to the table, where the world has its store `watched` so."""

    def meanwhile(self, act: Callable[[], object], *, before: str = COMMIT) -> None:
        """Somebody else acts first, when the table is next asked that."""
        self.interference.handle = once_before(before, act)

    def counted(self) -> Counter:
        """What the table is asked from now on."""
        counter = self.interference.handle = Counter()
        return counter

    def send(
        self,
        tool: str,
        arguments: Body | None = None,
        *,
        key: str | None = None,
        idempotency_key: str | None = None,
        session: str | None = None,
    ) -> Response:
        """Over REST, where every tool can be reached; as the owner, unless another key is given."""
        door = self.world.rest if _SURFACES[tool] == Surface.MCP else self.world.admin
        headers = {"idempotency-key": idempotency_key} if idempotency_key else {}
        headers |= {"x-forge-session": session} if session else {}
        return door(tool, arguments or {}, key=key or self.owner_key, headers=headers)

    def call(self, tool: str, arguments: Body | None = None, **how: str) -> Body:
        """The answer of a call that must succeed."""
        answer = self.send(tool, arguments, **how)
        assert answer.status == 200, answer.body
        body: Body = json.loads(answer.body)
        return body

    def rows(self, tool: str, arguments: Body | None = None, **how: str) -> list[Body]:
        """The rows of a list."""
        found: list[Body] = self.call(tool, arguments, **how)["data"]
        return found

    def pages(self, tool: str, arguments: Body | None = None, **how: str) -> list[Body]:
        """Every page of a list, each asked for with the cursor of the one before."""
        found = [self.call(tool, arguments, **how)]
        while cursor := found[-1].get("nextCursor"):
            found.append(self.call(tool, {**(arguments or {}), "cursor": cursor}, **how))
        return found

    def refused(self, tool: str, arguments: Body | None = None, **how: str) -> Refused:
        """How a call was refused that must not succeed."""
        answer = self.send(tool, arguments, **how)
        assert answer.status != 200, answer.body
        error = json.loads(answer.body)
        return answer.status, error["error"], set(error.get("issues", ()))

    def mcp(self, tool: str, arguments: Body | None = None, *, key: str | None = None) -> Body:
        """The structured answer of a tool call that must succeed."""
        result = self.world.call(tool, arguments, key=key or self.owner_key)
        assert result["isError"] is False, result
        structured: Body = result["structuredContent"]
        return structured

    def a_label(self, name: str = "bug", **more: object) -> Body:
        return self.call("labels.create", {"name": name, **more})

    def a_status(self, name: str = "Blocked", category: str = "IN_PROGRESS", **more: object) -> Body:
        return self.call("statuses.create", {"name": name, "category": category, **more})

    def an_initiative(self, name: str = "Growth", **more: object) -> Body:
        return self.call("initiatives.create", {"name": name, **more})

    def an_agent(self, profile_key: str = "worker", **more: object) -> Body:
        return self.call("agents.create", {"profileKey": profile_key, "name": "Worker", **more})

    def a_key(self, *, by: str | None = None, **order: object) -> Body:
        """A new key as `keys.create` shows it; `by` is whose key orders it."""
        wanted = {"name": "a key", "scopes": ALL_SCOPES, **order}
        return self.call("keys.create", wanted, key=by or self.owner_key)

    def a_narrowed_key(self, **ids: list[str]) -> str:
        """`a_narrowed_key(project_ids=["prj_1"])`: a raw key, whether or not there are such projects.

        Labels are made where there are none: one that is not there grants nothing.
        """
        table = self.world.services.store.table
        labels = [
            a_label(label_id, id=label_id, workspace_id=self.workspace.id)
            for label_id in ids.get("label_ids", ())
        ]
        self.put(*(label for label in labels if table.find(LabelItem, label.key) is None))
        narrowing = Narrowing(**{name: frozenset(given) for name, given in ids.items()})
        return self.world.a_key(narrowing=narrowing, workspace=self.workspace)

    def an_agents_key(self, agent_id: str | None = None) -> str:
        linked = agent_id or self.an_agent()["id"]
        return str(self.a_key(kind="AGENT", linkedAgentId=linked)["rawKey"])

    def a_colleague(self, role: str = "MEMBER", *, email: str | None = None, **more: object) -> Colleague:
        """A member of that role with a key of every scope."""
        address = email or f"{self.world.ids(role.lower())}@{self.workspace.slug}.example"
        member = self.call("members.add", {"email": address, "role": role, **more})
        return Colleague(member["id"], self.a_key(userId=member["id"])["rawKey"])

    @property
    def owner_id(self) -> str:
        """Of the member who was here first."""
        address = f"owner@{self.workspace.slug}.example"
        (found,) = [row["id"] for row in self.rows("members.list") if row["email"] == address]
        return str(found)

    @property
    def here_and_now(self) -> Body:
        """What an item has of this workspace and this moment."""
        now = self.world.clock()
        return {"workspace_id": self.workspace.id, "created_at": now, "updated_at": now}

    def log(self) -> list[LogItem]:
        """Every change of the workspace, oldest first."""
        table = self.world.services.store.table
        rows = table.query_all(LOG(self.workspace.id), most=10_000, because="a test looks at all")
        return [LogItem.from_attributes(row) for row in rows]

    def put(self, *items: Item) -> None:
        """Store items as they are, for what would take too many calls."""
        for start in range(0, len(items), MAX_WRITES):
            tx = self.begin()
            for item in items[start : start + MAX_WRITES]:
                tx.create(item)
            self.commit(tx)

    def begin(self) -> Transaction:
        """A transaction of nobody's, for what no tool does yet."""
        store, now = self.world.services.store, self.world.clock()
        return setup_transaction(store, self.workspace.id, now=now, new_id=self.world.ids)

    def commit(self, tx: Transaction) -> None:
        self.world.services.store.commit(tx)

    def sweep(self) -> None:
        """What a minute's sweep does to this workspace, now; others have thousands of things to settle."""
        own = Sweep(
            Worker(self.world.services.store, self.world.clock, self.world.ids), lambda *failure: None
        )
        seen: set[Due] = set()
        while fresh := {one for one in sweep.look(own).due if one.workspace_id == self.workspace.id} - seen:
            for due in sorted(fresh, key=lambda one: one.place):
                sweep.settle(own, due)
            seen |= fresh
