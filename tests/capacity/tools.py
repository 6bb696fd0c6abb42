"""What a call of every tool costs: each sample of the contract tests, with ids as long as real ones."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from forge.store.blobs import Blobs
from forge.store.connections import Connections
from forge.store.physical import table_definition
from forge.store.provision import provision
from forge.store.secrets import Secrets
from forge.store.store import Store
from forge.store.table import Table
from forge.testing.charges import Charge, item_at, of_reads, of_write, places_written
from forge.testing.embedded import ask, embed_tables
from forge.testing.instruments import Parameters, Send
from tests.capacity.recording import LongIds
from tests.contract.calls import samples_of
from tests.contract.rehearsals import Rehearsal
from tests.contract.stage import ALL_TOOLS


class ToolCost(NamedTuple):
    """Of its first sample: authentication included, and nothing that happens after the answer."""

    tool: str
    written: float
    read: float


class Charging:
    """Stands where faults stand, and charges what passes."""

    def __init__(self) -> None:
        self.charges: list[Charge] = []

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        name = "".join(word.capitalize() for word in operation.split("_"))
        places = [*places_written(name, parameters)]
        before = {place: item_at(place) for place in places}
        answer = send(**parameters)
        is_transaction = name == "TransactWriteItems"
        for place in places:
            self.charges.append(of_write(place, before[place], item_at(place), is_transaction=is_transaction))
        if not places:
            self.charges += of_reads(name, parameters, answer)
        return answer


def every_tool(connections: Connections) -> Iterator[ToolCost]:
    embedded = embed_tables(connections)
    queues = provision(embedded, "tools").queues
    for number, name in enumerate(sorted(ALL_TOOLS)):
        table = f"tool-{number}"
        ask("CreateTable", {"TableName": table, **table_definition()})
        embedded.s3().create_bucket(Bucket=table)
        store = Store(
            Table(table, embedded.tables),
            Blobs(table, embedded.s3),
            queues,
            secrets=Secrets(embedded.secrets),
        )
        rehearsal = Rehearsal(samples_of(name)[0], store, ids=LongIds())
        rehearsal.rewind()
        charging = Charging()
        answer = rehearsal.call(charging, is_repeatable=False)
        assert answer.status == 200, (name, answer.body)
        ask("DeleteTable", {"TableName": table})
        charges = charging.charges
        yield ToolCost(name, sum(one.all_written for one in charges), sum(one.read for one in charges))
