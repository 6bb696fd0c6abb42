"""Operators set up agents; their secrets go in and never come out."""

from forge.testing.builders import an_agent
from forge.work.workspace.people.agents import LOAD, MAX_AGENTS, LoadItem, PulseItem
from tests.workshop.office import Office

SECRET = "whsec-0123456789abcdef"


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
        agent = an_agent(f"agent{number}", workspace_id=workspace_id)
        office.put(agent, PulseItem(workspace_id=workspace_id, agent_id=agent.id))
    office.an_agent("the-last-one")

    refused = office.refused("agents.create", {"profileKey": "one-more", "name": "Worker"})

    assert refused == (422, "precondition_failed", set())
