"""The words in which checks of a deployed stack say what has to be."""

from typing import Any

from tests.e2e.client import Answer


def expect(answer: Answer, status: int) -> Any:
    require(answer.status == status, f"{answer.status} instead of {status}: {answer.body}")
    return answer.body


def require(holds: object, otherwise: object) -> None:
    if not holds:
        raise AssertionError(otherwise)


class Skipped(Exception):
    """Why it can't be looked at here."""
