"""Which phase may follow which: the whole table, row by row."""

import pytest

from forge.work.backlog.workflows.phases import ORDER, Advance, Refusal, WorkPhase, judge

TARGETS = [*ORDER[1:], WorkPhase.ABANDONED]
TABLE = {
    "selection": "OK S S S S S S S OK",
    "research": "X OK S S S S S S OK",
    "branch": "X X OK S S S S S OK",
    "implementation": "X X X OK S S S S OK",
    "testing": "X X X X T S S S OK",
    "commit": "X X X X X T S S OK",
    "pr": "X X X X X X OK S OK",
    "review": "X X X X X X X OK OK",
    "merged": "X X X X X X X X X",
    "abandoned": "X X X X X X X X X",
}
MEANING = {"OK": None, "S": Refusal.UNJUSTIFIED, "T": Refusal.UNTESTED, "X": Refusal.INVALID}


def row(current: str, **options: object) -> list[Refusal | None]:
    known = options.pop("known_tests", None)
    assert known in (None, True, False)
    return [
        judge(WorkPhase(current), Advance(target)._replace(**options), known_tests=known).refusal  # type: ignore[arg-type]  # checked above
        for target in TARGETS
    ]


@pytest.mark.parametrize(("current", "cells"), TABLE.items())
def test_work_goes_forward_skips_nothing_and_is_tested(current: str, cells: str) -> None:
    expected = [MEANING[cell] for cell in cells.split()]

    assert row(current) == expected


@pytest.mark.parametrize(("current", "cells"), TABLE.items())
def test_passed_tests_open_the_gate_and_nothing_else(current: str, cells: str) -> None:
    expected = [None if cell == "T" else MEANING[cell] for cell in cells.split()]

    assert row(current, tests_passed=True) == expected
    assert row(current, known_tests=True) == expected


@pytest.mark.parametrize(("current", "cells"), TABLE.items())
def test_a_justification_excuses_everything_but_going_back(current: str, cells: str) -> None:
    expected = [Refusal.INVALID if cell == "X" else None for cell in cells.split()]

    assert row(current, justification="A small change.") == expected
    assert row(current, justification="  ") == row(current)


def test_tests_that_failed_now_count_more_than_those_that_passed_before() -> None:
    failed = Advance(WorkPhase.COMMIT, tests_passed=False)

    assert judge(WorkPhase.TESTING, failed, known_tests=True).refusal is Refusal.UNTESTED


def test_every_phase_between_is_excused_and_so_is_a_gate_without_tests() -> None:
    skipping = Advance(WorkPhase.COMMIT, justification="Only a comment.")

    assert judge(WorkPhase.BRANCH, skipping, known_tests=None).skipped == (
        WorkPhase.IMPLEMENTATION,
        WorkPhase.TESTING,
    )
    assert judge(WorkPhase.TESTING, skipping, known_tests=None).skipped == (WorkPhase.TESTING,)
    assert judge(WorkPhase.TESTING, skipping, known_tests=True).skipped == ()
