"""How tests are shared out to processes, and the table of tiers that a run ends with."""

import pytest

from tests.shares import share_of
from tests.tiers import Tiers


def a_report(nodeid: str, when: str, start: float, stop: float) -> pytest.TestReport:
    return pytest.TestReport(
        nodeid,
        (nodeid, 1, "test"),
        {},
        "passed",
        None,
        when,  # type: ignore[arg-type]  # the same three words as in pytest
        duration=stop - start,
        start=start,
        stop=stop,
    )


def test_a_tier_shows_its_tests_their_sum_and_from_when_to_when_they_ran() -> None:
    tiers = Tiers()

    for nodeid, when, start, stop in [
        ("tests/unit/test_a.py::test_one", "setup", 10.0, 11.0),
        ("tests/unit/test_a.py::test_one", "call", 11.0, 13.0),
        ("tests/contract/test_b.py::test_two", "call", 12.0, 12.5),
        ("tests/unit/test_c.py::test_three", "call", 12.0, 15.0),
    ]:
        tiers.pytest_runtest_logreport(a_report(nodeid, when, start, stop))

    heading, contract, unit = [line.split() for line in tiers.lines()]
    assert heading[:2] == ["tier", "tests"]
    assert contract == ["contract", "1", "0.5", "s", "0.5", "s"]
    assert unit == ["unit", "2", "6.0", "s", "5.0", "s"]


def test_a_run_of_other_tests_shows_no_table() -> None:
    tiers = Tiers()

    tiers.pytest_runtest_logreport(a_report("docs/examples/test_x.py::test_one", "call", 1.0, 2.0))

    assert tiers.lines() == []


@pytest.mark.parametrize(
    ("nodeid", "share"),
    [
        ("tests/unit/test_errors.py::test_x[a.b]", "tests/unit/test_errors.py"),
        ("tests/contract/test_faults.py::test_x[issues.create by an agent]", "rehearsals of issues.create"),
        ("tests/contract/test_scopes.py::test_y[agent.context.bundle]", "rehearsals of agent.context.bundle"),
        ("tests/contract/test_faults.py::test_x[answer lost]", "tests/contract/test_faults.py"),
        ("tests/integration/cli/test_dev_clock.py::test_x", "tests/integration/cli/test_dev.py"),
        ("tests/contract/test_tenants.py::test_x[issues.create]", "tests/contract/test_tenants.py"),
    ],
)
def test_tests_share_a_process_by_file_or_by_the_tool_they_rehearse(nodeid: str, share: str) -> None:
    assert share_of(nodeid) == share
