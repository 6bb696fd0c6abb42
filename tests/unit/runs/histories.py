"""Many runs at once, stored as they are, because making each by calls would take too long."""

from datetime import timedelta
from typing import Any

from forge.testing.builders import a_run, an_agent
from forge.work.workspace.people.agents import AgentItem
from tests.workshop.office import Body, Office, ids_in

AGENT, OTHER_AGENT, GONE = "agt_900001", "agt_900002", "agt_900003"


def stored_runs(
    office: Office, issue_ids: list[str], *, agent_id: str = AGENT, status: str = "COMPLETED", **more: Any
) -> list[str]:
    """One for each issue, each started a second after the one before; the ids, the latest first."""
    started = office.world.clock()
    agent = an_agent(workspace_id=office.workspace.id, id=agent_id)
    if agent_id != GONE and not office.world.services.store.table.find(AgentItem, agent.key):
        office.put(agent)
    usual = {"workspace_id": office.workspace.id, "agent_id": agent_id, "status": status, **more}
    made = [
        a_run(
            **usual,
            id=office.world.ids("run"),
            issue_id=issue_id,
            started_at=started + timedelta(seconds=place),
            last_event_at=started,
        )
        for place, issue_id in enumerate(issue_ids)
    ]
    office.put(*made)
    office.world.clock.advance(seconds=len(made))
    return [run.id for run in reversed(made)]


def listed(office: Office, *, key: str | None = None, **arguments: object) -> list[str]:
    return ids_in(office.call("runs.list", arguments, key=key or office.owner_key))


def pages(office: Office, *, key: str | None = None, **arguments: object) -> list[Body]:
    return office.pages("runs.list", arguments, key=key or office.owner_key)
