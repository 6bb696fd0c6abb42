"""Changing an agent: what is left out stays, and what is named in `clear` is emptied."""

from typing import Any

from tests.workshop.office import Body, Office

SECRET = "whsec-0123456789abcdef"

CHANGES: list[dict[str, Any]] = [
    {"name": "Renamed"},
    {"provider": "CODEX"},
    {"runtimeMode": "EPHEMERAL"},
    {"role": "COACH"},
    {"capabilities": ["reviews", "plans"]},
    {"capabilities": []},
    {"maxConcurrent": 0},
    {"webhookUrl": "http://worker.example.com:8080/hook"},
    {"engagementMode": "DISCUSS"},
    {"templateMarkdown": ""},
    {"autoDispatchEligible": False},
    {"name": "Worker", "maxConcurrent": 100},
]
NO_CHANGES: list[dict[str, Any]] = [
    {},
    {"name": None, "maxConcurrent": None, "capabilities": None, "role": None},
    {"webhookUrl": "null", "runtimeId": "null", "name": "null"},
    {"webhookUrl": None, "webhookSecret": None, "engagementMode": None, "runtimeId": None},
    {"name": "Worker", "capabilities": ["plans"], "maxConcurrent": 2},
    {"webhookSecret": SECRET},
]


def a_full_agent(office: Office) -> Body:
    return office.an_agent(
        capabilities=["plans"],
        maxConcurrent=2,
        webhookUrl="https://worker.example.com",
        webhookSecret=SECRET,
        engagementMode="REVIEW",
        templateMarkdown="# Goal",
        runtimeId=office.call("runtimes.register", {"name": "box", "kind": "CLOUD"})["id"],
    )


def test_what_is_given_changes_and_the_rest_stays(office: Office) -> None:
    agent = a_full_agent(office)

    for change in CHANGES:
        changed = office.call("agents.update", {"id": agent["id"], **change})

        assert changed == {**agent, **change}
        agent = changed


def test_what_can_be_empty_is_cleared_by_its_name(office: Office) -> None:
    agent = a_full_agent(office)

    for field in ("webhookUrl", "engagementMode", "templateMarkdown", "runtimeId"):
        changed = office.call("agents.update", {"id": agent["id"], "clear": [field]})

        assert changed == {**agent, field: None}
        agent = changed


def test_the_secret_is_cleared_by_its_name(office: Office) -> None:
    agent = a_full_agent(office)

    changed = office.call("agents.update", {"id": agent["id"], "clear": ["webhookSecret"]})

    assert (agent["hasWebhookSecret"], changed["hasWebhookSecret"]) == (True, False)


def test_what_changes_nothing_writes_nothing(office: Office) -> None:
    agent = a_full_agent(office)
    logged = office.log()

    for change in NO_CHANGES:
        assert office.call("agents.update", {"id": agent["id"], **change}) == agent
    assert office.log() == logged


def test_a_change_is_an_event_and_audited(office: Office) -> None:
    agent = office.an_agent("worker", name="Worker")

    office.call("agents.update", {"id": agent["id"], "name": "Renamed"})

    event = office.rows("events.recent")[0]
    assert (event["kind"], event["subjectId"]) == ("AGENT_UPDATED", agent["id"])
    assert event["payload"] == {"profileKey": "worker"}
    row = office.log()[-1]
    assert (row.before, row.after) == ({"name": "Worker"}, {"name": "Renamed"})


def test_a_new_secret_is_logged_as_a_change_without_the_secret(office: Office) -> None:
    agent = a_full_agent(office)
    logged = office.log()

    office.call("agents.update", {"id": agent["id"], "webhookSecret": "another " + SECRET})

    added = office.log()[len(logged) :]
    assert [row.kind for row in added] == ["AGENT_UPDATED"]
    assert SECRET not in added[0].model_dump_json()


def test_a_change_shows_in_the_list_at_once_and_keeps_the_pulse(office: Office) -> None:
    agent = office.an_agent()
    office.call("agents.heartbeat", {"status": "BUSY"}, key=office.an_agents_key(agent["id"]))

    office.call("agents.update", {"id": agent["id"], "name": "Renamed", "role": "COACH"})

    (row,) = office.rows("agents.list")
    assert (row["name"], row["role"], row["status"]) == ("Renamed", "COACH", "BUSY")


def test_an_agent_is_not_woken_at_a_private_address_unless_its_host_is_allowed(office: Office) -> None:
    agent, private = office.an_agent(), {"webhookUrl": "http://10.0.0.1/"}
    made = {"profileKey": "other", "name": "Other", **private}

    refused = [
        office.refused("agents.create", made),
        office.refused("agents.update", {"id": agent["id"], **private}),
    ]
    office.call("workspaces.update", {"webhookAllowedHosts": ["10.0.0.1"]})

    assert refused == [(400, "invalid_input", {"webhookUrl"})] * 2
    assert office.call("agents.update", {"id": agent["id"], **private})["webhookUrl"] == "http://10.0.0.1/"
