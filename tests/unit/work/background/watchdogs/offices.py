"""What happens in an office while nobody looks."""

from typing import Any

from forge.store.store import Store
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.issues.runs.runs import RunItem
from forge.work.workspace.workers import Worker
from tests.workshop.issues import an_issue, assign, live_run
from tests.workshop.office import Office


def set_up(office: Office, **settings: object) -> None:
    """Change settings, and let the sweep do what follows from that; agents do not go idle meanwhile."""
    office.call("workspaces.update", {"agentIdleTimeoutMinutes": 0, **settings})
    for _ in range(2):
        office.sweep()
        office.world.clock.advance(minutes=1)
    office.sweep()


def an_online_agent(office: Office, name: str = "worker", **more: object) -> str:
    agent_id = str(office.an_agent(name, **more)["id"])
    office.call("agents.heartbeat", {}, key=office.an_agents_key(agent_id))
    return agent_id


def given(office: Office, agent_id: str, mode: str = "EXECUTE", **more: Any) -> tuple[str, RunItem]:
    """An issue that the agent has, and its run."""
    issue_id = an_issue(office, **more)
    assign(office, issue_id, agent_id, mode)
    return issue_id, live_run(office, issue_id, agent_id)


def later(office: Office, **time: float) -> None:
    """Time passes, and the sweep comes at its end."""
    office.world.clock.advance(**time)
    office.sweep()


def sweep_through(office: Office, store: Store) -> int:
    """A sweep whose requests go another way."""
    return sweep.run(Sweep(Worker(store, office.world.clock, office.world.ids), lambda *failure: None))


def breaches(office: Office) -> dict[str, int]:
    """What is counted of all that went wrong lately."""
    found: dict[str, int] = office.call("analytics.summary")["breaches"]
    return found
