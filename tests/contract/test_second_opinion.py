"""Every tool does on another engine what it does on the emulator's: two readings of what DynamoDB does.

The other one is moto, or whatever `--tables` names, such as Amazon's own.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from moto import mock_aws

from forge.contract.terms import Effect
from forge.contract.tools import AnyTool
from forge.store.connections import Connections
from forge.store.physical import table_definition
from forge.store.table import Table
from forge.testing.instruments import Parameters, Send
from forge.testing.mocked import mocked_connections
from tests.contract.calls import samples_of
from tests.contract.dumps import Dump
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import ALL_TOOLS

_MAX_BATCH = 25


@pytest.fixture(scope="session")
def lasting(pytestconfig: pytest.Config, served_connections: Connections) -> Connections:
    """Clients that outlive a mock: making them takes longer than most of what they are asked."""
    if pytestconfig.getoption("--tables"):
        return served_connections
    with mocked_connections() as connections:
        connections.dynamodb()
        return connections


@pytest.fixture
def others(lasting: Connections, pytestconfig: pytest.Config) -> Iterator[Connections]:
    with nullcontext() if pytestconfig.getoption("--tables") else mock_aws():
        yield lasting


class SecondOpinion:
    """A table elsewhere that begins with what a rehearsal began with, and answers in its stead."""

    def __init__(self, connections: Connections, name: str, start: Dump) -> None:
        self._all = connections.dynamodb()
        # Without a stream, which moto would copy for each transaction, too.
        definition = {part: value for part, value in table_definition().items() if "Stream" not in part}
        self._all.create_table(TableName=name, **definition)
        self._table = Table(name, connections.tables)
        puts: list[Any] = [{"PutRequest": {"Item": item}} for item in start.values()]
        for first in range(0, len(puts), _MAX_BATCH):
            self._all.batch_write_item(RequestItems={name: puts[first : first + _MAX_BATCH]})

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        answer: dict[str, Any] = self._table.client.ask(operation, parameters)
        return answer

    def held(self) -> Dump:
        pages = self._all.get_paginator("scan").paginate(TableName=self._table.name, ConsistentRead=True)
        items: list[Any] = [item for page in pages for item in page["Items"]]
        return {(item["pk"]["S"], item["sk"]["S"]): item for item in items}

    def end(self) -> None:
        """Moto copies all the tables that there are for each transaction."""
        self._all.delete_table(TableName=self._table.name)


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_a_tool_does_the_same_on_another_engine(
    tool: AnyTool, others: Connections, rehearse: Rehearse
) -> None:
    """Only the call itself runs there: setting every stage on moto would take minutes."""
    rehearsal = rehearse(samples_of(tool.name)[0])
    opinion = SecondOpinion(others, rehearsal.store.table.name, rehearsal.start)

    answer = rehearsal.call(opinion)
    held = rehearsal.end if tool.effect is Effect.READ_ONLY else opinion.held()

    opinion.end()
    rehearsal.assert_done_once(answer, held)
