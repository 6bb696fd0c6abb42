"""Step Functions that refuse: what was settled before is no failure, and anything else is."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from forge.store.answers import Refused
from forge.store.executions import Executions, no_executions


class Refusing:
    """Step Functions that have one answer to everything."""

    def __init__(self, code: str) -> None:
        self._refusal: Any = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": 400}}

    def start_execution(self, **asked: str) -> None:
        raise ClientError(self._refusal, "StartExecution")

    def send_task_success(self, **asked: str) -> None:
        raise ClientError(self._refusal, "SendTaskSuccess")


def refusing(code: str) -> Executions:
    return Executions({"wait": "arn:wait"}, lambda: Refusing(code))  # type: ignore[arg-type,return-value]  # a fake


def test_what_was_started_before_and_what_nobody_waits_for_any_more_is_no_failure() -> None:
    assert refusing("ExecutionAlreadyExists").start("wait", "one", {}) is False
    assert refusing("TaskTimedOut").complete("token", {}) is False


def test_any_other_refusal_is_one() -> None:
    with pytest.raises(Refused):
        refusing("StateMachineDoesNotExist").start("wait", "one", {})
    with pytest.raises(Refused):
        refusing("AccessDeniedException").complete("token", {})


def test_where_there_are_no_machines_nobody_connects() -> None:
    nothing = no_executions()

    assert not nothing.are_there
    with pytest.raises(LookupError):
        nothing.complete("token", {})
