"""Which of several calls counts, and who is there to hear it."""

import pytest

from forge.contract.terms import EngagementMode
from forge.testing.builders import an_agent
from forge.testing.clock import NOON
from forge.work.issues.runs.runs import EngagementSource
from forge.work.issues.runs.waking import Reason, WakeCall, strongest, those_who_hear

DISCUSS = (EngagementMode.DISCUSS, EngagementSource.SURFACE_DEFAULT)
ONE, TWO = an_agent("one"), an_agent("two")


def call(reason: Reason = Reason.WATCHING, agent_id: str = ONE.id, *, is_fresh: bool = False) -> WakeCall:
    return WakeCall(agent_id, reason, DISCUSS, is_fresh=is_fresh)


def test_nobody_is_called_by_events_that_call_nobody() -> None:
    assert strongest([("first", []), ("second", [])]) == []


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        (Reason.WATCHING, Reason.MENTIONED),
        (Reason.WATCHING, Reason.ASSIGNED),
        (Reason.MENTIONED, Reason.ASSIGNED),
    ],
)
def test_of_several_reasons_the_strongest_counts_with_its_event(weaker: Reason, stronger: Reason) -> None:
    expected = [("strong", call(stronger))]

    assert strongest([("weak", [call(weaker)]), ("strong", [call(stronger)])]) == expected
    assert strongest([("strong", [call(stronger)]), ("weak", [call(weaker)])]) == expected
    assert strongest([("strong", [call(weaker), call(stronger)])]) == expected


@pytest.mark.parametrize("reason", Reason)
def test_of_equal_reasons_the_first_counts(reason: Reason) -> None:
    found = strongest([("first", [call(reason)]), ("second", [call(reason, is_fresh=True)])])

    assert found == [("first", call(reason))]


def test_each_agent_is_called_once_in_the_order_in_which_they_are_first_called() -> None:
    of_two = call(agent_id=TWO.id)

    found = strongest([("first", [of_two, call()]), ("second", [call(Reason.MENTIONED), of_two])])

    assert found == [("first", of_two), ("second", call(Reason.MENTIONED))]


def hears(
    given: WakeCall, *, is_there: bool = True, is_archived: bool = False, caller_id: str | None
) -> bool:
    agent = an_agent("one", archived_at=NOON if is_archived else None) if is_there else None
    return bool(those_who_hear([("event", given)], {ONE.id: agent}, caller_id=caller_id))


@pytest.mark.parametrize("caller_id", [None, TWO.id])
@pytest.mark.parametrize("reason", Reason)
def test_an_agent_hears_what_others_do(reason: Reason, caller_id: str | None) -> None:
    assert hears(call(reason), caller_id=caller_id)


@pytest.mark.parametrize("reason", Reason)
def test_an_agent_does_not_hear_what_it_does_itself_unless_it_gives_itself_the_work(reason: Reason) -> None:
    assert not hears(call(reason), caller_id=ONE.id)
    assert hears(call(reason, is_fresh=True), caller_id=ONE.id)


@pytest.mark.parametrize("is_fresh", [True, False])
@pytest.mark.parametrize("caller_id", [None, ONE.id])
def test_an_agent_that_is_archived_or_gone_hears_nothing(is_fresh: bool, caller_id: str | None) -> None:
    given = call(Reason.ASSIGNED, is_fresh=is_fresh)

    assert not hears(given, is_archived=True, caller_id=caller_id)
    assert not hears(given, is_there=False, caller_id=caller_id)


def test_an_agent_that_nobody_looked_for_is_not_taken_for_one_that_is_gone() -> None:
    with pytest.raises(KeyError):
        those_who_hear([("event", call())], {}, caller_id=None)
