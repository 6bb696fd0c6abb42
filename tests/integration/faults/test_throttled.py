"""One partition of one workspace has too few units: nothing is lost, and nobody else notices."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.store.table import Table
from forge.testing.instruments import SkippedTime
from forge.testing.throttling import Throttle
from forge.testing.world import World
from forge.wire.http import Response
from forge.wire.relaying import relay_handler
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.record.log.rows import LOG, OutboxItem
from forge.work.workspace.workspaces import WorkspaceItem
from tests.workshop.events import unsent
from tests.workshop.office import Office

CALLS = 8
OUTBOX = OutboxItem.stored.partition

_numbers = count(1)


@dataclass
class Deployment:
    throttle: Throttle
    time: SkippedTime
    store: Store
    hot: Office
    calm: Office

    def create_issues(self, office: Office) -> list[Response]:
        """One after the other, without waiting in between."""
        return [self.create(office, number) for number in range(CALLS)]

    def create(self, office: Office, number: int) -> Response:
        return office.send("issues.create", {"title": f"Issue {number}"}, idempotency_key=f"the {number}th")

    def titles(self, office: Office) -> list[str]:
        return sorted(row["title"] for row in office.rows("issues.list", {"limit": 50}))

    def relay(self) -> list[str]:
        """What Lambda does with the marks of the hot workspace; which of them are to come again."""
        marks = unsent(self.store, self.hot.workspace.id)
        shown = [
            {
                "eventName": "INSERT",
                "dynamodb": {"NewImage": mark.attributes(), "SequenceNumber": str(number)},
            }
            for number, mark in enumerate(marks)
        ]
        answer = relay_handler(lambda: self.hot.world.services)({"Records": shown}, None)
        return [one["itemIdentifier"] for one in answer["batchItemFailures"]]

    def sent(self) -> list[str]:
        """The events that wait at the dispatch queue, as often as they do."""
        found: list[str] = []
        while messages := self.store.queues.receive("dispatch", most=10):
            for message in messages:
                found.append(json.loads(message.body)["id"])
                self.store.queues.delete("dispatch", message)
        return sorted(found)


@pytest.fixture
def deployment(served_connections: Connections) -> Iterator[Deployment]:
    time = SkippedTime()
    throttle = Throttle(served_connections, lambda: time.skipped)
    made = provision(throttle.connections, f"throttled-{next(_numbers)}")
    table = Table(made.table.name, throttle.connections.tables, pause=time.pause, clock=time.clock)
    store = replace(made, table=table)
    world = World(store=store)
    found = Deployment(throttle, time, store, Office(world), Office(world, world.add_workspace("calm")))
    yield found
    throttle.lift()


def updated_issues(workspace: WorkspaceItem) -> str:
    return f"WS#{workspace.id}#UPDATED#ISSUE"


def assert_told_to_come_back(answer: Response) -> None:
    error: dict[str, Any] = json.loads(answer.body)
    assert (answer.status, error["error"], error["retryable"]) == (503, "unavailable", True)
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("index", ["", "updated"], ids=["the log", "an index"])
def test_who_meets_a_full_partition_is_told_to_come_back_and_nothing_is_half_done(
    deployment: Deployment, index: str
) -> None:
    hot = deployment.hot
    partition = updated_issues(hot.workspace) if index else LOG(hot.workspace.id)
    deployment.throttle.limit_writes(partition, 0.2, index=index)

    answers = deployment.create_issues(hot)

    refused = [one for one in answers if one.status != 200]
    assert 0 < len(refused) < CALLS
    for answer in refused:
        assert_told_to_come_back(answer)
    stored = [f"Issue {number}" for number, answer in enumerate(answers) if answer.status == 200]
    assert deployment.titles(hot) == stored
    assert not any("Traceback" in line for line in hot.world.log)


def test_coming_back_with_the_same_key_does_each_thing_once(deployment: Deployment) -> None:
    hot = deployment.hot
    deployment.throttle.limit_writes(LOG(hot.workspace.id), 0.2)
    deployment.create_issues(hot)
    deployment.throttle.lift()

    again = deployment.create_issues(hot)

    assert {one.status for one in again} == {200}
    assert deployment.titles(hot) == [f"Issue {number}" for number in range(CALLS)]


def test_who_waits_a_little_gets_what_comes_in_meanwhile(deployment: Deployment) -> None:
    """A partition that is only just too small slows its callers down, and refuses nobody."""
    deployment.throttle.limit_writes(LOG(deployment.hot.workspace.id), 3)

    answers = deployment.create_issues(deployment.hot)

    assert {one.status for one in answers} == {200}
    assert deployment.throttle.refused > 0
    assert deployment.time.skipped > 0


def test_other_workspaces_neither_fail_nor_wait(deployment: Deployment) -> None:
    deployment.throttle.limit_writes(LOG(deployment.hot.workspace.id), 0.2)
    deployment.create_issues(deployment.hot)
    waited = deployment.time.skipped

    answers = deployment.create_issues(deployment.calm)

    assert {one.status for one in answers} == {200}
    assert deployment.time.skipped == waited


def test_an_item_that_everybody_reads_refuses_in_the_same_words(deployment: Deployment) -> None:
    hot = deployment.hot
    deployment.throttle.limit_reads(f"WS#{hot.workspace.id}#WORKSPACE", 0.2)

    answers = [hot.send("workspace.get") for _ in range(4)]

    assert_told_to_come_back(answers[-1])
    assert deployment.calm.send("workspace.get").status == 200


def test_a_relay_that_can_not_read_sends_nothing_and_catches_up_when_it_can(deployment: Deployment) -> None:
    hot = deployment.hot
    deployment.create_issues(hot)
    told = sorted(row.id for row in hot.log() if row.kind is not None)
    deployment.sent()
    deployment.throttle.limit_reads(LOG(hot.workspace.id), 0.0)

    to_come_again = deployment.relay()
    sent_meanwhile = deployment.sent()
    deployment.throttle.lift()
    left = deployment.relay()

    assert len(to_come_again) > 0
    assert sent_meanwhile == []
    assert left == []
    assert deployment.sent() == told
    assert unsent(deployment.store, hot.workspace.id) == []


def test_what_the_relay_could_not_send_is_sent_once_by_the_sweep(deployment: Deployment) -> None:
    hot = deployment.hot
    deployment.create_issues(hot)
    told = sorted(row.id for row in hot.log() if row.kind is not None)
    deployment.throttle.limit_reads(LOG(hot.workspace.id), 0.0)
    deployment.relay()
    hot.world.clock.advance(seconds=UNSENT_AFTER.total_seconds())
    hot.sweep()
    sent_meanwhile = deployment.sent()
    deployment.throttle.lift()

    # What failed is tried again later and later.
    hot.world.clock.advance(hours=1)
    hot.sweep()
    deployment.relay()

    assert sent_meanwhile == []
    assert deployment.sent() == told


def test_marks_that_can_not_be_taken_away_are_left_to_the_sweep_and_not_sent_by_each_retry(
    deployment: Deployment,
) -> None:
    """Sending comes first: consumers recognise what they had, nobody recognises what never came."""
    hot = deployment.hot
    deployment.create_issues(hot)
    told = sorted(row.id for row in hot.log() if row.kind is not None)
    deployment.throttle.limit_writes(OUTBOX(hot.workspace.id, ""), 0.0)

    to_come_again = deployment.relay()
    sent_at_first = deployment.sent()
    deployment.throttle.lift()
    hot.world.clock.advance(seconds=UNSENT_AFTER.total_seconds())
    hot.sweep()

    assert to_come_again == []
    assert sent_at_first == told
    assert deployment.sent() == told
    assert unsent(deployment.store, hot.workspace.id) == []
