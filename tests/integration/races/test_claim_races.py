"""Many agents that take work from one queue at the same moment."""

from collections.abc import Sequence
from typing import Any

import pytest

from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.wire.http import Response
from tests.integration.races.crowds import at_once
from tests.unit.wire.answers import body_of
from tests.workshop.office import Body, Office

PRIORITIES = ("NONE", "LOW", "MEDIUM", "HIGH", "URGENT")


@pytest.fixture
def requests() -> Counter:
    return Counter()


@pytest.fixture
def office(store: Store, requests: Counter) -> Office:
    return Office(World(store=watched(store, requests)))


def a_queue(office: Office, size: int) -> list[Body]:
    """Queued issues, the best first."""
    made = []
    for number in range(size):
        priority = PRIORITIES[number % len(PRIORITIES)]
        issue = office.call("issues.create", {"title": f"Task {number}", "priority": priority})
        office.call("issues.queue", {"id": issue["id"]})
        office.world.clock.advance(seconds=1)
        made.append(issue)
    return sorted(made, key=lambda one: (-PRIORITIES.index(one["priority"]), one["createdAt"]))


def agents_keys(office: Office, number: int) -> list[str]:
    return [office.an_agents_key(office.an_agent(f"agent{place}")["id"]) for place in range(number)]


def claim_all(office: Office, agents: Sequence[str]) -> list[Any]:
    answers = at_once(len(agents), lambda place: office.send("issues.claim", {}, key=agents[place]))
    assert {answer.status for answer in answers} == {200}
    return [body_of(answer)["claimed"] for answer in answers]


def attempts(requests: Counter) -> int:
    return sum(one.operation == "TransactWriteItems" for one in requests.sent)


def test_twenty_agents_get_ten_issues_and_each_issue_once(office: Office, requests: Counter) -> None:
    queue = a_queue(office, 10)
    agents = agents_keys(office, 20)
    requests.reset()

    claimed = claim_all(office, agents)

    winners = [issue["id"] for issue in claimed if issue]
    assert sorted(winners) == sorted(issue["id"] for issue in queue)
    assert attempts(requests) <= 3 * len(agents)


def test_as_many_agents_as_issues_all_get_one(office: Office, requests: Counter) -> None:
    queue = a_queue(office, 24)
    agents = agents_keys(office, 24)
    requests.reset()

    claimed = claim_all(office, agents)

    assert sorted(issue["id"] for issue in claimed) == sorted(issue["id"] for issue in queue)
    assert attempts(requests) <= 3 * len(agents)


def test_who_comes_alone_gets_the_best_one(office: Office) -> None:
    queue = a_queue(office, 7)
    (agent,) = agents_keys(office, 1)

    claimed = [office.call("issues.claim", {}, key=agent)["claimed"]["id"] for _ in queue]

    assert claimed == [issue["id"] for issue in queue]


def test_an_issue_that_is_blocked_is_never_offered(office: Office) -> None:
    queue = a_queue(office, 6)
    blocked = {issue["id"] for issue in queue[1::2]}
    for blocker, other in zip(queue[0::2], queue[1::2], strict=True):
        relation = {"fromIssueId": blocker["id"], "toIssueId": other["id"], "kind": "BLOCKS"}
        office.call("relations.add", relation)
    agents = agents_keys(office, 8)

    claimed = claim_all(office, agents)

    winners = {issue["id"] for issue in claimed if issue}
    assert winners == {issue["id"] for issue in queue} - blocked


def test_windows_that_share_a_key_never_get_the_same_work(office: Office) -> None:
    queue = a_queue(office, 12)
    (agent,) = agents_keys(office, 1)

    def claim(place: int) -> Response:
        session = f"window-{place}" if place % 2 else None
        return office.send("issues.claim", {}, key=agent, session=session)

    claimed = [body_of(answer)["claimed"] for answer in at_once(12, claim)]

    assert sorted(issue["id"] for issue in claimed) == sorted(issue["id"] for issue in queue)


def test_a_claim_that_has_expired_is_taken_once(office: Office) -> None:
    (issue,) = a_queue(office, 1)
    first, *others = agents_keys(office, 9)
    office.call("issues.claim", {"claimTtlMinutes": 10}, key=first)
    assert claim_all(office, others) == [None] * 8
    office.world.clock.advance(minutes=11)

    claimed = claim_all(office, others)

    assert [one["id"] for one in claimed if one] == [issue["id"]]


def test_one_issue_by_its_id_goes_to_one_of_many(office: Office) -> None:
    (issue,) = a_queue(office, 1)
    agents = agents_keys(office, 10)

    answers = at_once(
        10, lambda place: office.send("issues.claim", {"issueId": issue["id"]}, key=agents[place])
    )

    bodies = [body_of(answer) for answer in answers]
    assert [body["reason"] for body in bodies if not body["claimed"]] == ["already-claimed"] * 9
