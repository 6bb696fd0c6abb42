"""Crews are kept by admins, named once, and seen by everybody."""

import pytest

from tests.workshop.office import Body, Office


def a_crew(office: Office, name: str = "Importers", **more: object) -> str:
    return str(office.call("agentCrews.create", {"name": name, **more})["id"])


def the_crew(office: Office) -> Body:
    (crew,) = office.rows("agentCrews.list")
    return crew


def test_a_crew_is_listed_with_its_members_in_their_order(office: Office) -> None:
    worker, planner = office.an_agent("worker")["id"], office.an_agent("planner")["id"]
    members = [
        {"agentId": "worker", "role": "WORKER"},
        {"agentId": planner, "role": "PLANNER"},
        {"agentId": worker, "role": "WORKER"},
    ]

    made = a_crew(office, description="Bring data in.", maxParallel=2, members=members)

    crew = the_crew(office)
    assert (crew["id"], crew["name"], crew["description"], crew["maxParallel"]) == (
        made,
        "Importers",
        "Bring data in.",
        2,
    )
    assert [(one["agentId"], one["role"], one["position"]) for one in crew["members"]] == [
        (worker, "WORKER", 0),
        (planner, "PLANNER", 1),
    ]
    assert crew["_count"] == {"members": 2, "plans": 0}
    assert "archivedAt" not in crew


def test_every_change_is_announced_as_one_of_the_crew(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    crew_id = a_crew(office)
    member_id = office.call(
        "agentCrews.addMember", {"crewId": crew_id, "agentId": agent_id, "role": "WORKER"}
    )
    office.call("agentCrews.setMemberRole", {"memberId": member_id["id"], "role": "REVIEWER"})
    office.call("agentCrews.removeMember", {"memberId": member_id["id"]})
    office.call("agentCrews.update", {"id": "importers", "maxParallel": 0})
    office.call("agentCrews.archive", {"id": crew_id})

    rows = [row for row in office.log() if row.subject_type == "agent-crew"]

    assert {(row.kind, row.subject_id) for row in rows} == {("ISSUE_UPDATED", crew_id)}
    assert [row.payload["action"] for row in rows] == [
        "created",
        "member-added",
        "member-role-changed",
        "member-removed",
        "updated",
        "archived",
    ]
    assert rows[1].payload | {"agentId": agent_id, "role": "WORKER"} == rows[1].payload


@pytest.mark.parametrize(
    ("agent", "status"), [({"agentId": "nobody"}, 400), ({"agentId": "agt_01J00000000000"}, 400)]
)
def test_an_agent_that_is_not_there_is_named(agent: Body, status: int, office: Office) -> None:
    member = {**agent, "role": "WORKER"}

    refused = office.refused("agentCrews.create", {"name": "Importers", "members": [member]})

    assert refused == (status, "invalid_input", {"members.0.agentId"})
    assert office.rows("agentCrews.list") == []


def test_an_archived_agent_joins_no_crew(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    crew_id = a_crew(office)
    office.call("agents.archive", {"id": agent_id})

    refused = office.refused(
        "agentCrews.addMember", {"crewId": crew_id, "agentId": agent_id, "role": "WORKER"}
    )

    assert refused == (409, "conflict", {"agentId"})


def test_a_name_is_one_crews_until_it_is_archived(office: Office) -> None:
    first = a_crew(office)
    other = a_crew(office, "Exporters")

    assert office.refused("agentCrews.create", {"name": "IMPORTERS"}) == (409, "conflict", {"name"})
    assert office.refused("agentCrews.update", {"id": other, "name": "importers"}) == (
        409,
        "conflict",
        {"name"},
    )
    office.call("agentCrews.archive", {"id": first})

    office.call("agentCrews.update", {"id": other, "name": "Importers"})
    assert the_crew(office)["id"] == other
    assert len(office.rows("agentCrews.list", {"includeArchived": True})) == 2


def test_an_archived_crew_is_not_found_by_those_who_change_it(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    crew_id = a_crew(office, members=[{"agentId": agent_id, "role": "WORKER"}])
    member_id = the_crew(office)["members"][0]["id"]
    office.call("agentCrews.archive", {"id": crew_id})

    for tool, arguments in (
        ("agentCrews.archive", {"id": crew_id}),
        ("agentCrews.update", {"id": crew_id, "maxParallel": 2}),
        ("agentCrews.addMember", {"crewId": crew_id, "agentId": agent_id, "role": "PLANNER"}),
        ("agentCrews.removeMember", {"memberId": member_id}),
        ("agentCrews.setMemberRole", {"memberId": member_id, "role": "PLANNER"}),
    ):
        assert office.refused(tool, arguments)[0] == 404, tool


def test_a_description_can_be_cleared(office: Office) -> None:
    crew_id = a_crew(office, description="Bring data in.")

    assert office.call("agentCrews.update", {"id": crew_id, "clear": ["description"]}) == {"ok": True}

    assert the_crew(office)["description"] is None


def test_of_two_who_join_at_once_none_is_lost(office: Office) -> None:
    first, second = office.an_agent("first")["id"], office.an_agent("second")["id"]
    crew_id = a_crew(office)

    def join(agent_id: str) -> Body:
        order = {"crewId": crew_id, "agentId": agent_id, "role": "WORKER"}
        return office.call("agentCrews.addMember", order)

    office.meanwhile(lambda: join(second))
    join(first)

    members = the_crew(office)["members"]
    assert [(one["agentId"], one["position"]) for one in members] == [(second, 0), (first, 1)]
