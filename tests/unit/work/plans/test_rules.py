"""Which steps begin, who waits for a place, and to whom a free one goes."""

import pytest

from forge.work.plans.plans import PlanStatus, StepStatus
from forge.work.plans.rules import MOST_READY, settled
from tests.unit.work.plans.built import a_load, a_plan, in_status, statuses

TODO, READY, RUNNING, BLOCKED, REVIEW, DONE, CANCELED = StepStatus


def test_what_waits_for_nothing_begins_and_the_rest_does_not() -> None:
    found = settled(a_plan([], [0], []), None, max_parallel=1)

    assert statuses(found.plan) == [READY, TODO, READY]
    assert found.go_on == []


def test_a_step_begins_when_all_that_it_waits_for_is_done() -> None:
    one_left = in_status(a_plan([], [], [0, 1]), DONE, RUNNING)
    none_left = in_status(one_left, DONE, DONE)

    assert statuses(settled(one_left, None, max_parallel=0).plan)[2] is TODO
    assert statuses(settled(none_left, None, max_parallel=0).plan)[2] is READY


def test_what_was_canceled_does_not_count_as_done() -> None:
    plan = in_status(a_plan([], [0]), CANCELED)

    found = settled(plan, None, max_parallel=0)

    assert statuses(found.plan) == [CANCELED, TODO]
    assert found.plan.status is PlanStatus.RUNNING


def test_nothing_begins_in_a_plan_that_does_not_run() -> None:
    plan = in_status(a_plan([], [], status=PlanStatus.BLOCKED), RUNNING)
    load = a_load(holding=["plan_1.0"], waiting=["plan_1"])

    found = settled(plan, load, max_parallel=2)

    assert statuses(found.plan) == [RUNNING, TODO]
    assert found.load == a_load()


def test_a_crew_does_as_many_steps_at_once_as_it_may_over_all_its_plans() -> None:
    load = a_load(holding=["plan_2.0"])

    found = settled(a_plan([], [], []), load, max_parallel=3)

    assert statuses(found.plan) == [READY, READY, TODO]
    assert found.load == a_load(holding=["plan_2.0", "plan_1.0", "plan_1.1"], waiting=["plan_1"])


def test_a_step_in_review_holds_no_place_and_a_retry_waits_for_one() -> None:
    plan = in_status(a_plan([], []), REVIEW)
    begun = settled(plan, a_load(holding=["plan_1.0"]), max_parallel=1)

    failed = settled(begun.plan.with_step("plan_1.0", status=TODO), begun.load, max_parallel=1)

    assert statuses(begun.plan) == [REVIEW, READY]
    assert statuses(failed.plan) == [TODO, READY]
    assert failed.load == a_load(holding=["plan_1.1"], waiting=["plan_1"])


def test_a_free_place_goes_to_the_own_plan_first() -> None:
    plan = in_status(a_plan([], [0]), DONE)
    load = a_load(holding=["plan_1.0"], waiting=["plan_2"])

    found = settled(plan, load, max_parallel=1)

    assert statuses(found.plan) == [DONE, READY]
    assert (found.load, found.go_on) == (a_load(holding=["plan_1.1"], waiting=["plan_2"]), [])


def test_a_place_that_the_own_plan_has_no_use_for_goes_to_whoever_waits_longest() -> None:
    plan = in_status(a_plan([]), DONE)
    load = a_load(holding=["plan_1.0"], waiting=["plan_2", "plan_3"])

    found = settled(plan, load, max_parallel=1)

    assert found.plan.status is PlanStatus.COMPLETED
    assert (found.load, found.go_on) == (a_load(waiting=["plan_3"]), ["plan_2"])


def test_more_than_a_transaction_holds_begin_later() -> None:
    plan = a_plan(*[[] for _ in range(MOST_READY + 2)])

    first = settled(plan, a_load(waiting=["plan_2"]), max_parallel=0)
    then = settled(first.plan, first.load, max_parallel=0)

    assert statuses(first.plan).count(READY) == MOST_READY
    assert first.go_on == ["plan_1"]
    assert statuses(then.plan).count(READY) == MOST_READY + 2
    assert then.go_on == ["plan_2"]


@pytest.mark.parametrize(
    ("steps", "max_parallel", "waiting", "go_on"),
    [
        (MOST_READY, 0, [], ["plan_2"]),
        (MOST_READY + 2, MOST_READY, ["plan_2", "plan_1"], []),
        (MOST_READY + 3, MOST_READY + 1, ["plan_2"], ["plan_1"]),
    ],
    ids=["all begin", "no place is left", "more places than a transaction takes"],
)
def test_a_plan_waits_for_places_only_once_it_took_all_it_can_get(
    steps: int, max_parallel: int, waiting: list[str], go_on: list[str]
) -> None:
    found = settled(a_plan(*[[]] * steps), a_load(waiting=["plan_2"]), max_parallel=max_parallel)

    assert statuses(found.plan).count(READY) == MOST_READY
    assert found.load is not None
    assert (found.load.waiting, found.go_on) == (waiting, go_on)


def test_a_plan_is_done_when_no_step_is_left_and_never_without_steps() -> None:
    assert settled(in_status(a_plan([], []), DONE, CANCELED), None, max_parallel=0).plan.is_over
    assert not settled(in_status(a_plan([], []), DONE, BLOCKED), None, max_parallel=0).plan.is_over
    assert not settled(a_plan(), None, max_parallel=0).plan.is_over
    stopped = in_status(a_plan([], status=PlanStatus.CANCELED), CANCELED)
    assert settled(stopped, None, max_parallel=0).plan.status is PlanStatus.CANCELED
