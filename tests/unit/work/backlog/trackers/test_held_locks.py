"""Whose lock is on an issue, as whoever ends one is told."""

from datetime import timedelta

from forge.testing.builders import an_issue
from forge.testing.clock import NOON
from forge.work.backlog.trackers.native_changes import is_held_as, is_taken_over
from forge.work.issues.issues import IssueLock

_OWN = IssueLock(session_id="session", until=NOON, fence=1)
_OTHERS = (
    _OWN.model_copy(update={"session_id": "another"}),
    _OWN.model_copy(update={"fence": 2}),
    _OWN.model_copy(update={"until": NOON + timedelta(minutes=1)}),
)


def test_only_the_very_same_lock_is_ones_own() -> None:
    assert is_held_as(an_issue(lock=_OWN), _OWN)
    assert not is_taken_over(an_issue(lock=_OWN), _OWN)
    for other in _OTHERS:
        assert not is_held_as(an_issue(lock=other), _OWN)
        assert is_taken_over(an_issue(lock=other), _OWN)


def test_an_issue_without_a_lock_is_nobodys() -> None:
    assert not is_held_as(an_issue(lock=None), _OWN)
    assert not is_taken_over(an_issue(lock=None), _OWN)
    assert not is_held_as(an_issue(lock=None), None)
