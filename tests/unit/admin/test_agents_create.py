"""Operators set up agents; their secrets go in and never come out."""

from forge.work.workspace.people.agents import LOAD, MAX_AGENTS, AgentItem, LoadItem, PulseItem
from tests.workshop.office import Office

SECRET = "whsec-0123456789abcdef"


def test_an_agent_needs_only_a_key_and_a_name(office: Office) -> None:
    agent = office.call("agents.create", {"profileKey": "worker", "name": "Worker"})

    assert agent == {
        "id": agent["id"],
        "profileKey": "worker",
        "name": "Worker",
        "provider": "HERMES",
        "runtimeMode": "PERSISTENT",
        "role": "WORKER",
        "capabilities": [],
        "maxConcurrent": 1,
        "webhookUrl": None,
        "hasWebhookSecret": False,
        "engagementMode": None,
        "templateMarkdown": None,
        "autoDispatchEligible": True,
        "runtimeId": None,
        "createdAt": office.world.clock().isoformat().replace("+00:00", "Z"),
        "archivedAt": None,
    }
    assert agent["id"].startswith("agt_")


def test_an_agent_is_set_up_as_described(office: Office) -> None:
    description = {
        "profileKey": "planner_2-B",
        "name": "Planner",
        "provider": "CLAUDE",
        "runtimeMode": "EPHEMERAL",
        "role": "OBSERVER",
        "capabilities": ["plans", "high"],
        "maxConcurrent": 0,
        "webhookUrl": "https://planner.example.com/hook?a=b",
        "engagementMode": "RESEARCH",
        "templateMarkdown": "# Goal",
        "autoDispatchEligible": False,
        "runtimeId": office.call("runtimes.register", {"name": "box", "kind": "CLOUD"})["id"],
    }

    agent = office.call("agents.create", {**description, "webhookSecret": SECRET})

    assert {name: agent[name] for name in description} == description
    assert agent["hasWebhookSecret"] is True


def test_the_webhook_secret_is_shown_nowhere(office: Office) -> None:
    agent = office.an_agent(webhookSecret=SECRET)
    key = office.an_agents_key(agent["id"])

    seen = [
        office.send("agents.list").body,
        office.send("agents.me", key=key).body,
        office.send("events.recent").body,
        *(row.model_dump_json() for row in office.log()),
    ]

    assert SECRET not in str(agent)
    assert all(SECRET not in text for text in seen)


def test_a_new_agent_is_offline_and_an_event(office: Office) -> None:
    agent = office.an_agent("worker", name="Worker")

    assert office.rows("agents.list")[0]["status"] == "OFFLINE"
    (event,) = office.rows("events.recent")
    assert (event["kind"], event["subjectId"]) == ("AGENT_CREATED", agent["id"])
    assert event["payload"] == {"profileKey": "worker", "name": "Worker"}


def test_a_new_agent_has_no_open_issues(office: Office) -> None:
    agent = office.an_agent()

    load = office.world.services.store.table.find(LoadItem, LOAD(office.workspace.id, agent["id"]))

    assert load is not None
    assert (load.open, load.last_dispatched_at) == (0, None)


def test_a_profile_key_that_exists_is_a_conflict_whatever_the_case(office: Office) -> None:
    agent = office.an_agent("worker")

    for profile_key in ("worker", "WORKER", "Worker"):
        refused = office.refused("agents.create", {"profileKey": profile_key, "name": "Another"})

        assert refused == (409, "conflict", {"profileKey"})
    assert [row["id"] for row in office.rows("agents.list")] == [agent["id"]]


def test_names_need_not_be_unique(office: Office) -> None:
    office.an_agent("one", name="Worker")

    assert office.an_agent("two", name="Worker")["name"] == "Worker"


def test_there_is_room_for_a_bounded_number_of_agents(office: Office) -> None:
    workspace_id = office.workspace.id
    for number in range(MAX_AGENTS - 1):
        agent = AgentItem(
            workspace_id=workspace_id,
            id=f"agt_x{number:03}",
            profile_key=f"agent{number}",
            name="Worker",
            created_at=office.world.clock(),
        )
        office.put(agent, PulseItem(workspace_id=workspace_id, agent_id=agent.id))
    office.an_agent("the-last-one")

    refused = office.refused("agents.create", {"profileKey": "one-more", "name": "Worker"})

    assert refused == (422, "precondition_failed", set())
