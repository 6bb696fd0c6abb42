"""A changing call that is made again and again on the same table, with something going wrong each time."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from forge.contract.names import camel_case
from forge.store.store import Store
from forge.testing.clock import FakeIds
from forge.testing.instruments import Counter, Parameters, Send, Sent, SkippedTime, watched
from forge.testing.keepers import StoreKeeper
from forge.testing.world import World
from forge.wire.http import Response
from tests.contract.dumps import Dump, changes, comparable, dump, restore, without_unfound
from tests.contract.stage import Ready, Sample, Stage, prepare

Rehearse = Callable[[Sample], "Rehearsal"]
Handle = Callable[[str, Parameters, Send], dict[str, Any]]

COMMIT = "TransactWriteItems"
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
        self._store.table.client.ask(
            "UpdateItem",
            {
                "TableName": self._store.table.name,
                "Key": {"pk": place["pk"], "sk": place["sk"]},
                "UpdateExpression": "ADD version :one",
                "ExpressionAttributeValues": {":one": {"N": "1"}},
            },
        )


class Rehearsal:
    """Knows how the call ends when nothing goes wrong, and sets the table back to where it began."""

    def __init__(self, sample: Sample, store: Store, *, ids: FakeIds | None = None) -> None:
        self.sample = sample
        self.store = store
        self._switch = Switch()
        self.world = World(store=watched(store, self._switch, SkippedTime()), ids=ids)
        self.stage = Stage(self.world)
        self._be_heard_of()
        self.ready = prepare(sample, self.stage)
        first_of_the_minute = self._begin_the_minute()
        self.start = dump(store)
        self.last_id = self.world.ids.last
        self.used = Counter()
        self.answer = self.call(self.used)
        assert self.answer.status == 200, self.answer.body
        self.end = self.held()
        self.line = self.world.log[-1]
        self.authentications = [first_of_the_minute, self.used.authentications]

    def _be_heard_of(self) -> None:
        """As if a webhook heard of everything: that is dearest."""
        assert isinstance(self.world.keeper, StoreKeeper)
        tx = self.world.keeper.begin(self.world.workspace.id)
        tx.replace(self.world.workspace.changed(heard=None))
        self.store.commit(tx)

    @property
    def requests(self) -> list[Sent]:
        return self.used.sent

    def call(self, handle: Handle = pass_on, *, is_repeatable: bool = True) -> Response:
        """Make the call, with all its requests passing through a handle."""
        self._switch.handle = handle
        try:
            return self.ready.send(self.world, idempotency_key=IDEMPOTENCY_KEY if is_repeatable else None)
        finally:
            self._switch.handle = pass_on

    def asked(self, ready: Ready) -> tuple[Response, Counter]:
        """Another call on this table, and what it asked for."""
        used = self._switch.handle = Counter()
        answer = ready.send(self.world)
        self._switch.handle = pass_on
        return answer, used

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
        return dump(self.store)

    def rewind(self) -> None:
        restore(self.store, self.start, present=self.held())

    def assert_done_once(
        self, answer: Response, held: Dump, *, ignoring: frozenset[str] = frozenset(), when: str = ""
    ) -> None:
        """It says and left behind what it does when nothing goes wrong."""
        assert answer.status == 200, (when, answer.body)
        assert self._effects(held, self._told(answer), ignoring) == self._done(ignoring), when

    def has_happened(self, held: Dump, *, ignoring: frozenset[str] = frozenset(), when: str = "") -> bool:
        """Whether everything did; an AssertionError when it is neither everything nor nothing.

        Records for the next try are not part of it: a call that was cut off may have left one or not.
        """
        effects = self._effects(_without_records(held), None, ignoring)
        nothing, everything = self._effects(self.start, None, ignoring), self._everything(ignoring)
        assert effects in (nothing, everything), when
        return bool(effects == everything)

    @cache  # noqa: B019 - there are few of them, and they live as long as the tests
    def _done(self, ignoring: frozenset[str]) -> Any:
        return self._effects(self.end, self._told(self.answer), ignoring)

    @cache  # noqa: B019 - as above
    def _everything(self, ignoring: frozenset[str]) -> Any:
        return self._effects(_without_records(self.end), None, ignoring)

    def _effects(self, held: Dump, told: object, ignoring: frozenset[str]) -> Any:
        found = changes(self.start, without_unfound(held), ignoring=ignoring)
        return comparable(found, told, newer_than=self.last_id)

    def _begin_the_minute(self) -> int:
        """So that a call authenticates with one request and not with more; how many the first one took."""
        requests = self._switch.handle = Counter()
        assert self.world.rest("no such tool", key=self.ready.key).status == 404
        self._switch.handle = pass_on
        return requests.authentications

    def _told(self, answer: Response) -> dict[str, Any]:
        """What was answered; what is shown once may be there or not."""
        body: dict[str, Any] = json.loads(answer.body)
        return body | {camel_case(name): "shown once" for name in self.sample.tool.secrets}


def _without_records(held: Dump) -> Dump:
    return {place: item for place, item in held.items() if "#IDEMPOTENCY#" not in place[0]}
