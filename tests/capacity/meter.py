"""Counts the units of each request, as DynamoDB would charge it, from what was stored before and after."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from forge.store.answers import TableAnswer
from forge.store.connections import Connections
from forge.store.dynamodb import Send
from forge.store.queues import Queues
from forge.testing.charges import Charge, item_at, of_reads, of_write, places_written
from forge.testing.embedded import embed_tables

_MANY_OF_A_KIND = frozenset(
    {"LOG", "TERM", "COUNT", "IDEMPOTENCY", "DELIVERIES", "QUEUE", "OUTBOX", "WATCHING"}
)


def kind_of(charge: Charge) -> str:
    """What it is, by the first words of its keys; the workspace's own name left out."""
    own = first_word(charge.partition)
    return own if own in _MANY_OF_A_KIND else f"{own} {charge.sort.partition('#')[0]}"


def first_word(partition: str) -> str:
    words = partition.split("#")
    return words[2] if words[0] == "WS" else words[0]


class Meter:
    """Tables in this process whose requests are charged."""

    def __init__(self, connections: Connections) -> None:
        self.connections = embed_tables(connections)
        assert self.connections.send is not None
        self._send: Send = self.connections.send
        self.connections.send = self
        self._charges: list[Charge] = []
        self._requests: Counter[str] = Counter()

    def __call__(self, operation: str, body: bytes) -> TableAnswer:
        request = json.loads(body)
        written = [*places_written(operation, request)]
        before = {place: item_at(place) for place in written}
        answer = self._send(operation, body)
        self._requests[operation] += 1
        is_transaction = operation == "TransactWriteItems"
        for place in written:
            charge = of_write(place, before[place], item_at(place), is_transaction=is_transaction)
            self._charges.append(charge)
        if not written:
            self._charges.extend(of_reads(operation, request, json.loads(answer.body)))
        return answer

    def taken(self) -> list[Charge]:
        """What was charged since this was last asked."""
        taken, self._charges = self._charges, []
        return taken

    def forget(self) -> None:
        self.taken()
        self.asked()

    def asked(self) -> Counter[str]:
        """How often each operation was asked for since this was last asked."""
        asked, self._requests = self._requests, Counter()
        return asked


class CountedQueues(Queues):
    """Queues that know how many messages each was sent."""

    def __init__(self, real: Queues) -> None:
        super().__init__(real.urls, lambda: real.client)
        self.sent: Counter[str] = Counter()

    def send(
        self,
        queue: str,
        message: Mapping[str, object],
        *,
        delay_seconds: int = 0,
        group: str | None = None,
    ) -> None:
        self.sent[queue] += 1
        super().send(queue, message, delay_seconds=delay_seconds, group=group)

    def send_all(
        self, queue: str, messages: Sequence[Mapping[str, object]], *, grouped_by: str | None = None
    ) -> None:
        self.sent[queue] += len(messages)
        super().send_all(queue, messages, grouped_by=grouped_by)
