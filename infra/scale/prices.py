"""What calls of the agents' mix cost, all services together, by MCP."""

from dataclasses import dataclass

from infra import costs
from infra.scale import services
from infra.scale.recorded import Task, Tool
from infra.scale.services import Resources
from infra.stack.functions import DISPATCH, RELAY, ROUTER, WORDS

_LINES_OF_A_CALL = 5
"""Two of each function that it passes, and one of the API."""
_REQUESTS_OF_A_BATCH = 3
"""Sent, taken, deleted."""


@dataclass(frozen=True, slots=True)
class Price:
    """In dollars, of one task."""

    tables: float
    functions: float
    requests: float
    queues: float
    logs: float

    @property
    def together(self) -> float:
        return self.tables + self.functions + self.requests + self.queues + self.logs


def price_of(task: Task, resources: Resources) -> Price:
    return Price(
        tables=task.written * costs.WRITE + task.read * costs.READ,
        functions=sum(_call(name, one, resources) for name, one in task.tools.items())
        + sum(_worker(name, one, resources) for name, one in _workers(task).items()),
        requests=task.calls * costs.REQUEST,
        queues=sum(_queue(task, name) for name in task.messages),
        logs=task.calls * _LINES_OF_A_CALL * costs.LINES_OF_LAMBDA * costs.LOGGED_BYTE,
    )


def _workers(task: Task) -> dict[str, Tool]:
    return {RELAY: task.relay, WORDS: task.words, DISPATCH: task.dispatch}


def _call(name: str, tool: Tool, resources: Resources) -> float:
    folders = (ROUTER, name.partition(".")[0])
    memory = sum(costs.memory_of(resources, folder) for folder in folders)
    seconds = services.seconds_of(tool) * tool.calls
    return seconds * memory * costs.GIGABYTE_SECOND + 2 * tool.calls * costs.LAMBDA_CALL


def _worker(name: str, tool: Tool, resources: Resources) -> float:
    """An invocation for each task is more than there are where much is done."""
    return (
        services.seconds_of(tool) * costs.memory_of(resources, name) * costs.GIGABYTE_SECOND
        + costs.LAMBDA_CALL
    )


def _queue(task: Task, name: str) -> float:
    each = costs.SQS_FIFO if services.is_fifo(name) else costs.SQS
    return services.send_requests(task, task.marks, name) * _REQUESTS_OF_A_BATCH * each
