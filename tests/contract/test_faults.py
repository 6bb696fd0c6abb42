"""Whatever fails on the way, a change happens once and completely or not at all, and the answer is true."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.wire.http import Response
from tests.contract.calls import CHANGING, every_changing_sample, samples_of
from tests.contract.dumps import changes
from tests.contract.rehearsals import COMMIT, VERSIONS, Overtaking, Rehearsal, Rehearse, Switch, pass_on
from tests.contract.stage import Sample

PASSING = [fault for fault in Fault if fault not in (Fault.CRASHED, Fault.CRASHED_AFTER)]

# A request that did not happen is repeated by the store, whatever asked for it: one tool of each namespace
# shows that. One that did happen and whose answer was lost is every tool's own matter.
SHOWING_REPETITION = {sample.tool.namespace: sample for sample in reversed(CHANGING)}.values()


def places(rehearsal: Rehearsal, rehearse: Rehearse) -> list[int]:
    """Where a call can fail in a way of its own: at each write, and at each kind of read that its tool makes.

    To read one thing or another leaves the same behind, so that the first sample which does shows it.
    """
    sample, requests = rehearsal.sample, rehearsal.requests
    if sample in SHOWING_REPETITION:
        return [*range(len(requests))]
    variants = samples_of(sample.tool.name)
    known = {sent.operation for one in variants[: variants.index(sample)] for sent in rehearse(one).requests}
    found = []
    for place, sent in enumerate(requests):
        if sent.operation == COMMIT or (sent.operation not in known and not sent.is_authentication):
            found.append(place)
            known.add(sent.operation)
    return found


def passing_faults(rehearsal: Rehearsal, rehearse: Rehearse) -> Iterator[FaultAt]:
    faults = PASSING if rehearsal.sample in SHOWING_REPETITION else [Fault.ANSWER_LOST]
    for place in places(rehearsal, rehearse):
        yield from (FaultAt(fault, place) for fault in faults)


def crashes(rehearsal: Rehearsal, rehearse: Rehearse) -> Iterator[FaultAt]:
    """After each request, and before the first of all.

    Dying before any other leaves the table as dying after the one that it follows. Only before a commit
    something else may have been written meanwhile: a long text.
    """
    for place in places(rehearsal, rehearse):
        if place == 0 or rehearsal.requests[place].operation == COMMIT:
            yield FaultAt(Fault.CRASHED, place)
        yield FaultAt(Fault.CRASHED_AFTER, place)


def described(failing: FaultAt, rehearsal: Rehearsal) -> str:
    operation = rehearsal.requests[failing.position].operation
    return f"{rehearsal.sample}: {failing.fault}, request {failing.position} ({operation})"


@every_changing_sample
def test_nobody_notices_that_one_request_failed(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)

    for failing in passing_faults(rehearsal, rehearse):
        when = described(failing, rehearsal)
        rehearsal.rewind()

        answer = rehearsal.call(failing)

        assert failing.was_hit, when
        rehearsal.assert_done_once(answer, rehearsal.held(), when=when)


@pytest.mark.parametrize("fault", PASSING)
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
def test_a_call_that_died_is_completed_by_its_repetition(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)

    for failing in crashes(rehearsal, rehearse):
        when = described(failing, rehearsal)
        rehearsal.rewind()
        # Nobody dies of a request that was refused: then the call is finished, and this repeats it.
        with suppress(ProcessDied):
            rehearsal.call(failing)
        rehearsal.has_happened(rehearsal.held(), when=when)

        answer = rehearsal.call()

        assert failing.was_hit, when
        rehearsal.assert_done_once(answer, rehearsal.held(), when=when)


@every_changing_sample
def test_a_lost_answer_has_no_second_effect_even_without_an_idempotency_key(
    sample: Sample, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)
    commits = [place for place, sent in enumerate(rehearsal.requests) if sent.operation == COMMIT]

    for position in commits:
        rehearsal.rewind()

        answer = rehearsal.call(FaultAt(Fault.ANSWER_LOST, position), is_repeatable=False)

        assert answer.status == 200, (position, answer.body)
        assert rehearsal.has_happened(rehearsal.held(), when=f"request {position}"), position


@every_changing_sample
def test_a_refusal_that_was_lost_is_the_same_refusal_again(sample: Sample, rehearse: Rehearse) -> None:
    """What was done once is refused the second time, by most tools that can be refused for what is there."""
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    rehearsal.call()
    done, used = rehearsal.held(), Counter()
    refusal = rehearsal.call(used, is_repeatable=False)
    if refusal.status == 200:
        return

    for position, sent in enumerate(used.sent):
        lost = FaultAt(Fault.ANSWER_LOST, position)
        answer = rehearsal.call(lost, is_repeatable=False)

        assert lost.was_hit, sent.operation
        assert (answer.status, told(answer)) == (refusal.status, told(refusal)), sent.operation
        assert changes(done, rehearsal.held()) == [], sent.operation


def told(refusal: Response) -> dict[str, Any]:
    return {name: one for name, one in json.loads(refusal.body).items() if name != "requestId"}


@pytest.mark.parametrize(("tool", "status"), [("labels.create", 409), ("labels.delete", 404)])
def test_some_tools_are_refused_what_they_did_already(tool: str, status: int, rehearse: Rehearse) -> None:
    """Otherwise the test above would show nothing."""
    rehearsal = rehearse(samples_of(tool)[0])
    rehearsal.rewind()
    rehearsal.call()

    assert rehearsal.call(is_repeatable=False).status == status


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
