"""Workers that only claim, and are killed: whatever they leave is found again."""

from collections.abc import Iterator

import pytest

from tests.workshop.issues import a_queued_issue, block
from tests.workshop.office import Body, Office


@pytest.fixture
def key(office: Office) -> str:
    return office.an_agents_key(office.an_agent()["id"])


TASKS, WORKERS = 60, 6


def the_killed() -> Iterator[bool]:
    """Every third call of a worker is its last: it is killed before it says a word."""
    number = 0
    while True:
        number += 1
        yield number % 3 == 0


def tasks(office: Office) -> list[str]:
    """Chains of five, of which each waits for the one before it."""
    made = [a_queued_issue(office, f"Task {number}") for number in range(TASKS)]
    for number in range(TASKS):
        if number % 5:
            block(office, made[number - 1], made[number])
    return made


def done(office: Office, key: str, claimed: Body, **how: str) -> None:
    report = {"runId": claimed["runId"], "summary": "Done.", "transitionTo": "Done"}
    office.call("runs.complete", report, key=key, **how)


def test_killed_workers_that_come_back_under_their_session_leave_nothing_stuck(
    office: Office, key: str
) -> None:
    waiting, killed = set(tasks(office)), the_killed()
    given_to: dict[str, str] = {}

    for turn in range(4 * TASKS):
        office.world.clock.advance(seconds=2)
        session = f"worker-{turn % WORKERS}"
        claimed = office.call("issues.claim", {}, key=key, session=session)
        if claimed["claimed"] is None:
            continue
        issue_id = claimed["claimed"]["id"]
        assert given_to.setdefault(issue_id, session) == session, "handed out twice"
        if not next(killed):
            done(office, key, claimed, session=session)
            waiting.remove(issue_id)

    assert waiting == set()


def test_killed_workers_without_a_session_find_all_that_is_left_by_its_name(office: Office, key: str) -> None:
    waiting, killed = set(tasks(office)), the_killed()

    for _ in range(4 * TASKS):
        office.world.clock.advance(seconds=2)
        claimed = office.call("issues.claim", {}, key=key)
        if claimed.get("reason") == "you-hold":
            held = claimed["youHold"][0]["identifier"]
            claimed = office.call("issues.claim", {"issueId": held}, key=key)
        if claimed["claimed"] is None:
            continue
        if not next(killed):
            done(office, key, claimed)
            waiting.remove(claimed["claimed"]["id"])

    assert waiting == set()
