"""When the table stays out of reach, the answer says so, and trying again completes the call once."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest

from forge.errors import ErrorCode
from forge.testing.faults import Fault, FaultAt
from forge.testing.instruments import Parameters, Send
from forge.wire.http import Response
from tests.contract.calls import CHANGING, every_changing_sample
from tests.contract.dumps import Dump
from tests.contract.rehearsals import COMMIT, VERSIONS, Handle, Overtaking, Rehearsal, Rehearse
from tests.contract.stage import Sample

FOREVER = 1_000_000


class Outage:
    """From the first transaction on, requests fail in the same way: transactions alone, or all of them."""

    def __init__(self, fault: Fault, *, of_everything: bool) -> None:
        self._failing = FaultAt(fault, position=0, times=FOREVER)
        self._of_everything = of_everything
        self._has_begun = False

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        self._has_begun |= operation == COMMIT
        if operation == COMMIT or (self._of_everything and self._has_begun):
            return self._failing(operation, parameters, send)
        return send(**parameters)


TROUBLES: Mapping[str, Callable[[Rehearsal], Handle]] = {
    "every transaction is throttled": lambda rehearsal: Outage(Fault.THROTTLED, of_everything=False),
    "every answer is lost": lambda rehearsal: Outage(Fault.ANSWER_LOST, of_everything=True),
    "others are always faster": lambda rehearsal: Overtaking(rehearsal.store, times=FOREVER),
}


class Outcome(NamedTuple):
    rehearsal: Rehearsal
    answer: Response
    held: Dump
    last_answer: Response
    held_at_last: Dump


Outcomes = Mapping[tuple[Sample, str], Outcome]


@pytest.fixture(scope="module")
def outcomes(rehearse: Rehearse) -> Outcomes:
    """All at the same time, because patience takes seconds."""

    def endure(sample: Sample) -> list[tuple[tuple[Sample, str], Outcome]]:
        rehearsal = rehearse(sample)
        found = []
        for trouble, begin in TROUBLES.items():
            rehearsal.rewind()
            answer, held = rehearsal.call(begin(rehearsal)), rehearsal.held()
            last_answer, held_at_last = rehearsal.call_until_decided(), rehearsal.held()
            outcome = Outcome(rehearsal, answer, held, last_answer, held_at_last)
            found.append(((sample, trouble), outcome))
        return found

    with ThreadPoolExecutor(len(CHANGING)) as pool:
        return dict(one for found in pool.map(endure, CHANGING) for one in found)


every_trouble = pytest.mark.parametrize("trouble", TROUBLES)


@every_changing_sample
@every_trouble
def test_an_answer_is_true_whatever_the_trouble(sample: Sample, trouble: str, outcomes: Outcomes) -> None:
    outcome = outcomes[sample, trouble]

    happened = outcome.rehearsal.has_happened(outcome.held, ignoring=VERSIONS)
    if outcome.answer.status == 200:
        assert happened
        return
    error = json.loads(outcome.answer.body)
    assert error["error"] in (ErrorCode.UNAVAILABLE, ErrorCode.CONFLICT)
    assert error["retryable"] is True
    assert not happened or trouble == "every answer is lost"


@every_changing_sample
@every_trouble
def test_trying_again_completes_a_call_once(sample: Sample, trouble: str, outcomes: Outcomes) -> None:
    outcome = outcomes[sample, trouble]

    outcome.rehearsal.assert_done_once(outcome.last_answer, outcome.held_at_last, ignoring=VERSIONS)


@every_changing_sample
def test_an_outage_is_not_mistaken_for_a_conflict(sample: Sample, outcomes: Outcomes) -> None:
    answer = outcomes[sample, "every transaction is throttled"].answer

    assert answer.status == 503
    assert json.loads(answer.body)["error"] == ErrorCode.UNAVAILABLE
