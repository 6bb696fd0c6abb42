"""Step Functions: executions that wait for somebody, each for as long as its definition says."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from forge.jsontext import encode_ascii
from forge.store.answers import Refused
from forge.store.botocore_calls import in_our_words
from forge.store.failures import patiently

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

_STARTED_BEFORE = "ExecutionAlreadyExists"
_NOBODY_WAITS = frozenset({"TaskDoesNotExist", "TaskTimedOut", "InvalidToken"})


class Executions:
    """ARNs of state machines come by the short names of `physical.MACHINES`; without any, nobody waits."""

    def __init__(self, machines: Mapping[str, str], connect: Callable[[], "SFNClient"]) -> None:
        self._machines = machines
        self._connect = connect

    @cached_property
    def client(self) -> "SFNClient":
        return self._connect()

    @property
    def are_there(self) -> bool:
        return bool(self._machines)

    def start(self, machine: str, name: str, given: Mapping[str, object]) -> bool:
        """Start an execution; False where one of this name was started before."""
        arn, text = self._machines[machine], encode_ascii(dict(given))
        try:
            patiently(
                in_our_words(lambda: self.client.start_execution(stateMachineArn=arn, name=name, input=text))
            )
        except Refused as refusal:
            if refusal.code != _STARTED_BEFORE:
                raise
            return False
        return True

    def complete(self, token: str, output: Mapping[str, object]) -> bool:
        """Tell a task that waits what came of it; False where nothing waits with this token any more."""
        text = encode_ascii(dict(output))
        try:
            patiently(in_our_words(lambda: self.client.send_task_success(taskToken=token, output=text)))
        except Refused as refusal:
            if refusal.code not in _NOBODY_WAITS:
                raise
            return False
        return True


def no_executions() -> Executions:
    """Where nothing waits in Step Functions: for whoever has no use for it, and on one machine."""

    def refuse() -> "SFNClient":
        raise LookupError("there are no state machines here")

    return Executions({}, refuse)
