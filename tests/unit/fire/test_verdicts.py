"""What a fire says when something was lost, doubled or stuck: nobody sees it burn."""

from pathlib import Path

import pytest

from forge.cli.worker.git.commands import git
from tests.fire.machines import Workshop
from tests.fire.stalls import TWO_HEARTBEATS, Stalls
from tests.fire.verdicts import LEAST, of_commits, of_issues, of_kills, of_waits
from tests.unit.cli.worker.workbench import AUTHOR, a_repository

BRANCH = "forge/DEMO-1-say-hello"
DONE = {"DEMO-1": [{"status": "COMPLETED"}]}


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def stalls(clock: Clock) -> Stalls:
    return Stalls(clock)


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    """One in which the work on DEMO-1 was done as it should be."""
    found = Workshop(tmp_path, a_repository(tmp_path / "source"))
    git("checkout", "--quiet", "-b", BRANCH, at=found.source)
    (found.source / "DEMO-1.txt").write_text("work on DEMO-1\n", encoding="utf-8")
    git("add", "--all", at=found.source)
    git(*AUTHOR.settings(), "commit", "--quiet", "-m", "Done", at=found.source)
    (found.pull_requests / BRANCH.replace("/", "_")).mkdir()
    return found


def test_what_goes_on_within_two_heartbeats_is_no_problem(stalls: Stalls, clock: Clock) -> None:
    stalls.broke(["DEMO-1"])
    clock.now += TWO_HEARTBEATS / 2

    stalls.look({"DEMO-1": clock.now - 1}, {"DEMO-1"})

    assert stalls.problems == []
    assert "29.0 s at most (DEMO-1)" in str(stalls)


def test_what_goes_on_too_late_is_told_and_so_is_what_never_does(stalls: Stalls, clock: Clock) -> None:
    stalls.broke(["DEMO-1", "DEMO-2"])
    clock.now += TWO_HEARTBEATS + 1

    stalls.look({"DEMO-1": clock.now}, {"DEMO-1", "DEMO-2"})

    assert [one.split()[0] for one in stalls.problems] == ["DEMO-2", "DEMO-1:", "any"]


def test_while_nobody_answers_nothing_can_happen(stalls: Stalls, clock: Clock) -> None:
    for _ in range(3):
        clock.now += TWO_HEARTBEATS - 1
        stalls.begin()
    clock.now += TWO_HEARTBEATS - 1
    stalls.look({"DEMO-1": clock.now}, {"DEMO-1"})

    assert stalls.problems == []


def test_whoever_is_killed_again_is_waited_for_from_then(stalls: Stalls, clock: Clock) -> None:
    for _ in range(3):
        stalls.broke(["DEMO-1"])
        clock.now += TWO_HEARTBEATS / 2
    stalls.look({"DEMO-1": clock.now}, {"DEMO-1"})

    assert [seconds for seconds, issue in stalls.lasted if issue == "DEMO-1"] == [TWO_HEARTBEATS / 2]


def test_who_waits_longer_than_two_seconds_for_the_first_call_is_told() -> None:
    assert of_waits([0.4, 0.5, 9.0]) == []
    assert of_waits([0.4, 2.1, 9.0]) != []


def test_a_fire_in_which_too_few_were_killed_shows_nothing() -> None:
    assert of_kills(LEAST) == []
    assert len(of_kills({**LEAST, "worker": 39})) == 1
    assert len(of_kills({})) == len(LEAST)


def test_work_that_was_done_once_is_as_it_should_be(workshop: Workshop) -> None:
    assert of_issues(workshop, ["DEMO-1"], DONE) == []


@pytest.mark.parametrize(
    "statuses",
    [[], ["ABANDONED"], ["COMPLETED", "COMPLETED"], ["COMPLETED", "ACTIVE"], ["COMPLETED", "WAITING"]],
)
def test_who_has_not_exactly_one_run_that_was_completed_is_told(
    workshop: Workshop, statuses: list[str]
) -> None:
    assert of_issues(workshop, ["DEMO-1"], {"DEMO-1": [{"status": one} for one in statuses]})


def test_a_second_branch_or_pull_request_is_told_and_none_at_all(workshop: Workshop) -> None:
    (workshop.pull_requests / "forge_DEMO-1-again").mkdir()
    twice = of_issues(workshop, ["DEMO-1"], DONE)
    git("branch", "forge/DEMO-1-again", at=workshop.source)
    both = of_issues(workshop, ["DEMO-1"], DONE)

    assert (len(twice), len(both)) == (1, 2)
    assert len(of_issues(workshop, ["DEMO-2"], {"DEMO-2": DONE["DEMO-1"]})) == 2


def test_a_branch_without_the_work_is_told(workshop: Workshop) -> None:
    (workshop.source / "DEMO-1.txt").write_text("something else\n", encoding="utf-8")
    git(*AUTHOR.settings(), "commit", "--quiet", "--all", "-m", "Other", at=workshop.source)

    assert len(of_issues(workshop, ["DEMO-1"], DONE)) == 1


def test_a_commit_on_no_branch_is_lost(workshop: Workshop, tmp_path: Path) -> None:
    kept = git("rev-parse", "HEAD", at=workshop.source).strip()
    git("checkout", "--quiet", "--detach", at=workshop.source)
    git(*AUTHOR.settings(), "commit", "--quiet", "--allow-empty", "-m", "Beside", at=workshop.source)
    beside = git("rev-parse", "HEAD", at=workshop.source).strip()

    told = of_commits([("DEMO-1", kept), ("DEMO-1", beside), ("DEMO-1", "0" * 40)], workshop.source, [])

    assert len(told) == 2
    assert beside[:12] in told[0]
