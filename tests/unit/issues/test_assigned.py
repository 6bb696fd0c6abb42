"""issues.assigned: the issues of an agent, the most urgent and oldest first."""

from typing import Any

import pytest

from tests.workshop.issues import (
    a_project,
    an_agents_key,
    an_issue,
    assign,
    chained,
    delete,
    ids,
    move,
    stored_issues,
)
from tests.workshop.office import Office


def of_agent(office: Office, agent_id: str, number: int = 1, **more: Any) -> list[str]:
    made = [an_issue(office, f"Number {place}", **more) for place in range(number)]
    for issue_id in made:
        assign(office, issue_id, agent_id)
    return made


def assigned(office: Office, *, key: str | None = None, **wanted: object) -> list[str]:
    return ids(office.rows("issues.assigned", wanted, key=key or office.owner_key))


def test_an_agent_is_named_in_three_ways(office: Office) -> None:
    agent_id, other_id = office.an_agent("worker")["id"], office.an_agent("other")["id"]
    own = of_agent(office, agent_id)
    of_agent(office, other_id)

    assert assigned(office, agentId=agent_id) == own
    assert assigned(office, profileKey="worker") == own
    assert assigned(office, key=an_agents_key(office, agent_id)) == own
    assert assigned(office, agentId=agent_id, profileKey="worker") == own


def test_an_agent_may_look_at_anothers(office: Office) -> None:
    agent_id, other_id = office.an_agent("worker")["id"], office.an_agent("other")["id"]
    others = of_agent(office, other_id)

    assert assigned(office, agentId=other_id, key=an_agents_key(office, agent_id)) == others
    assert assigned(office, profileKey="OTHER", key=an_agents_key(office, agent_id)) == others


def test_who_is_no_agent_has_to_name_one(office: Office) -> None:
    assert office.refused("issues.assigned") == (400, "invalid_input", {"agentId"})


def test_two_names_of_two_agents_are_a_mistake(office: Office) -> None:
    office.an_agent("worker")
    other_id = office.an_agent("other")["id"]

    refused = office.refused("issues.assigned", {"agentId": other_id, "profileKey": "worker"})

    assert refused == (400, "invalid_input", {"profileKey"})


def test_the_most_urgent_come_first_and_then_the_oldest(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    made = []
    for priority in ("LOW", "URGENT", "NONE", "LOW", "URGENT"):
        made += of_agent(office, agent_id, priority=priority)
        office.world.clock.advance(minutes=1)

    assert assigned(office, agentId=agent_id) == [made[1], made[4], made[0], made[3], made[2]]


def test_closed_issues_come_only_when_they_are_wanted(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    opened, done, canceled = of_agent(office, agent_id, 3)
    move(office, done, "DONE")
    move(office, canceled, "CANCELED")

    assert assigned(office, agentId=agent_id) == [opened]
    assert assigned(office, agentId=agent_id, includeDone=True) == [opened, done, canceled]


def test_a_project_narrows_it(office: Office) -> None:
    agent_id, project_id = office.an_agent()["id"], a_project(office)
    inside = of_agent(office, agent_id, projectId=project_id)
    of_agent(office, agent_id)

    assert assigned(office, agentId=agent_id, projectId=project_id) == inside
    unknown = office.refused("issues.assigned", {"agentId": agent_id, "projectId": "prj_none"})
    assert unknown == (400, "invalid_input", {"projectId"})


def test_what_was_taken_back_or_deleted_is_gone(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    taken, deleted, kept = of_agent(office, agent_id, 3)
    assign(office, taken, None)
    delete(office, deleted)

    assert assigned(office, agentId=agent_id) == [kept]


@pytest.mark.parametrize("by", ["project_ids", "label_ids"])
def test_a_narrowed_key_sees_only_what_it_may(office: Office, by: str) -> None:
    agent_id, project_id, label_id = office.an_agent()["id"], a_project(office), office.a_label()["id"]
    seen = of_agent(office, agent_id, projectId=project_id, labelIds=[label_id])
    of_agent(office, agent_id, projectId=a_project(office, "OTHER"))
    key = an_agents_key(office, agent_id, **{by: [project_id if by == "project_ids" else label_id]})

    assert assigned(office, key=key) == seen


@pytest.mark.parametrize("include_done", [False, True])
def test_all_of_three_hundred_issues_can_be_reached(office: Office, include_done: bool) -> None:
    agent_id = office.an_agent()["id"]
    made = stored_issues(office, 300, assigned_agent_id=agent_id)

    wanted = {"agentId": agent_id, "limit": 50, "includeDone": include_done}

    assert chained(office, "issues.assigned", wanted) == made


def test_issues_of_more_than_a_megabyte_can_all_be_reached(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    made = stored_issues(office, 400, padding="x" * 3_000, assigned_agent_id=agent_id)

    wanted = {"agentId": agent_id, "limit": 100, "fields": ["id"]}

    assert chained(office, "issues.assigned", wanted) == made


def test_rows_are_those_of_every_list_and_can_be_slimmed(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    (issue_id,) = of_agent(office, agent_id)

    (listed,) = office.rows("issues.list")
    assert office.rows("issues.assigned", {"agentId": agent_id}) == [{**listed, "claimed": False}]
    slim = office.rows("issues.assigned", {"agentId": agent_id, "fields": ["priority"]})
    assert slim == [{"id": issue_id, "priority": "NONE"}]


def test_a_restarted_agent_finds_what_it_has_claimed_until_that_is_over(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    key, (given,) = office.an_agents_key(agent_id), of_agent(office, agent_id)
    taken = an_issue(office)
    for issue_id in (given, taken):
        office.call("issues.claim", {"issueId": issue_id, "claimTtlMinutes": 30}, key=key)

    rows = office.rows("issues.assigned", {}, key=key)
    office.world.clock.advance(minutes=31)
    later = office.rows("issues.assigned", {}, key=key)

    assert {row["id"]: row["claimed"] for row in rows} == {given: True, taken: True}
    assert all(row["claimExpiresAt"] for row in rows)
    assert [(row["id"], row["claimed"]) for row in later] == [(given, False)]


def test_what_an_agent_gave_back_is_no_longer_its_own(office: Office) -> None:
    key, issue_id = office.an_agents_key(office.an_agent()["id"]), an_issue(office)
    office.call("issues.claim", {"issueId": issue_id}, key=key)

    office.call("issues.release", {"id": issue_id}, key=key)

    assert office.rows("issues.assigned", {}, key=key) == []
