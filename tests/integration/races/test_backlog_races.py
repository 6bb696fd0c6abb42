"""Many sessions at one backlog: each issue has one holder, and nobody else changes anything."""

import pytest

from forge.store.answers import Refused
from forge.store.store import Store
from forge.testing.instruments import Counter, Parameters, Send, watched
from forge.testing.world import World
from forge.work.backlog.workflows.workflows import LEASE
from tests.integration.races.crowds import at_once
from tests.workshop.backlog import Session, a_repository, backlog, filed
from tests.workshop.interference import COMMIT, Interference, once_before, only
from tests.workshop.office import Body, Office

PRIORITIES = ("low", "medium", "high", "critical")


@pytest.fixture
def requests() -> Counter:
    return Counter()


@pytest.fixture
def office(store: Store, requests: Counter) -> Office:
    made = Office(World(store=watched(store, requests)))
    a_repository(made)
    return made


def sessions(office: Office, number: int) -> list[Session]:
    """A key for each ten, so that none is over its rate."""
    keys = [office.a_key()["rawKey"] for _ in range(-(-number // 10))]
    return [Session(office, f"session {place}", keys[place // 10]) for place in range(number)]


def codes(answers: list[Body]) -> list[str]:
    return sorted(answer.get("code", "OK") for answer in answers)


def taken_by(office: Office, name: str) -> tuple[Session, int]:
    number = filed(office)
    session = Session(office, name)
    assert session.taken() == number
    return session, number


def test_fifty_sessions_get_twenty_issues_and_each_issue_once(office: Office, requests: Counter) -> None:
    issues = [filed(office, priority=PRIORITIES[place % 4]) for place in range(20)]
    crowd = sessions(office, 50)
    requests.reset()

    answers = at_once(50, lambda place: crowd[place].select())

    winners = [answer["issue"]["number"] for answer in answers if answer["success"]]
    assert sorted(winners) == issues
    assert codes(answers) == ["ALL_ISSUES_LOCKED"] * 30 + ["OK"] * 20
    assert {answer["details"]["locked"] for answer in answers if not answer["success"]} == {20}
    attempts = sum(one.operation == COMMIT for one in requests.sent)
    assert attempts <= 3 * 50


def test_one_issue_goes_to_one_of_many(office: Office) -> None:
    number = filed(office)
    crowd = sessions(office, 10)

    answers = at_once(10, lambda place: crowd[place].select())

    assert codes(answers) == ["ALL_ISSUES_LOCKED"] * 9 + ["OK"]
    assert backlog(office)[0]["number"] == number


@pytest.mark.parametrize("is_swept", [True, False])
def test_an_expired_lock_is_taken_once_and_its_work_goes_on_once(office: Office, *, is_swept: bool) -> None:
    first, number = taken_by(office, "first")
    first.advance(number, "research")
    office.world.clock.advance(seconds=LEASE.total_seconds())
    if is_swept:
        office.sweep()
    crowd = sessions(office, 6)

    answers = at_once(6, lambda place: crowd[place].select())

    (winner,) = [answer for answer in answers if answer["success"]]
    assert (winner["lock"]["fence"], winner["resumed"]["phase"]) == (2, "research")
    assert winner["previousHolder"]["sessionId"] == first.id


def test_who_comes_back_and_who_takes_it_up_are_not_both_right(office: Office) -> None:
    holder, number = taken_by(office, "first")
    office.world.clock.advance(seconds=LEASE.total_seconds())
    office.sweep()
    other = Session(office, "second")

    advanced, taken = at_once(
        2, lambda place: holder.advance(number, "research") if place == 0 else other.select()
    )

    # Whoever takes it up after that goes on in the new phase.
    assert (advanced["success"], taken["success"]) in {(True, False), (False, True)}
    owner = holder if advanced["success"] else other
    assert [(one["issueNumber"], one["lockedByMe"]) for one in owner.status()] == [(number, True)]


def test_who_renews_and_who_takes_at_the_last_moment_are_not_both_right(office: Office) -> None:
    holder, number = taken_by(office, "first")
    office.world.clock.advance(seconds=LEASE.total_seconds())
    other = Session(office, "second")

    renewed, stolen = at_once(2, lambda place: holder.renew(number) if place == 0 else other.select())

    assert (renewed["success"], stolen["success"]) in {(True, False), (False, True)}
    owner = holder if renewed["success"] else other
    assert [one["issueNumber"] for one in owner.status()] == [number]


def test_two_who_advance_to_the_same_phase_advance_once(office: Office) -> None:
    holder, number = taken_by(office, "first")

    answers = at_once(2, lambda _: holder.advance(number, "research"))

    assert codes(answers) == ["INVALID_PHASE_TRANSITION", "OK"]
    assert len(holder.status(number)[0]["phaseHistory"]) == 2


def test_advancing_and_giving_up_happen_one_after_the_other(office: Office) -> None:
    holder, number = taken_by(office, "first")

    advanced, released = at_once(
        2, lambda place: holder.advance(number, "research") if place else holder.release(number, "abandoned")
    )[::-1]

    assert released["success"] is True
    assert advanced.get("code", "NOT_LOCKED") == "NOT_LOCKED"
    assert (backlog(office)[0]["status"], holder.status()) == ("backlog", [])


def test_each_who_takes_over_knows_whom_it_took_from(office: Office) -> None:
    first, number = taken_by(office, "first")
    crowd = sessions(office, 4)

    answers = at_once(4, lambda place: crowd[place].force(number))

    by_fence = sorted(answers, key=lambda answer: answer["lock"]["fence"])
    holders = [first.id, *(answer["lock"]["sessionId"] for answer in by_fence)]
    assert [answer["claimed"]["previousHolder"]["sessionId"] for answer in by_fence] == holders[:-1]
    assert [answer["lock"]["fence"] for answer in by_fence] == [2, 3, 4, 5]


def test_a_free_issue_that_is_forced_and_selected_at_once_has_one_holder(office: Office) -> None:
    number = filed(office)
    forcing, selecting = Session(office, "a"), Session(office, "b")

    forced, selected = at_once(2, lambda place: selecting.select() if place else forcing.force(number))

    assert forced["success"] is True
    # Selecting takes what is free only: whoever forces it has it in the end.
    assert [one.id for one in (forcing, selecting) if one.status()] == [forcing.id]
    assert selected["success"] is (forced["claimed"]["previousHolder"] is not None)


def test_giving_back_and_the_sweep_end_a_lock_once(office: Office) -> None:
    holder, number = taken_by(office, "first")
    office.world.clock.advance(seconds=LEASE.total_seconds())

    _, released = at_once(2, lambda place: holder.release(number, "completed") if place else office.sweep())

    assert released is not None
    assert released["success"] is True
    assert (backlog(office)[0]["status"], holder.status(number)) == ("in-review", [])


def test_a_call_that_is_made_twice_at_once_files_one_issue(office: Office) -> None:
    order = {"title": "Login", "priority": "low", "type": "docs"}

    answers = at_once(4, lambda _: office.call("create_issue", order, idempotency_key="once"))

    assert len({answer["issue"]["number"] for answer in answers}) == 1
    assert office.call("list_backlog")["total"] == 1


@pytest.mark.parametrize("skew", [-60, 60])
def test_who_lost_a_lock_changes_nothing_whatever_its_clock_says(office: Office, skew: int) -> None:
    late, number = taken_by(office, "first")
    office.world.clock.advance(seconds=LEASE.total_seconds())
    owner = Session(office, "second")
    owner.taken()
    office.world.clock.advance(seconds=skew)

    refused = [
        late.advance(number, "research"),
        late.renew(number),
        late.release(number, "merged"),
    ]

    assert {answer["code"] for answer in refused} == {"NOT_LOCKED"}
    (status,) = owner.status()
    assert (status["issueNumber"], status["currentPhase"]) == (number, "selection")


def test_who_is_overtaken_in_the_middle_of_a_call_changes_nothing(store: Store) -> None:
    interference = Interference()
    office = Office(World(store=watched(store, interference)))
    a_repository(office)
    late, number = taken_by(office, "first")
    other = Session(office, "second")
    interference.handle = once_before(COMMIT, lambda: other.force(number))

    answer = late.release(number, "merged")

    assert answer["code"] == "NOT_LOCKED"
    assert [one["issueNumber"] for one in other.status()] == [number]
    assert backlog(office)[0]["isLocked"] is True


def test_a_collision_is_no_reason_to_leave_the_best_issue_behind(store: Store) -> None:
    interference = Interference()
    office = Office(World(store=watched(store, interference)))
    a_repository(office)
    best, _ = filed(office, priority="critical"), filed(office, priority="low")
    collisions = [2]

    def collide(operation: str, parameters: Parameters, send: Send) -> dict[str, object]:
        if collisions[0] > 0:
            collisions[0] -= 1
            reasons = [{"Code": "TransactionConflict"} for _ in parameters["TransactItems"]]
            raise Refused("TransactionCanceledException", reasons=reasons)
        return send(**parameters)

    interference.handle = only(COMMIT, collide)

    assert Session(office, "a").taken() == best
