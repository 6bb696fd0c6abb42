"""The relay and the sweep, with the events that Lambda sends them: what they do, answer, log and count."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from forge.errors import Unavailable
from forge.store.queues import Queues
from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt
from forge.testing.instruments import SkippedTime, watched
from forge.testing.world import World
from forge.wire.relaying import relay_handler
from forge.wire.workers import sweep_handler
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.record.log.rows import LOG, OutboxItem
from tests.contract.dumps import dump
from tests.unit.wire.observations import lines, metrics
from tests.unit.work.working_agents import a_working_agent
from tests.workshop.interference import only

EVENTS = Path(__file__).parents[3] / "docs" / "examples" / "events"


def an_event(folder: str) -> dict[str, Any]:
    event: dict[str, Any] = json.loads((EVENTS / f"{folder}.json").read_text())
    return event


def records(*numbers: int) -> dict[str, Any]:
    """The example of a stream's event with so many records, told apart by their numbers."""
    (example,) = an_event("relay")["Records"]
    made = []
    for number in numbers:
        record = deepcopy(example)
        record["dynamodb"]["SequenceNumber"] = str(number)
        image = record["dynamodb"]["NewImage"]
        image["id"] = {"S": f"evt_{number}"}
        image["rows"] = {"L": [image["id"]]}
        image["sk"] = {"S": f"{image['created_at']['S']}#evt_{number}"}
        made.append(record)
    return {"Records": made}


def keep(store: Store, event: dict[str, Any]) -> dict[str, Any]:
    """Have the marks in the table and what they tell of, as it is when the stream shows them."""
    for record in event["Records"]:
        mark = record["dynamodb"]["NewImage"]
        told = {"subject_type": "agent", "subject_id": "agt_1", "action": "update", "kind": "AGENT_UPDATED"}
        by = {"tool": "agents.update", "key_id": "key_1", "request_id": "req_1"}
        row = {name: mark[name] for name in ("sk", "id", "created_at", "workspace_id")}
        row |= {"pk": {"S": LOG("ws_example")}}
        row |= {name: {"S": value} for name, value in (told | by).items()}
        for item in (mark, row):
            store.table.client.ask("PutItem", {"TableName": store.table.name, "Item": dict(item)})
    return event


def unreadable(event: dict[str, Any], place: int) -> dict[str, Any]:
    """A mark that this build can't read."""
    broken = deepcopy(event)
    del broken["Records"][place]["dynamodb"]["NewImage"]["outbox_due"]
    broken["Records"][place]["dynamodb"]["NewImage"].pop("dueSk")
    return broken


def sent(store: Store) -> list[str]:
    answer = store.queues.client.receive_message(
        QueueUrl=store.queues.urls["dispatch"], MaxNumberOfMessages=10
    )
    return sorted(json.loads(message["Body"])["id"] for message in answer.get("Messages", []))


def test_the_relay_sends_what_the_stream_shows(
    stored_world: World, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    handle = relay_handler(lambda: stored_world.services)

    answer = handle(keep(store, records(1)), None)

    assert answer == {"batchItemFailures": []}
    assert sent(store) == ["evt_1"]
    assert metrics(capsys.readouterr().out) == {"service": "relay", "relayed": 1}


def test_a_row_that_can_not_be_sent_is_reported_and_stops_nothing_behind_it(
    stored_world: World, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    handle = relay_handler(lambda: stored_world.services)

    answer = handle(unreadable(keep(store, records(1, 2, 3, 4)), 1), None)

    assert [one["itemIdentifier"] for one in answer["batchItemFailures"]] == ["2"]
    assert sent(store) == ["evt_1", "evt_3", "evt_4"]
    written = capsys.readouterr().out
    assert metrics(written) == {"service": "relay", "relayed": 3, "failed": 1}
    (line,) = lines(written)
    assert (line["level"], line["message"]) == ("ERROR", "not relayed")
    assert (line["sequenceNumber"], line["heldBack"]) == ("2", 0)
    assert line["exception_name"] == "ValidationError"


def test_what_was_sent_behind_such_a_row_is_not_sent_again_with_it(stored_world: World, store: Store) -> None:
    handle = relay_handler(lambda: stored_world.services)
    event = unreadable(keep(store, records(1, 2, 3)), 0)
    handle(event, None)
    sent(store)

    answer = handle(event, None)

    assert [one["itemIdentifier"] for one in answer["batchItemFailures"]] == ["1"]
    assert sent(store) == []


def test_the_relay_holds_everything_back_behind_a_queue_that_is_away(
    stored_world: World, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    urls = {"dispatch": store.queues.urls["dispatch"] + "-gone"}
    away = Store(store.table, store.blobs, Queues(urls, lambda: store.queues.client))
    services = stored_world.services._replace(store=away)

    answer = relay_handler(lambda: services)(keep(store, records(1, 2, 3)), None)

    assert [one["itemIdentifier"] for one in answer["batchItemFailures"]] == ["1", "2", "3"]
    written = capsys.readouterr().out
    assert metrics(written) == {"service": "relay", "failed": 1}
    (line,) = lines(written)
    assert (line["sequenceNumber"], line["heldBack"]) == ("1", 2)


def test_a_row_that_the_sweep_put_off_is_not_the_relays(stored_world: World, store: Store) -> None:
    event = records(1)
    event["Records"][0]["dynamodb"]["NewImage"]["dueSk"] = {"S": "2099-07-28T13:00:00.000Z#again"}

    relay_handler(lambda: stored_world.services)(event, None)

    assert sent(store) == []


def test_a_batch_of_which_nothing_could_be_sent_is_reported_and_not_raised(
    stored_world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    handle = relay_handler(lambda: stored_world.services)

    answer = handle(unreadable(records(7), 0), None)

    assert answer == {"batchItemFailures": [{"itemIdentifier": "7"}]}
    assert metrics(capsys.readouterr().out) == {"service": "relay", "failed": 1}


def test_what_failed_once_is_sent_when_it_comes_again(stored_world: World, store: Store) -> None:
    handle = relay_handler(lambda: stored_world.services)

    handle(unreadable(keep(store, records(1, 2)), 0), None)
    answer = handle(keep(store, records(1, 2)), None)

    assert answer == {"batchItemFailures": []}
    assert {*sent(store)} == {"evt_1", "evt_2"}


def test_what_the_sweep_has_sent_meanwhile_is_not_sent_again(stored_world: World, store: Store) -> None:
    an_unsent_row(stored_world)
    (mark,) = [row for row in dump(store).values() if row["pk"]["S"].endswith("#OUTBOX")][:1]
    sweep_handler(lambda: stored_world.services)(an_event("sweep"), None)
    before = sent(store)
    record = {"eventName": "INSERT", "dynamodb": {"NewImage": mark, "SequenceNumber": "1"}}

    answer = relay_handler(lambda: stored_world.services)({"Records": [record]}, None)

    assert answer == {"batchItemFailures": []}
    assert before
    assert sent(store) == []


@pytest.mark.parametrize("image", [None, {"pk": {"S": "WS#ws_1#LOG"}, "sk": {"S": "1"}}])
def test_what_nobody_has_to_be_told_of_is_passed_over(
    stored_world: World, store: Store, image: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    event = records(1)
    event["Records"][0]["dynamodb"]["NewImage"] = image
    if image is None:
        del event["Records"][0]["dynamodb"]["NewImage"]

    answer = relay_handler(lambda: stored_world.services)(event, None)

    assert answer == {"batchItemFailures": []}
    assert sent(store) == []
    assert capsys.readouterr().out == ""


def an_unsent_row(world: World) -> None:
    a_working_agent(world)
    world.clock.advance(seconds=UNSENT_AFTER.total_seconds())


def test_the_sweep_counts_what_was_due_and_what_it_settled(
    stored_world: World, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    an_unsent_row(stored_world)

    answer = sweep_handler(lambda: stored_world.services)(an_event("sweep"), None)

    settled = len(sent(store))
    assert answer == {"settled": settled}
    assert settled > 0
    counted = metrics(capsys.readouterr().out)
    assert counted == {"service": "sweep", "due": settled, "swept": settled}


def test_what_the_sweep_leaves_for_the_next_one_is_logged_and_counted(
    stored_world: World, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    an_unsent_row(stored_world)
    fault = FaultAt(Fault.SERVER_ERROR, position=0, times=1000)
    services = stored_world.services._replace(
        store=watched(store, only("BatchWriteItem", fault), SkippedTime())
    )

    answer = sweep_handler(lambda: services)(an_event("sweep"), None)

    assert answer == {"settled": 0}
    written = capsys.readouterr().out
    counted = metrics(written)
    assert counted["failed"] == counted["due"] == len(lines(written)) > 0
    for line in lines(written):
        assert (line["level"], line["message"]) == ("WARNING", "not settled")
        assert line["partition"] == OutboxItem.stored.partition(stored_world.workspace.id, "")
        assert line["exception_name"] == "Unavailable"


def test_a_sweep_that_can_not_even_look_fails_as_a_whole(stored_world: World, store: Store) -> None:
    fault = FaultAt(Fault.SERVER_ERROR, position=0, times=1000)
    services = stored_world.services._replace(store=watched(store, only("Query", fault), SkippedTime()))

    with pytest.raises(Unavailable):
        sweep_handler(lambda: services)(an_event("sweep"), None)
