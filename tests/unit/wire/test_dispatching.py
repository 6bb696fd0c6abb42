"""The dispatch, with the batches that Lambda sends it: what it does, reports, logs and counts."""

import json
from socket import create_server
from threading import Event
from typing import Any

import pytest

from forge.jsontext import encode
from forge.outbound.outbound import Outbound
from forge.store.store import Store
from forge.wire.observing import Handler
from forge.wire.workers import dispatch_handler
from forge.work.background.deliveries.deliveries import DeliveryStatus
from tests.unit.outbound.sites import Site, running_site
from tests.unit.wire.observations import lines, metrics
from tests.unit.work.background.deliveries.mailrooms import DOWN, HOOK, SECRET, TAKEN, Mailroom
from tests.unit.work.messages import waiting_messages


def a_batch(*bodies: str) -> dict[str, Any]:
    example = {"attributes": {}, "messageAttributes": {}, "eventSource": "aws:sqs", "receiptHandle": "r"}
    return {
        "Records": [
            {**example, "messageId": f"message {number}", "body": body}
            for number, body in enumerate(bodies, start=1)
        ]
    }


def a_handler(mailroom: Mailroom, *, seconds: float = 5.0) -> Handler:
    services = mailroom.office.world.services._replace(outbound=Outbound())
    return dispatch_handler(lambda: services, seconds)


def reported(answer: dict[str, Any]) -> list[str]:
    return [one["itemIdentifier"] for one in answer["batchItemFailures"]]


def deliveries_waiting(mailroom: Mailroom, *urls: str) -> list[str]:
    """The messages of one event's deliveries, in the order of the webhooks."""
    for url in urls:
        order = {"url": url, "secret": SECRET, "events": ["ISSUE_CREATED"]}
        mailroom.office.call("webhooks.create", order)
    mailroom.forget()
    mailroom.office.call("issues.create", {"title": "Fix login timeout"})
    mailroom.relay()
    (event,) = waiting_messages(mailroom.store)
    a_handler(mailroom)(a_batch(encode(event)), None)
    places = {row.id: row.target_id for row in mailroom.rows()}
    waiting = sorted(waiting_messages(mailroom.store), key=lambda one: places[one["deliveryId"]])
    return [encode(one) for one in waiting]


def test_an_event_goes_out_and_is_counted(
    stored_mailroom: Mailroom, receiver: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    (message,) = deliveries_waiting(stored_mailroom, stored_mailroom.url_of(receiver))
    capsys.readouterr()

    answer = a_handler(stored_mailroom)(a_batch(message), None)

    assert answer == {"batchItemFailures": []}
    assert len(receiver.asked) == 1
    written = capsys.readouterr().out
    assert metrics(written) == {"service": "dispatch", "delivered": 1}
    assert lines(written) == []


def test_a_failed_delivery_is_no_failed_message_and_is_told_without_secrets(
    stored_mailroom: Mailroom, receiver: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    receiver.pages[HOOK] = DOWN
    (message,) = deliveries_waiting(stored_mailroom, stored_mailroom.url_of(receiver))
    capsys.readouterr()

    answer = a_handler(stored_mailroom)(a_batch(message), None)

    assert answer == {"batchItemFailures": []}
    written = capsys.readouterr().out
    assert metrics(written) == {"service": "dispatch", "undelivered": 1}
    (line,) = lines(written)
    (row,) = stored_mailroom.rows()
    assert (line["level"], line["message"], line["deliveryId"]) == ("WARNING", "not delivered", row.id)
    assert (line["attempt"], line["responseStatus"]) == (1, 503)
    assert SECRET not in written


def test_what_nobody_can_read_is_reported_and_stops_nothing_behind_it(
    stored_mailroom: Mailroom, receiver: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    (message,) = deliveries_waiting(stored_mailroom, stored_mailroom.url_of(receiver))
    nowhere: dict[str, Any] = {
        "id": "evt_1",
        "workspaceId": "ws_none",
        "kind": "ISSUE_CREATED",
        "subjectType": "issue",
    }
    nowhere |= {"subjectId": "iss_1", "payload": {}, "wakes": [], "createdAt": "2099-07-28T12:00:00Z"}
    old = nowhere | {"workspaceId": stored_mailroom.office.workspace.id, "wakes": ["agt_1"]}
    capsys.readouterr()

    answer = a_handler(stored_mailroom)(
        a_batch("no json", json.dumps(nowhere), json.dumps(old), message), None
    )

    assert reported(answer) == ["message 1", "message 2", "message 3"]
    assert len(receiver.asked) == 1
    written = capsys.readouterr().out
    assert metrics(written) == {"service": "dispatch", "delivered": 1, "unread": 3}
    told = [(line["level"], line["messageId"], line["exception_name"]) for line in lines(written)]
    assert told == [("ERROR", one, "Unreadable") for one in reported(answer)]


def test_a_batch_that_comes_again_posts_nothing_again(stored_mailroom: Mailroom, receiver: Site) -> None:
    (message,) = deliveries_waiting(stored_mailroom, stored_mailroom.url_of(receiver))
    handle = a_handler(stored_mailroom)

    for _ in range(2):
        assert handle(a_batch(message), None) == {"batchItemFailures": []}

    assert len(receiver.asked) == 1


def test_a_receiver_that_hangs_costs_its_time_out_and_fails(
    stored_mailroom: Mailroom, receiver: Site
) -> None:
    with create_server(("127.0.0.1", 0)) as silent:
        hanging = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        messages = deliveries_waiting(stored_mailroom, hanging, stored_mailroom.url_of(receiver))

        a_handler(stored_mailroom, seconds=0.2)(a_batch(*messages), None)

    ends = [(row.status, row.response_status) for row in by_webhook(stored_mailroom)]
    assert ends == [(DeliveryStatus.FAILED, 0), (DeliveryStatus.SUCCESS, 200)]


def test_nobody_waits_for_a_receiver_that_hangs(stored_mailroom: Mailroom, receiver: Site) -> None:
    """The first answers only once the second has been asked: in a row, it would never answer in time."""
    other_was_asked = Event()
    with running_site() as other:
        other.pages[HOOK] = TAKEN
        other.while_asked = other_was_asked.set
        receiver.while_asked = lambda: other_was_asked.wait(timeout=5)
        urls = [stored_mailroom.url_of(site) for site in (receiver, other)]
        messages = deliveries_waiting(stored_mailroom, *urls)

        a_handler(stored_mailroom, seconds=2)(a_batch(*messages), None)

    assert [row.status for row in by_webhook(stored_mailroom)] == [DeliveryStatus.SUCCESS] * 2


def by_webhook(mailroom: Mailroom) -> list[Any]:
    return sorted(mailroom.rows(), key=lambda row: row.target_id)


@pytest.fixture
def stored_mailroom(store: Store) -> Mailroom:
    return Mailroom(store)


@pytest.fixture
def receiver() -> Any:
    with running_site() as site:
        site.pages[HOOK] = TAKEN
        yield site
