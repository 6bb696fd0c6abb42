"""A goal is kept with all that it refers to, which is there and may be seen."""

from tests.workshop.office import Office


def test_the_contracts_example_creates_a_goal_and_tells_of_it(office: Office) -> None:
    crew_id = office.call("agentCrews.create", {"name": "Importers"})["id"]

    made = office.call(
        "goals.create", {"title": " Ship the importer ", "crewId": crew_id, "maxTotalCostUsd": 5}
    )

    goal = office.call("goals.get", made)
    (told,) = [row.payload for row in office.log() if row.kind == "GOAL_CREATED"]
    assert set(made) == {"id"}
    assert (goal["title"], goal["status"], goal["maxTotalCostUsd"]) == ("Ship the importer", "OPEN", 5)
    assert (goal["createdById"], goal["createdByAgentId"]) == (office.owner_id, None)
    assert told == {"goalTitle": "Ship the importer", "issueId": None, "crewId": crew_id}


def test_what_an_agent_creates_is_the_agents(office: Office) -> None:
    agent_id = office.an_agent()["id"]

    made = office.call("goals.create", {"title": "Ship it"}, key=office.an_agents_key(agent_id))

    goal = office.call("goals.get", made)
    assert (goal["createdById"], goal["createdByAgentId"]) == (None, agent_id)


def test_an_archived_crew_gets_no_goal(office: Office) -> None:
    crew_id = office.call("agentCrews.create", {"name": "Importers"})["id"]
    office.call("agentCrews.archive", {"id": crew_id})

    assert office.refused("goals.create", {"title": "Ship it", "crewId": crew_id})[0] == 400


def test_a_narrowed_key_makes_goals_for_its_own_issues_alone(office: Office) -> None:
    project_id = office.call("projects.create", {"name": "Website", "key": "WEB"})["id"]
    own = office.call("issues.create", {"title": "Ours", "projectId": project_id})["id"]
    other = office.call("issues.create", {"title": "Others"})["id"]
    key = office.a_narrowed_key(project_ids=[project_id])

    made = office.call("goals.create", {"title": "Ship it", "issueId": own}, key=key)

    assert [one["id"] for one in office.rows("goals.list", key=key)] == [made["id"]]
    assert office.refused("goals.create", {"title": "Ship it", "issueId": other}, key=key)[0] == 403
    assert office.refused("goals.create", {"title": "Ship it"}, key=key)[0] == 403
