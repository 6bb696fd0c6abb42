"""When the table stays out of reach, the answer says so, and trying again completes the call once."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any, NamedTuple, TypeGuard

import pytest

from forge.deadline import CALL_SECONDS
from forge.errors import WIRE, ErrorCode
from forge.testing.faults import Fault, FaultAt
from forge.testing.instruments import Parameters, Send
from forge.wire.http import Response
from tests.contract.calls import every_changing_sample
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


THROTTLED, LOST = "every transaction is throttled", "every answer is lost"
TROUBLES: Mapping[str, Callable[[Rehearsal], Handle]] = {
    THROTTLED: lambda rehearsal: Outage(Fault.THROTTLED, of_everything=False),
    LOST: lambda rehearsal: Outage(Fault.ANSWER_LOST, of_everything=True),
    "others are always faster": lambda rehearsal: Overtaking(rehearsal.store, times=FOREVER),
}

PATIENCE_SECONDS = 8.0
"""Of a call in trouble: longer than the store tries, with all of them at once on a busy machine."""


class Outcome(NamedTuple):
    answer: Response
    held: Dump
    last_answer: Response
    held_at_last: Dump


Outcomes = Mapping[Sample, Mapping[str, Outcome]]


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, rehearse: Rehearse) -> Outcomes:
    """Of all that are tested, at the same time, because patience takes seconds."""
    items = [one for one in request.session.items if _is_of_this_module(one)]
    tested: list[Any] = [one.callspec.params["sample"] for one in items]

    def endure(sample: Sample) -> dict[str, Outcome]:
        rehearsal = rehearse(sample)
        rehearsal.pause = sleep
        found = {}
        for trouble, begin in TROUBLES.items():
            rehearsal.rewind()
            rehearsal.world.seconds = PATIENCE_SECONDS
            answer, held = rehearsal.call(begin(rehearsal)), rehearsal.held()
            rehearsal.world.seconds = CALL_SECONDS
            found[trouble] = Outcome(answer, held, rehearsal.call_until_decided(), rehearsal.held())
        return found

    with ThreadPoolExecutor(len(tested)) as pool:
        return dict(zip(tested, pool.map(endure, tested), strict=True))


def _is_of_this_module(item: pytest.Item) -> TypeGuard[pytest.Function]:
    return (
        isinstance(item, pytest.Function) and item.module.__name__ == __name__ and hasattr(item, "callspec")
    )


@every_changing_sample
def test_an_answer_is_true_whatever_the_trouble_and_trying_again_completes_the_call_once(
    sample: Sample, rehearse: Rehearse, outcomes: Outcomes
) -> None:
    rehearsal = rehearse(sample)

    for trouble, outcome in outcomes[sample].items():
        happened = rehearsal.has_happened(outcome.held, ignoring=VERSIONS, when=trouble)
        assert_true(outcome.answer, happened=happened, trouble=trouble)
        rehearsal.assert_done_once(
            outcome.last_answer, outcome.held_at_last, ignoring=VERSIONS, when=f"again, after {trouble}"
        )


def assert_true(answer: Response, *, happened: bool, trouble: str) -> None:
    """It says what happened, and an outage is not mistaken for a conflict."""
    if answer.status == 200:
        assert happened, trouble
        assert trouble != THROTTLED
        return
    error = json.loads(answer.body)
    expected = (
        {ErrorCode.UNAVAILABLE} if trouble == THROTTLED else {ErrorCode.UNAVAILABLE, ErrorCode.CONFLICT}
    )
    assert error["error"] in expected, trouble
    assert answer.status == WIRE[ErrorCode(error["error"])].http_status, trouble
    assert error["retryable"] is True, trouble
    assert not happened or trouble == LOST
