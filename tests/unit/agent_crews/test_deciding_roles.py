"""Who stands for people in a crew, and who judges there, is said by people."""

import pytest

from tests.workshop.office import Body, Office


def crew_with(office: Office, *roles: str) -> Body:
    members = [{"agentId": office.an_agent(role.lower())["id"], "role": role} for role in roles]
    crew_id = office.call("agentCrews.create", {"name": "Importers", "members": members})["id"]
    return next(one for one in office.rows("agentCrews.list") if one["id"] == crew_id)


@pytest.mark.parametrize("role", ["OPERATOR_PROXY", "REVIEWER"])
def test_an_agent_makes_itself_neither_a_judge_nor_an_operator(office: Office, role: str) -> None:
    crew = crew_with(office, "WORKER")
    (member,) = crew["members"]
    key = office.an_agents_key(member["agentId"])
    joining = {"crewId": crew["id"], "agentId": member["agentId"], "role": role}
    changing = {"memberId": member["id"], "role": role}

    assert office.refused("agentCrews.addMember", joining, key=key)[:2] == (403, "forbidden")
    assert office.refused("agentCrews.setMemberRole", changing, key=key)[:2] == (403, "forbidden")


@pytest.mark.parametrize("role", ["OPERATOR_PROXY", "REVIEWER"])
def test_an_agent_takes_neither_from_anybody(office: Office, role: str) -> None:
    crew = crew_with(office, role)
    (member,) = crew["members"]
    key = office.an_agents_key()
    changing = {"memberId": member["id"], "role": "OBSERVER"}

    assert office.refused("agentCrews.removeMember", {"memberId": member["id"]}, key=key)[0] == 403
    assert office.refused("agentCrews.setMemberRole", changing, key=key)[0] == 403
    assert office.refused("agentCrews.archive", {"id": crew["id"]}, key=key)[0] == 403


def test_an_agent_founds_a_crew_but_gives_nobody_the_word_of_people(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    key = office.an_agents_key(agent_id)

    def founded(role: str) -> Body:
        return {"name": role, "members": [{"agentId": agent_id, "role": role}]}

    assert office.refused("agentCrews.create", founded("OPERATOR_PROXY"), key=key)[:2] == (403, "forbidden")
    assert office.call("agentCrews.create", founded("REVIEWER"), key=key)["id"]
