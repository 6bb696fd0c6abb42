"""Which kinds of event are known, and which preference counts."""

from typing import NamedTuple

import pytest

from forge.errors import InvalidInput
from forge.work.record.log.kinds import EventKind
from forge.work.workspace.people.preferences import by_kind
from functions.notification.rules import KNOWN_KINDS, known_kind


class Said(NamedTuple):
    event_kind: str
    enabled: bool


def test_every_kind_that_is_told_of_is_known_and_so_are_the_watchdogs() -> None:
    assert set(EventKind) <= set(KNOWN_KINDS)
    assert known_kind("ISSUE_STALLED") == known_kind(" issue-stalled ") == "ISSUE_STALLED"


@pytest.mark.parametrize(
    ("given", "told"), [("ISSUE_STALED", "ISSUE_STALLED"), ("42", "There are: AGENT_ASSIGNED, ")]
)
def test_an_unknown_kind_is_told_what_it_could_be(given: str, told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        known_kind(given)

    assert told in str(refused.value.issues)


def test_preferences_of_a_kind_are_side_by_side() -> None:
    here, everywhere = Said("B", enabled=True), Said("B", enabled=False)
    only_here, only_everywhere = Said("C", enabled=True), Said("A", enabled=True)

    both = by_kind([here, only_here], [everywhere, only_everywhere])

    assert [*both.items()] == [
        ("A", (None, only_everywhere)),
        ("B", (here, everywhere)),
        ("C", (only_here, None)),
    ]
