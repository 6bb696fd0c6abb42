"""The state machines in the embedded AWS, deployed but for their time-outs, and who tends them."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from forge.store.connections import Connections
from forge.store.executions import Executions
from forge.store.physical import MACHINES
from forge.store.queues import Received
from forge.store.store import Store
from forge.work.background.waits import tending
from forge.work.background.waits.tending import Matters
from forge.work.workspace.workers import Worker
from infra.stack.machines import definition

_ROLE = "arn:aws:iam::000000000000:role/machines"
_LONGEST_WAIT = 20
"""Seconds until a message must have come."""


def with_machines(store: Store, connections: Connections, *, timeout_seconds: int) -> Store:
    """The same store with every machine, each of whose stages lasts so long."""
    url = connections.sqs().get_queue_url(QueueName=f"{store.table.name}-waits")["QueueUrl"]
    arns = {}
    for name in MACHINES:
        text = json.dumps(_hasty(definition(name), timeout_seconds))
        text = text.replace("${WaitsQueueUrl}", url).replace("${AWS::Partition}", "aws")
        made = connections.stepfunctions().create_state_machine(
            name=f"{store.table.name}-{name}-{timeout_seconds}", definition=text, roleArn=_ROLE
        )
        arns[name] = made["stateMachineArn"]
    return replace(store, executions=Executions(arns, connections.stepfunctions))


def _hasty(document: dict[str, Any], timeout_seconds: int) -> dict[str, Any]:
    for state in document["States"].values():
        if "TimeoutSeconds" in state:
            state["TimeoutSeconds"] = timeout_seconds
    return document


class Attendant:
    """Takes what comes on the queue of waits, one message after the other."""

    def __init__(
        self, store: Store, matters: Matters, now: Callable[[], datetime], new_id: Callable[[str], str]
    ) -> None:
        self.store = store
        self._matters = matters
        self._now = now
        self._new_id = new_id

    def take(self) -> str:
        """Act on the next message; which stage it was about, or nothing where it says only to look."""
        message = self._next()
        self.act(message.body)
        self.store.queues.delete("waits", message)
        return str(json.loads(message.body).get("stage", ""))

    def take_until(self, stage: str) -> list[str]:
        taken = [self.take()]
        while taken[-1] != stage:
            taken.append(self.take())
        return taken

    def act(self, text: str) -> None:
        tending.consume(Worker(self.store, self._now, self._new_id, "waits"), text, self._matters)

    def _next(self) -> Received:
        answer = self.store.queues.client.receive_message(
            QueueUrl=self.store.queues.urls["waits"], MaxNumberOfMessages=1, WaitTimeSeconds=_LONGEST_WAIT
        )
        (message,) = answer["Messages"]
        return Received(message["Body"], message["ReceiptHandle"])

    def executions(self, machine: str) -> list[str]:
        """How each execution of a machine stands, the newest first."""
        arn = self.store.executions._machines[machine]
        listed = self.store.executions.client.list_executions(stateMachineArn=arn)["executions"]
        return [str(one["status"]) for one in listed]

    def ended_with(self, machine: str) -> Any:
        """What the newest execution was told, once it is over."""
        client = self.store.executions.client
        listed = client.list_executions(stateMachineArn=self.store.executions._machines[machine])
        described = client.describe_execution(executionArn=listed["executions"][0]["executionArn"])
        while described["status"] == "RUNNING":
            described = client.describe_execution(executionArn=described["executionArn"])
        return described["status"], json.loads(described["output"]).get("answer")
