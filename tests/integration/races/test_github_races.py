"""Many sessions at one backlog on GitHub: the lock is ours, so each issue has one holder."""

from collections.abc import Iterator

import pytest

from forge.store.connections import Connections
from forge.store.store import Store
from forge.testing.github import FakeGitHub
from forge.testing.world import World
from forge.work.background import errand_runner
from tests.integration.races.crowds import at_once
from tests.unit.backlog.github.workshop import Workshop
from tests.workshop.office import Office


@pytest.fixture
def workshop(store: Store, connections: Connections) -> Iterator[Workshop]:
    office = Office(World(store=store))
    with FakeGitHub(now=office.world.clock) as github:
        yield Workshop(office, github, connections)


def test_eight_sessions_get_four_issues_and_each_issue_once(workshop: Workshop) -> None:
    issues = [workshop.an_issue(f"Issue {place}") for place in range(4)]
    crowd = [workshop.session(str(place)) for place in range(8)]

    answers = at_once(8, lambda place: crowd[place].select())

    assert sorted(one["issue"]["number"] for one in answers if one["success"]) == issues
    assert [one["code"] for one in answers if not one["success"]] == ["ALL_ISSUES_LOCKED"] * 4


def test_the_same_creation_sent_by_many_at_once_makes_one_issue(workshop: Workshop) -> None:
    order = {"title": "Login hangs", "priority": "high", "type": "bug"}

    answers = at_once(4, lambda _: workshop.office.send("create_issue", order, idempotency_key="once").status)

    assert len(workshop.app.issues) == 1
    assert set(answers) <= {200, 409}
    assert 200 in answers


def test_of_many_who_repeat_a_creation_that_died_one_goes_on(workshop: Workshop) -> None:
    order = {"title": "Login hangs", "priority": "high", "type": "bug"}
    workshop.github.fails_once("POST", "/issues$", status=502)
    workshop.office.call("create_issue", order, idempotency_key="once")
    workshop.office.world.clock.advance(minutes=2)

    answers = at_once(4, lambda _: workshop.office.send("create_issue", order, idempotency_key="once").status)

    assert len(workshop.app.issues) == 1
    assert set(answers) <= {200, 409}
    assert 200 in answers


def test_two_who_advance_to_a_branch_at_once_make_one(workshop: Workshop) -> None:
    number, session = workshop.an_issue(), workshop.session()
    session.taken()
    session.advance(number, "research")

    answers = at_once(2, lambda _: _advanced(workshop, number))

    assert sum(answers) == 1
    assert len(workshop.app.branches) == 2


def test_an_errand_that_two_run_at_once_is_done_and_ends_once(workshop: Workshop) -> None:
    number = workshop.an_issue()
    workshop.session().taken()

    at_once(2, lambda _: workshop.run_errands())

    assert workshop.app.labels_of(number)[-1] == "status:in-progress"
    assert workshop.errands() == []
    assert errand_runner.run(workshop.reach, workshop.office.workspace.id, workshop.id, number) == 0


def test_work_that_two_take_up_while_its_holder_goes_on_has_one_pull_request(workshop: Workshop) -> None:
    number, late = workshop.an_issue(), workshop.session("late")
    late.taken()
    late.advance(number, "commit", skipJustification="It is urgent.", testsPassed=True)
    workshop.office.world.clock.advance(minutes=31)
    crowd = [late, workshop.session("a"), workshop.session("b")]

    def go_on(place: int) -> bool:
        """The holder opens it at once; the others take the work up first."""
        is_theirs = place == 0 or crowd[place].select()["success"]
        return is_theirs and bool(crowd[place].advance(number, "pr")["success"])

    opened = at_once(3, go_on)

    (pull,) = workshop.app.pulls
    (status,) = late.status(number)
    assert sum(opened) == 1
    assert (status["prNumber"], status["currentPhase"]) == (pull, "pr")
    assert [one["to"] for one in status["phaseHistory"]] == ["selection", "commit", "pr"]


def _advanced(workshop: Workshop, number: int) -> bool:
    headers = {"x-forge-session": workshop.session().id}
    order = {"issueNumber": number, "targetPhase": "branch"}
    answer = workshop.office.world.rest(
        "advance_workflow", order, key=workshop.office.owner_key, headers=headers
    )
    return answer.status == 200 and b'"success":true' in str(answer.body).encode()
