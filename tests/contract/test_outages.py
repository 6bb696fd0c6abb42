"""When the table stays out of reach, the answer says so, and trying again completes the call once."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from forge.contract.tools import AnyTool
from forge.deadline import CALL_SECONDS
from forge.errors import WIRE, ErrorCode
from forge.testing.faults import Fault, FaultAt
from forge.testing.instruments import Parameters, Send, Sent
from forge.wire.http import Response
from tests.contract.calls import CHANGING, samples_of
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
OVERTAKEN = "others are always faster"
TROUBLES: Mapping[str, Callable[[Rehearsal], Handle]] = {
    THROTTLED: lambda rehearsal: Outage(Fault.THROTTLED, of_everything=False),
    LOST: lambda rehearsal: Outage(Fault.ANSWER_LOST, of_everything=True),
    OVERTAKEN: lambda rehearsal: Overtaking(rehearsal.store, times=FOREVER),
}

SOON = 0.1
"""How long a call has in which it really waits for its turn; what waits for the table waits for nothing."""

OUTAGES_BY_CONTRACT = {"LOCK_ACQUISITION_FAILED", "LOCK_WRITE_FAILED"}
CHANGING_TOOLS = list({one.tool.name: one.tool for one in CHANGING}.values())


def samples_in_trouble(tool: AnyTool, rehearse: Rehearse) -> list[Sample]:
    """The first of a tool, and those that do more than one transaction holds."""
    first, *others = [one for one in samples_of(tool.name) if one in CHANGING]
    return [first, *(one for one in others if len(commits(rehearse(one))) > 1)]


def commits(rehearsal: Rehearsal) -> list[Sent]:
    return [sent for sent in rehearsal.requests if sent.operation == COMMIT]


@pytest.mark.parametrize("tool", CHANGING_TOOLS, ids=str)
def test_an_answer_is_true_whatever_the_trouble_and_trying_again_completes_the_call_once(
    tool: AnyTool, rehearse: Rehearse
) -> None:
    for sample in samples_in_trouble(tool, rehearse):
        rehearsal = rehearse(sample)
        for trouble, begin in TROUBLES.items():
            rehearsal.rewind()

            rehearsal.world.seconds = SOON if trouble == OVERTAKEN else CALL_SECONDS
            answer, held = rehearsal.call(begin(rehearsal)), rehearsal.held()
            rehearsal.world.seconds = CALL_SECONDS
            last_answer = rehearsal.call_until_decided()

            happened = rehearsal.has_happened(held, ignoring=VERSIONS, when=trouble)
            assert_true(answer, happened=happened, trouble=trouble)
            rehearsal.assert_done_once(
                last_answer, rehearsal.held(), ignoring=VERSIONS, when=f"again, after {trouble}"
            )


def told(answer: Response) -> dict[str, Any]:
    """As every tool tells it; of a contract that has words of its own for an outage, what they mean."""
    error: dict[str, Any] = json.loads(answer.body)
    if error.get("code") not in OUTAGES_BY_CONTRACT:
        return error
    return {"error": ErrorCode.UNAVAILABLE.value, **error["details"]}


def assert_true(answer: Response, *, happened: bool, trouble: str) -> None:
    """It says what happened, and an outage is not mistaken for a conflict."""
    if answer.status == 200:
        assert happened, trouble
        assert trouble != THROTTLED
        return
    error = told(answer)
    expected = (
        {ErrorCode.UNAVAILABLE} if trouble == THROTTLED else {ErrorCode.UNAVAILABLE, ErrorCode.CONFLICT}
    )
    assert error["error"] in expected, trouble
    assert answer.status == WIRE[ErrorCode(error["error"])].http_status, trouble
    assert error["retryable"] is True, trouble
    assert not happened or trouble == LOST
