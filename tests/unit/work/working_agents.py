"""An agent that works and beats, and what became of it: the stage of the sweep's tests."""

from dataclasses import dataclass
from typing import Any

from forge.context import KeyKind
from forge.store.store import Store
from forge.testing.world import World
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.record.log.rows import LOG, LogItem
from forge.work.workspace.people.agents import PulseItem
from forge.work.workspace.workers import Worker
from tests.unit.wire.answers import body_of


@dataclass(frozen=True)
class WorkingAgent:
    id: str
    key: str

    def beat(self, world: World, status: str = "ONLINE") -> None:
        result = world.call("agents.heartbeat", {"status": status}, key=self.key)
        assert not result["isError"]


def a_working_agent(world: World, profile_key: str = "planner", **fields: Any) -> WorkingAgent:
    """An agent with a key, heard of just now."""
    order = {"profileKey": profile_key, "name": profile_key.title(), **fields}
    agent_id = body_of(world.admin("agents.create", order, key=world.owner_key()))["id"]
    agent = WorkingAgent(agent_id, world.a_key(kind=KeyKind.AGENT, linked_agent_id=agent_id))
    agent.beat(world)
    return agent


def pulse_of(store: Store, world: World, agent: WorkingAgent) -> PulseItem:
    found = store.table.find(PulseItem, PulseItem.at(world.workspace.id, agent.id))
    assert found is not None
    return found


def log_rows(store: Store, world: World) -> list[LogItem]:
    """Everything that happened in the workspace, in order."""
    rows = store.table.query_all(LOG(world.workspace.id), most=500)
    return [LogItem.from_attributes(row) for row in rows]


def departures(store: Store, world: World) -> list[LogItem]:
    """The rows that say an agent went offline without saying so."""
    return [row for row in log_rows(store, world) if row.payload.get("reason") == "heartbeat-timeout"]


def sweep_now(store: Store, world: World) -> int:
    return sweep.run(Sweep(Worker(store, world.clock, world.ids), lambda *failure: None))
