"""Everybody sees who works here, and how they are."""

from typing import Any

from forge.testing.builders import an_agent
from forge.work.workspace.people.agents import MAX_AGENTS, AgentStatus, LoadItem, PulseItem
from tests.workshop.office import Office


def names(office: Office, arguments: dict[str, Any] | None = None) -> list[str]:
    return [row["name"] for row in office.rows("agents.list", arguments)]


def a_runtime(office: Office, name: str) -> str:
    return str(office.call("runtimes.register", {"name": name, "kind": "CLOUD"})["id"])


def test_a_row_shows_how_much_somebody_has_to_do(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    first, _ = (
        office.call("issues.create", {"title": title, "assignedAgentId": agent_id})
        for title in ("One", "Two")
    )

    before = office.rows("agents.list")[0]["openIssues"]
    office.call("issues.transition", {"issueId": first["id"], "statusId": "DONE"})

    assert (before, office.rows("agents.list")[0]["openIssues"]) == (2, 1)


def test_agents_are_sorted_by_name_then_by_profile_key(office: Office) -> None:
    for profile_key, name in (("c", "Twin"), ("b", "Twin"), ("a", "Zoe"), ("d", "Ann")):
        office.an_agent(profile_key, name=name)

    rows = office.rows("agents.list")

    assert [row["profileKey"] for row in rows] == ["d", "b", "c", "a"]


def test_archived_agents_show_only_when_asked_for(office: Office) -> None:
    office.an_agent("active", name="Active")
    office.call("agents.archive", {"id": office.an_agent("gone", name="Gone")["id"]})

    for without in ({}, {"includeArchived": False}, {"includeArchived": None}):
        assert names(office, without) == ["Active"]
    for wanted in (True, "true"):
        assert names(office, {"includeArchived": wanted}) == ["Active", "Gone"]


def test_agents_of_one_runtime(office: Office) -> None:
    here = a_runtime(office, "here")
    office.an_agent("here", name="Here", runtimeId=here)
    office.an_agent("there", name="There", runtimeId=a_runtime(office, "there"))
    office.an_agent("nowhere", name="Nowhere")

    assert names(office, {"runtimeId": here}) == names(office, {"runtimeId": "HERE"}) == ["Here"]
    for unknown in ("rt_999999", "nowhere"):
        refused = office.refused("agents.list", {"runtimeId": unknown})
        assert refused == (400, "invalid_input", {"runtimeId"})
    assert names(office, {"runtimeId": None}) == ["Here", "Nowhere", "There"]


def test_both_filters_are_joined(office: Office) -> None:
    runtime_id = a_runtime(office, "box")
    gone = office.an_agent("gone", name="Gone", runtimeId=runtime_id)
    office.an_agent("here", name="Here", runtimeId=runtime_id)
    office.call("agents.archive", {"id": gone["id"]})

    assert names(office, {"runtimeId": runtime_id}) == ["Here"]
    assert names(office, {"runtimeId": runtime_id, "includeArchived": True}) == ["Gone", "Here"]


def test_of_many_agents_each_one_shows_how_it_is(office: Office) -> None:
    workspace_id = office.workspace.id
    ids = [f"agt_x{number:03}" for number in range(MAX_AGENTS)]
    office.put(
        *(an_agent(one, id=one, workspace_id=workspace_id) for one in ids),
        *(PulseItem(workspace_id=workspace_id, agent_id=one, status=AgentStatus.BUSY) for one in ids),
        *(LoadItem(workspace_id=workspace_id, agent_id=one, open=1) for one in ids),
    )

    rows = office.rows("agents.list")

    assert len(rows) == MAX_AGENTS
    assert {row["status"] for row in rows} == {"BUSY"}
