"""An agent sees its own profile, and a key without an agent sees none."""

from forge.context import KeyKind
from forge.testing.builders import an_agent
from forge.work.workspace.people.agents import LOAD
from tests.workshop.office import Office


def test_a_heartbeat_shows_in_ones_own_profile(office: Office) -> None:
    key = office.an_agents_key()

    beat = office.call("agents.heartbeat", {"status": "BUSY"}, key=key)

    me = office.call("agents.me", key=key)
    assert (me["status"], me["lastHeartbeatAt"]) == ("BUSY", beat["lastHeartbeatAt"])


def test_the_last_dispatch_shows_in_ones_own_profile(office: Office) -> None:
    agent, moment = office.an_agent(), office.world.clock()
    load = LOAD(office.workspace.id, agent["id"])
    tx = office.begin()
    tx.adjust(load, add={"open": 1}, assign={"last_dispatched_at": moment})
    office.commit(tx)

    me = office.call("agents.me", key=office.an_agents_key(agent["id"]))

    assert me["lastDispatchedAt"] == moment.isoformat().replace("+00:00", "Z")


def test_an_agent_that_is_read_before_its_parts_sees_its_profile(office: Office) -> None:
    agent = an_agent("new", workspace_id=office.workspace.id)
    office.put(agent)

    me = office.call("agents.me", key=office.an_agents_key(agent.id))

    assert (me["status"], me["lastDispatchedAt"]) == ("OFFLINE", None)


def test_an_archived_agent_can_see_that_it_was_archived(office: Office) -> None:
    agent = office.an_agent()
    key = office.an_agents_key(agent["id"])
    archived = office.call("agents.archive", {"id": agent["id"]})

    assert office.call("agents.me", key=key)["archivedAt"] == archived["archivedAt"]


def test_an_agent_of_another_workspace_is_not_found(office: Office, other_office: Office) -> None:
    foreign = other_office.an_agent()
    key = office.world.a_key(kind=KeyKind.AGENT, linked_agent_id=foreign["id"], workspace=office.workspace)

    assert office.refused("agents.me", key=key) == (404, "not_found", set())
