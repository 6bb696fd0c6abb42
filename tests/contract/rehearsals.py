"""A changing call that is made again and again on the same table, with something going wrong each time."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from forge.contract.names import camel_case
from forge.store.store import Store
from forge.testing.instruments import Counter, Parameters, Send, Sent, watched
from forge.testing.world import World
from forge.wire.http import Response
from tests.contract.dumps import Dump, comparable, dump, restore
from tests.contract.stage import Sample, Stage, prepare

Rehearse = Callable[[Sample], "Rehearsal"]
Handle = Callable[[str, Parameters, Send], dict[str, Any]]

COMMIT = "transact_write_items"
VERSIONS = frozenset({"version"})
IDEMPOTENCY_KEY = "the same each time"
_MOST_TRIES = 5


class Switch:
    """Where requests pass through whatever is switched in."""

    def __init__(self) -> None:
        self.handle: Handle = pass_on

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        return self.handle(operation, parameters, send)


def pass_on(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
    return send(**parameters)


class Overtaking:
    """Somebody else changes what a transaction is about to replace, just before it does, so many times."""

    def __init__(self, store: Store, *, times: int = 1) -> None:
        self._store = store
        self._left = times

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        writes = [one for write in parameters.get("TransactItems", ()) for one in write.values()]
        versioned = [one for one in writes if ":seen" in one.get("ExpressionAttributeValues", ())]
        if versioned and self._left:
            self._left -= 1
            self._change(versioned[0])
        return send(**parameters)

    def _change(self, write: Mapping[str, Any]) -> None:
        place = write.get("Key") or write["Item"]
        self._store.table.client.update_item(
            TableName=self._store.table.name,
            Key={"pk": place["pk"], "sk": place["sk"]},
            UpdateExpression="ADD version :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )


class Rehearsal:
    """Knows how the call ends when nothing goes wrong, and sets the table back to where it began."""

    def __init__(self, sample: Sample, store: Store) -> None:
        self.sample = sample
        self.store = store
        self._switch = Switch()
        self.world = World(store=watched(store, self._switch))
        self.ready = prepare(sample, Stage(self.world))
        self._begin_the_minute()
        self.start = dump(store)
        self._held: Dump | None = None
        requests = Counter()
        self.answer = self.call(requests)
        assert self.answer.status == 200, self.answer.body
        self.requests: list[Sent] = requests.sent
        self.end = self.held()
        self.line = self.world.log[-1]

    def call(self, handle: Handle = pass_on, *, is_repeatable: bool = True) -> Response:
        """Make the call, with all its requests passing through a handle."""
        self._switch.handle, self._held = handle, None
        try:
            return self.ready.send(self.world, idempotency_key=IDEMPOTENCY_KEY if is_repeatable else None)
        finally:
            self._switch.handle = pass_on

    def call_until_decided(self) -> Response:
        """As somebody does who is told to try again, even by a machine that is too busy for its own tests."""
        answer = self.call()
        for _ in range(_MOST_TRIES):
            if not json.loads(answer.body).get("retryable"):
                break
            answer = self.call()
        return answer

    def held(self) -> Dump:
        """What the table holds now."""
        if self._held is None:
            self._held = dump(self.store)
        return self._held

    def rewind(self) -> None:
        restore(self.store, self.start, present=self.held())
        self._held = self.start

    def assert_done_once(
        self, answer: Response, held: Dump, *, ignoring: frozenset[str] = frozenset()
    ) -> None:
        """It says and left behind what it does when nothing goes wrong."""
        assert answer.status == 200, answer.body
        assert comparable(held, self._told(answer), ignoring=ignoring) == self._done(ignoring)

    def has_happened(self, held: Dump, *, ignoring: frozenset[str] = frozenset()) -> bool:
        """Whether everything did; an AssertionError when it is neither everything nor nothing.

        Records for the next try are not part of it: a call that was cut off may have left one or not.
        """
        effects = comparable(_without_records(held), ignoring=ignoring)
        nothing, everything = self._nothing_and_everything(ignoring)
        assert effects in (nothing, everything)
        return bool(effects == everything)

    @cache  # noqa: B019 - there are few of them, and they live as long as the tests
    def _done(self, ignoring: frozenset[str]) -> Any:
        return comparable(self.end, self._told(self.answer), ignoring=ignoring)

    @cache  # noqa: B019 - as above
    def _nothing_and_everything(self, ignoring: frozenset[str]) -> tuple[Any, Any]:
        start, end = _without_records(self.start), _without_records(self.end)
        return comparable(start, ignoring=ignoring), comparable(end, ignoring=ignoring)

    def _begin_the_minute(self) -> None:
        """So that a call authenticates with one request and not with two, which are the same for all."""
        assert self.world.rest("no such tool", key=self.ready.key).status == 404

    def _told(self, answer: Response) -> dict[str, Any]:
        """What was answered; what is shown once may be there or not."""
        body: dict[str, Any] = json.loads(answer.body)
        return body | {camel_case(name): "shown once" for name in self.sample.tool.secrets}


def _without_records(held: Dump) -> Dump:
    return {place: item for place, item in held.items() if "#IDEMPOTENCY#" not in place[0]}
