"""An archived agent is out of work for good."""

from forge.work.workspace.people.agents import LOAD, LoadItem
from tests.workshop.office import Office


def test_it_is_left_out_of_the_list_and_offline(office: Office) -> None:
    agent = office.an_agent()
    office.call("agents.heartbeat", key=office.an_agents_key(agent["id"]))

    office.call("agents.archive", {"id": agent["id"]})

    assert office.rows("agents.list") == []
    (row,) = office.rows("agents.list", {"includeArchived": True})
    assert row["status"] == "OFFLINE"


def test_its_open_issues_stay_counted_until_they_are_freed(office: Office) -> None:
    agent, table = office.an_agent(), office.world.services.store.table
    load = LOAD(office.workspace.id, agent["id"])
    tx = office.begin()
    tx.adjust(load, add={"open": 2})
    office.commit(tx)

    office.call("agents.archive", {"id": agent["id"]})

    found = table.find(LoadItem, load)
    assert found is not None
    assert found.open == 2


def test_it_gets_no_new_key_and_other_agents_keep_theirs(office: Office) -> None:
    agent, other = office.an_agent(), office.an_agent("other")
    key = office.an_agents_key(other["id"])
    office.call("agents.archive", {"id": agent["id"]})
    order = {"name": "again", "kind": "AGENT", "scopes": ["READ_ISSUES"], "linkedAgentId": agent["id"]}

    assert office.refused("keys.create", order) == (409, "conflict", set())
    assert office.send("agents.heartbeat", key=key).status == 200


def test_a_revoked_key_of_it_stays_revoked(office: Office) -> None:
    agent = office.an_agent()
    key = office.a_key(kind="AGENT", linkedAgentId=agent["id"])
    office.call("keys.revoke", {"id": key["id"]})

    office.call("agents.archive", {"id": agent["id"]})

    assert office.refused("agents.me", key=key["rawKey"]) == (401, "unauthorized", set())


def test_it_can_not_be_archived_again(office: Office) -> None:
    agent = office.an_agent()
    archived = office.call("agents.archive", {"id": agent["id"]})
    logged = office.log()
    office.world.clock.advance(hours=1)

    assert office.refused("agents.archive", {"id": agent["id"]}) == (409, "conflict", set())
    (row,) = office.rows("agents.list", {"includeArchived": True})
    assert row["archivedAt"] == archived["archivedAt"]
    assert office.log() == logged
