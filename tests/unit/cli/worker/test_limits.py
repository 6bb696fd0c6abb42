"""What a run may use, and what it has used."""

import pytest

from forge.cli.worker.limits import Limits, Usage, Used, limits_in, reason_to_stop


def test_the_least_of_two_limits_holds_and_what_is_not_said_limits_nothing() -> None:
    assert Limits(usd=5, turns=10).least(Limits(usd=2, minutes=30)) == Limits(2, 10, 30)


@pytest.mark.parametrize(
    ("used", "limits", "is_stopped"),
    [
        (Used(Usage(cost_usd=0.99), 5, 5), Limits(usd=1), False),
        (Used(Usage(cost_usd=1.0), 5, 5), Limits(usd=1), True),
        (Used(Usage(), 5, 5), Limits(usd=1), False),
        (Used(Usage(), 20, 5), Limits(turns=20), True),
        (Used(Usage(), 1, 60), Limits(minutes=60), True),
        (Used(Usage(cost_usd=100), 100, 100), Limits(), False),
    ],
)
def test_a_run_that_has_reached_a_limit_is_stopped(used: Used, limits: Limits, is_stopped: bool) -> None:  # noqa: FBT001, RUF100
    assert bool(reason_to_stop(used, limits)) is is_stopped


def test_of_what_was_counted_and_what_was_told_the_larger_is_reported() -> None:
    counted, told = Usage(100, 20, 0, None), Usage(80, 30, 5, 0.5)

    assert counted.at_least(told) == Usage(100, 30, 5, 0.5)
    assert counted.plus(told) == Usage(180, 50, 5, 0.5)


def test_an_agent_that_tells_nothing_reports_nothing() -> None:
    assert Usage().arguments() == {}
    assert Usage(1, 2, 0).arguments() == {"tokensIn": 1, "tokensOut": 2, "tokensCached": 0}


def test_limits_of_the_bundle_are_read_where_there_are_some() -> None:
    assert limits_in({}) == Limits()
    assert limits_in({"limits": {"usd": 2, "turns": 7}}) == Limits(usd=2, turns=7)
