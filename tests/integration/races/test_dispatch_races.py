"""Many issues that are queued at the same moment, for agents that can take only so many."""

from collections import Counter

import pytest

from forge.store.store import Store
from forge.testing.world import World
from tests.integration.races.crowds import at_once
from tests.unit.wire.answers import body_of
from tests.unit.work.background.watchdogs.offices import an_online_agent
from tests.workshop.issues import an_issue, head, load
from tests.workshop.office import Office

ISSUES = 10


@pytest.fixture
def office(store: Store) -> Office:
    office = Office(World(store=store))
    office.call("workspaces.update", {"autoDispatch": True, "autoDispatchMode": "ROUND_ROBIN"})
    return office


def queue_all(office: Office) -> list[str | None]:
    """Whom each of ten issues went to that were queued at once."""
    issues = [an_issue(office, f"Task {number}") for number in range(ISSUES)]

    answers = at_once(ISSUES, lambda place: office.send("issues.queue", {"id": issues[place]}))

    assert {answer.status for answer in answers} == {200}
    given = [body_of(answer)["assignedAgentId"] for answer in answers]
    assert given == [head(office, issue_id).assigned_agent_id for issue_id in issues]
    assert all(head(office, issue_id).queued for issue_id in issues)
    return given


@pytest.mark.parametrize("agents", [5, 3, 1])
def test_ten_issues_queued_at_once_never_give_an_agent_a_third(office: Office, agents: int) -> None:
    team = [an_online_agent(office, f"agent{number}", maxConcurrent=2) for number in range(agents)]

    given = queue_all(office)

    counts = Counter(one for one in given if one)
    assert counts == dict.fromkeys(team, 2)
    assert [load(office, agent_id) for agent_id in team] == [2] * agents


def test_ten_new_issues_at_once_keep_to_the_limit_as_well(office: Office) -> None:
    team = [an_online_agent(office, f"agent{number}", maxConcurrent=2) for number in range(4)]
    order = {"title": "One", "queue": True}

    answers = at_once(ISSUES, lambda _: office.send("issues.create", order))

    assert {answer.status for answer in answers} == {200}
    given = [body_of(answer)["assignedAgentId"] for answer in answers]
    assert Counter(one for one in given if one) == dict.fromkeys(team, 2)
    assert [load(office, agent_id) for agent_id in team] == [2] * 4
