"""A heartbeat says how an agent is, and is an event only when that changes."""

from datetime import datetime

import pytest

from forge.testing.world import World
from tests.workshop.office import Body, Office


@pytest.fixture
def swept_office(stored_world: World) -> Office:
    """On a table of its own: the sweep looks at everybody's agents."""
    return Office(stored_world)


def status_of(office: Office) -> str:
    (agent,) = office.rows("agents.list")
    return str(agent["status"])


def status_changes(office: Office) -> list[Body]:
    """The payloads of the changes, newest first."""
    rows = office.rows("events.recent", {"kinds": ["AGENT_STATUS_CHANGED"]})
    return [row["payload"] for row in rows]


def test_without_a_status_an_agent_is_online(office: Office) -> None:
    key = office.an_agents_key()

    for arguments in ({}, {"status": None}, {"status": "null"}):
        assert office.call("agents.heartbeat", arguments, key=key)["status"] == "ONLINE"


def test_a_change_of_status_is_an_event(office: Office) -> None:
    agent = office.an_agent("worker")
    key = office.an_agents_key(agent["id"])

    for status in ("ONLINE", "BUSY", "OFFLINE"):
        office.call("agents.heartbeat", {"status": status}, key=key)

    assert status_changes(office) == [
        {"profileKey": "worker", "from": "BUSY", "to": "OFFLINE"},
        {"profileKey": "worker", "from": "ONLINE", "to": "BUSY"},
        {"profileKey": "worker", "from": "OFFLINE", "to": "ONLINE"},
    ]
    event = office.rows("events.recent")[0]
    assert (event["subjectType"], event["subjectId"]) == ("agent", agent["id"])
    assert event["actorAgent"]["id"] == agent["id"]


@pytest.mark.parametrize("status", ["ONLINE", "BUSY", "OFFLINE"])
def test_the_same_status_again_is_no_event_but_a_newer_heartbeat(office: Office, status: str) -> None:
    key = office.an_agents_key()
    first = office.call("agents.heartbeat", {"status": status}, key=key)
    logged = office.log()
    office.world.clock.advance(minutes=1)

    second = office.call("agents.heartbeat", {"status": status}, key=key)

    assert office.log() == logged
    assert second["lastHeartbeatAt"] > first["lastHeartbeatAt"]
    assert office.rows("agents.list")[0]["lastHeartbeatAt"] == second["lastHeartbeatAt"]


def test_who_never_was_online_goes_offline_without_an_event(office: Office) -> None:
    office.call("agents.heartbeat", {"status": "OFFLINE"}, key=office.an_agents_key())

    assert status_changes(office) == []


def test_one_agents_heartbeat_is_not_anothers(office: Office) -> None:
    quiet = office.an_agent("quiet", name="A")
    office.call("agents.heartbeat", key=office.an_agents_key(office.an_agent("loud", name="B")["id"]))

    rows = {row["id"]: row["status"] for row in office.rows("agents.list")}

    assert rows.pop(quiet["id"]) == "OFFLINE"
    assert list(rows.values()) == ["ONLINE"]


@pytest.mark.parametrize("status", ["ONLINE", "BUSY"])
def test_an_agent_that_falls_silent_is_offline_after_the_time_out(swept_office: Office, status: str) -> None:
    clock, key = swept_office.world.clock, swept_office.an_agents_key()
    beat = swept_office.call("agents.heartbeat", {"status": status}, key=key)
    clock.advance(minutes=15, milliseconds=-1)
    swept_office.sweep()
    assert status_of(swept_office) == status

    clock.advance(milliseconds=1)
    swept_office.sweep()

    assert status_of(swept_office) == "OFFLINE"
    change = status_changes(swept_office)[0]
    last_beat = datetime.fromisoformat(change.pop("lastHeartbeatAt"))
    assert last_beat == datetime.fromisoformat(beat["lastHeartbeatAt"])
    assert change == {
        "profileKey": "worker",
        "from": status,
        "to": "OFFLINE",
        "reason": "heartbeat-timeout",
        "timeoutMinutes": 15,
    }


def test_the_workspace_decides_how_long_silence_may_last(swept_office: Office) -> None:
    swept_office.call("workspaces.update", {"agentIdleTimeoutMinutes": 2})
    swept_office.call("agents.heartbeat", key=swept_office.an_agents_key())

    swept_office.world.clock.advance(minutes=2)
    swept_office.sweep()

    assert status_of(swept_office) == "OFFLINE"
    assert status_changes(swept_office)[0]["timeoutMinutes"] == 2


def test_a_silent_agent_comes_back_with_its_next_heartbeat(swept_office: Office) -> None:
    key = swept_office.an_agents_key()
    swept_office.call("agents.heartbeat", key=key)
    swept_office.world.clock.advance(minutes=15)
    swept_office.sweep()

    swept_office.call("agents.heartbeat", key=key)

    assert status_of(swept_office) == "ONLINE"
    assert [change["to"] for change in status_changes(swept_office)] == ["ONLINE", "OFFLINE", "ONLINE"]
