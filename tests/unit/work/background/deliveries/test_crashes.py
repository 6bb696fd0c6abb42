"""Whoever dies on the way, and whatever comes twice: the message goes out, and nothing is done twice."""

from datetime import timedelta

import pytest

from forge.jsontext import encode
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import watched
from forge.work.background.deliveries.consuming import consume
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus
from forge.work.background.deliveries.outcomes import Overtaken
from forge.work.background.deliveries.retries import MOST_TRIES
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.workspace.workers import Worker
from tests.unit.outbound.sites import Site
from tests.unit.work.background.deliveries.mailrooms import Mailroom
from tests.unit.work.messages import waiting_messages
from tests.workshop.interference import COMMIT, Handle, once_before, only

SUCCESS = DeliveryStatus.SUCCESS


def an_issue_is_created(mailroom: Mailroom, site: Site) -> None:
    mailroom.a_webhook(site, events=["ISSUE_CREATED"])
    mailroom.forget()
    mailroom.office.call("issues.create", {"title": "Fix login timeout"})


def the_message(mailroom: Mailroom) -> str:
    (waiting,) = waiting_messages(mailroom.store)
    return encode(waiting)


def a_delivery_message(mailroom: Mailroom, site: Site) -> str:
    an_issue_is_created(mailroom, site)
    mailroom.relay()
    consume(mailroom.dispatch, the_message(mailroom))
    return the_message(mailroom)


def at_commit(number: int, fault: Fault = Fault.CRASHED) -> Handle:
    return only(COMMIT, FaultAt(fault, position=number))


def test_an_event_whose_sender_died_before_it_was_sent_goes_out(mailroom: Mailroom, site: Site) -> None:
    an_issue_is_created(mailroom, site)

    tried = mailroom.later(seconds=UNSENT_AFTER.total_seconds())

    assert [one.status for one in tried] == [SUCCESS]
    assert len(site.asked) == 1


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_an_event_whose_fan_out_died_goes_out_when_it_comes_again(
    mailroom: Mailroom, site: Site, fault: Fault
) -> None:
    an_issue_is_created(mailroom, site)
    mailroom.relay()
    event = the_message(mailroom)
    with pytest.raises(ProcessDied):
        consume(mailroom.on(watched(mailroom.store, at_commit(0, fault))), event)

    consume(mailroom.dispatch, event)
    tried = mailroom.drain()

    assert [one.status for one in tried] == [SUCCESS]
    assert len(mailroom.rows()) == len(site.asked) == 1


def test_a_delivery_whose_message_was_lost_goes_out(mailroom: Mailroom, site: Site) -> None:
    a_delivery_message(mailroom, site)

    assert mailroom.later(seconds=UNSENT_AFTER.total_seconds() - 1) == []
    (tried,) = mailroom.later(seconds=1)

    assert tried.status is SUCCESS


def test_whoever_died_between_the_post_and_its_record_is_followed_by_another_try(
    mailroom: Mailroom, site: Site
) -> None:
    message = a_delivery_message(mailroom, site)
    with pytest.raises(ProcessDied):
        consume(mailroom.on(watched(mailroom.store, at_commit(1))), message)
    before_the_lease_is_over = consume(mailroom.dispatch, message)

    (tried,) = mailroom.later(seconds=DeliveryItem.lease.total_seconds())

    assert before_the_lease_is_over is None
    assert (tried.status, tried.attempt) == (SUCCESS, 2)
    assert len({raw for *_, raw in site.asked}) == 1
    assert len(site.asked) == 2


def test_a_last_try_that_nobody_lived_to_record_is_given_up(mailroom: Mailroom, site: Site) -> None:
    message = a_delivery_message(mailroom, site)
    (row,) = mailroom.rows()
    now = mailroom.office.world.clock()
    tx = mailroom.dispatch.begin(row.workspace_id)
    tx.replace(row.changed(attempt=MOST_TRIES, leased_until=now, look_at=now))
    mailroom.store.commit(tx)

    tried = consume(mailroom.dispatch, message)

    assert tried is not None
    assert (tried.status, tried.attempt, site.asked) == (DeliveryStatus.DEAD_LETTER, MOST_TRIES, [])
    assert mailroom.later(days=1) == []


def test_a_delivery_message_that_comes_again_is_acted_on_once(mailroom: Mailroom, site: Site) -> None:
    message = a_delivery_message(mailroom, site)

    tried = [consume(mailroom.dispatch, message) for _ in range(3)]

    assert [one is None for one in tried] == [False, True, True]
    assert len(site.asked) == 1


def test_two_at_once_post_once(mailroom: Mailroom, site: Site) -> None:
    message = a_delivery_message(mailroom, site)
    second: list[DeliveryItem | None] = []
    site.while_asked = lambda: second.append(consume(mailroom.dispatch, message))

    first = consume(mailroom.dispatch, message)

    assert first is not None
    assert (first.status, second) == (SUCCESS, [None])
    assert len(site.asked) == 1


def test_who_took_longer_than_the_lease_does_not_undo_what_the_next_one_wrote(
    mailroom: Mailroom, site: Site
) -> None:
    message = a_delivery_message(mailroom, site)

    def much_later() -> None:
        if len(site.asked) == 1:
            mailroom.office.world.clock.advance(seconds=DeliveryItem.lease.total_seconds())
            consume(mailroom.dispatch, message)

    site.while_asked = much_later
    with pytest.raises(Overtaken):
        consume(mailroom.dispatch, message)

    (row,) = mailroom.rows()
    assert (row.status, row.attempt) == (SUCCESS, 2)


def test_the_sweep_sends_one_message_and_not_another_each_minute(mailroom: Mailroom, site: Site) -> None:
    a_delivery_message(mailroom, site)
    clock = mailroom.office.world.clock
    clock.advance(seconds=UNSENT_AFTER.total_seconds())

    for _ in range(2):
        mailroom.office.sweep()
        clock.advance(seconds=60)

    assert len(waiting_messages(mailroom.store)) == 1
    (row,) = mailroom.rows()
    assert row.look_at == clock() - timedelta(minutes=2) + UNSENT_AFTER


def test_who_takes_a_message_of_the_sweep_at_once_makes_it_no_failure(mailroom: Mailroom, site: Site) -> None:
    a_delivery_message(mailroom, site)
    world = mailroom.office.world
    world.clock.advance(seconds=UNSENT_AFTER.total_seconds())
    quick = watched(mailroom.store, once_before(COMMIT, mailroom.drain))
    failures = list[object]()
    task = Sweep(Worker(quick, world.clock, world.ids), lambda *failure: failures.append(failure))

    sweep.run(task)

    assert ([row.status for row in mailroom.rows()], failures) == ([SUCCESS], [])
    assert (task.counts["overtaken"], task.counts["failed"]) == (1, 0)
