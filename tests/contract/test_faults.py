"""Whatever fails on the way, a change happens once and completely or not at all, and the answer is true."""

from contextlib import suppress

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import watched
from forge.testing.world import World
from tests.contract.calls import CHANGING, every_changing_sample
from tests.contract.rehearsals import COMMIT, VERSIONS, Overtaking, Rehearse, Switch, pass_on
from tests.contract.stage import Sample

CRASHES = (Fault.CRASHED, Fault.CRASHED_AFTER)
PASSING = [one for one in Fault if one not in CRASHES]
every_passing_fault = pytest.mark.parametrize("fault", PASSING)
every_crash = pytest.mark.parametrize("fault", CRASHES)

# A request that did not happen is repeated by the store, whatever asked for it: one tool of each namespace
# shows that. One that did happen and whose answer was lost is every tool's own matter.
REPEATED = [
    (sample, fault)
    for place, sample in enumerate(CHANGING)
    for fault in PASSING
    if fault is Fault.ANSWER_LOST
    or sample.tool.namespace not in {one.tool.namespace for one in CHANGING[:place]}
]


@pytest.mark.parametrize(("sample", "fault"), REPEATED, ids=str)
def test_nobody_notices_that_one_request_failed(sample: Sample, fault: Fault, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)

    for position in range(len(rehearsal.requests)):
        rehearsal.rewind()
        failing = FaultAt(fault, position)

        answer = rehearsal.call(failing)

        assert failing.was_hit
        rehearsal.assert_done_once(answer, rehearsal.held())


@every_passing_fault
def test_the_first_call_of_a_minute_survives_a_failed_request(fault: Fault, store: Store) -> None:
    switch = Switch()
    world = World(store=watched(store, switch))

    for position in (0, 1):
        key = world.a_key()
        failing = switch.handle = FaultAt(fault, position)

        answer = world.rest("workspace.get", key=key)

        switch.handle = pass_on
        assert failing.was_hit
        assert answer.status == 200, answer.body


@every_changing_sample
@every_crash
def test_a_call_that_died_is_completed_by_its_repetition(
    sample: Sample, fault: Fault, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)

    for position in range(len(rehearsal.requests)):
        rehearsal.rewind()
        failing = FaultAt(fault, position)
        # Nobody dies of a request that was refused: then the call is finished, and this repeats it.
        with suppress(ProcessDied):
            rehearsal.call(failing)
        rehearsal.has_happened(rehearsal.held())

        answer = rehearsal.call()

        assert failing.was_hit
        rehearsal.assert_done_once(answer, rehearsal.held())


@every_changing_sample
def test_a_lost_answer_has_no_second_effect_even_without_an_idempotency_key(
    sample: Sample, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)
    commits = [place for place, sent in enumerate(rehearsal.requests) if sent.operation == COMMIT]

    for position in commits:
        rehearsal.rewind()

        answer = rehearsal.call(FaultAt(Fault.ANSWER_LOST, position), is_repeatable=False)

        assert answer.status == 200, answer.body
        assert rehearsal.has_happened(rehearsal.held())


@every_changing_sample
def test_a_repeated_call_gets_the_first_answer_and_changes_nothing(
    sample: Sample, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    rehearsal.call()

    answer = rehearsal.call()

    rehearsal.assert_done_once(answer, rehearsal.held())


@every_changing_sample
def test_a_call_that_was_overtaken_decides_again(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()

    answer = rehearsal.call(Overtaking(rehearsal.store))

    rehearsal.assert_done_once(answer, rehearsal.held(), ignoring=VERSIONS)
