"""Crowds: everybody is served within the call's time, and nobody is told of a conflict that others caused."""

from collections import Counter
from datetime import datetime

import pytest

from forge.store.store import Store
from forge.testing.clock import RunningClock
from forge.testing.world import World
from tests.integration.races.crowds import at_once
from tests.unit.wire.answers import body_of
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office

CROWD = 30
ROUNDS = 2


class BelatedClock(RunningClock):
    """Stands until it is started."""

    is_started = False

    def __call__(self) -> datetime:
        return super().__call__() if self.is_started else self._now


@pytest.fixture
def office(store: Store) -> Office:
    return Office(World(store=store, clock=RunningClock()))


def agents_keys(office: Office, number: int) -> list[str]:
    return [office.an_agents_key(office.an_agent(f"agent{place}")["id"]) for place in range(number)]


def claims_of_a_round(office: Office, agents: list[str]) -> list[Body | None]:
    answers = at_once(len(agents), lambda place: office.send("issues.claim", {}, key=agents[place]))
    assert Counter(answer.status for answer in answers) == {200: len(agents)}
    return [body_of(answer)["claimed"] for answer in answers]


def test_fifty_agents_take_fifty_issues_in_every_round_whether_or_not_time_passes(store: Store) -> None:
    clock = BelatedClock()
    office = Office(World(store=store, clock=clock))
    agents = agents_keys(office, 50)
    for _ in agents:
        office.call("issues.queue", {"id": an_issue(office)})

    for number in range(2 * ROUNDS):
        clock.is_started = number >= ROUNDS
        claimed = claims_of_a_round(office, agents)

        assert len({issue["id"] for issue in claimed if issue}) == 50
        for agent, issue in zip(agents, claimed, strict=True):
            office.call("issues.release", {"id": issue["id"]} if issue else {}, key=agent)


def test_thirty_updates_of_one_issue_all_succeed(office: Office) -> None:
    issue_id = an_issue(office)
    people = [office.a_colleague(handle=f"person{place}").key for place in range(CROWD)]

    answers = at_once(
        CROWD,
        lambda place: office.send("issues.update", {"id": issue_id, "title": f"T{place}"}, key=people[place]),
    )

    assert Counter(answer.status for answer in answers) == {200: CROWD}
    assert len([row for row in office.log() if row.action == "update"]) == CROWD


def test_thirty_agents_first_comments_on_one_issue_are_all_posted(office: Office) -> None:
    issue_id, agents = an_issue(office), agents_keys(office, CROWD)

    answers = at_once(
        CROWD,
        lambda place: office.send("comments.create", {"issueId": issue_id, "body": "Me."}, key=agents[place]),
    )

    assert Counter(answer.status for answer in answers) == {200: CROWD}
    bodies = [body_of(answer) for answer in answers]
    assert Counter((body["run"] is None, "note" in body) for body in bodies) == {
        (False, False): 8,
        (True, True): CROWD - 8,
    }
    assert len(office.rows("comments.list", {"issueId": issue_id, "limit": 50})) == CROWD


def test_thirty_comments_to_an_agent_at_work_all_call_it(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker")
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent["id"]})
    people = [office.a_colleague(handle=f"person{place}").key for place in range(CROWD)]

    answers = at_once(
        CROWD,
        lambda place: office.send("comments.create", {"issueId": issue_id, "body": "Hi."}, key=people[place]),
    )

    assert Counter(answer.status for answer in answers) == {200: CROWD}
    told = [row for row in office.log() if row.action == "comment"]
    assert {len(row.wakes) for row in told} == {1}


def test_thirty_claims_of_one_issue_by_its_id_are_all_answered(office: Office) -> None:
    issue_id, agents = an_issue(office), agents_keys(office, CROWD)

    answers = at_once(
        CROWD, lambda place: office.send("issues.claim", {"issueId": issue_id}, key=agents[place])
    )

    assert Counter(answer.status for answer in answers) == {200: CROWD}
    assert Counter(body_of(answer).get("reason") for answer in answers) == {
        None: 1,
        "already-claimed": CROWD - 1,
    }
