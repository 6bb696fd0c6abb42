"""What a try means for the run that waits for the agent, and for the agent."""

from datetime import timedelta

from forge.jsontext import encode
from forge.testing.instruments import Counter, watched
from forge.work.background.deliveries.consuming import consume
from forge.work.background.deliveries.deliveries import DeliveryStatus
from forge.work.issues.runs.waking import WAKE_DELIVERED
from forge.work.record.log.kinds import EventKind
from forge.work.workspace.people.agents import AgentStatus, PulseItem
from tests.unit.outbound.sites import Site
from tests.unit.work.background.deliveries.mailrooms import DOWN, HOOK, Mailroom
from tests.unit.work.messages import waiting_messages
from tests.workshop.interference import COMMIT, Interference, once_before
from tests.workshop.runs import Engagement


def pulse_of(mailroom: Mailroom, worker: Engagement) -> PulseItem:
    key = PulseItem.at(mailroom.office.workspace.id, worker.agent_id)
    found = mailroom.store.table.find(PulseItem, key)
    assert found is not None
    return found


def test_each_try_is_written_on_the_run(mailroom: Mailroom, site: Site) -> None:
    worker = mailroom.a_woken_agent(site)
    site.pages[HOOK] = DOWN
    (delivery,) = mailroom.pump()
    first = worker.run

    mailroom.later(seconds=30)

    now = mailroom.office.world.clock()
    assert (first.wake_attempts, first.last_wake_delivery_id) == (1, delivery.id)
    assert (worker.run.wake_attempts, worker.run.last_wake_at) == (2, now)
    assert (worker.run.ack_due_at, worker.signs) == (None, [])
    assert pulse_of(mailroom, worker).status is AgentStatus.OFFLINE


def test_an_agent_that_was_reached_is_online_and_its_run_says_so(mailroom: Mailroom, site: Site) -> None:
    worker = mailroom.a_woken_agent(site)

    (delivery,) = mailroom.pump()

    now = mailroom.office.world.clock()
    told = {"deliveryId": delivery.id, "eventId": delivery.event_id, "kind": "AGENT_ASSIGNED"}
    assert worker.signs == [(WAKE_DELIVERED, told)]
    pulse = pulse_of(mailroom, worker)
    assert (pulse.status, pulse.last_heartbeat_at) == (AgentStatus.ONLINE, now)
    assert pulse.idle_at == now + timedelta(minutes=15)
    (row,) = [row for row in mailroom.office.log() if row.kind is EventKind.AGENT_STATUS_CHANGED]
    assert (row.payload["from"], row.payload["to"], row.tool) == ("OFFLINE", "ONLINE", "dispatch")


def test_a_busy_agent_stays_busy_and_is_heard_of(mailroom: Mailroom, site: Site) -> None:
    worker = mailroom.a_woken_agent(site)
    mailroom.office.call("agents.heartbeat", {"status": "BUSY"}, key=worker.key)
    mailroom.office.world.clock.advance(minutes=1)

    mailroom.pump()

    pulse = pulse_of(mailroom, worker)
    assert (pulse.status, pulse.last_heartbeat_at) == (AgentStatus.BUSY, mailroom.office.world.clock())


def test_who_was_told_of_an_assignment_has_as_long_to_react_as_the_workspace_says(
    mailroom: Mailroom, site: Site
) -> None:
    mailroom.office.call("workspaces.update", {"requiredAckSeconds": 90})
    worker = mailroom.a_woken_agent(site)
    mailroom.office.world.clock.advance(minutes=1)

    mailroom.pump()

    assert worker.run.ack_due_at == mailroom.office.world.clock() + timedelta(seconds=90)
    for _ in range(2):
        mailroom.later(seconds=90)
    told_off = [row for row in mailroom.office.log() if row.kind is EventKind.AGENT_NOACK]
    assert [row.issue_id for row in told_off] == [worker.issue_id]


def test_what_the_agent_does_while_it_is_posted_to_is_kept(mailroom: Mailroom, site: Site) -> None:
    worker = mailroom.a_woken_agent(site)
    mailroom.relay()
    site.while_asked = lambda: worker.call("runs.resumeWork", {"currentStep": "Reading"})

    (tried,) = mailroom.drain()

    assert tried.status is DeliveryStatus.SUCCESS
    assert (worker.run.current_step, worker.run.wake_attempts) == ("Reading", 1)


def test_what_the_agent_does_while_a_try_is_written_down_is_kept(mailroom: Mailroom, site: Site) -> None:
    worker = mailroom.a_woken_agent(site)
    mailroom.relay()
    (event,) = [one for one in waiting_messages(mailroom.store) if one["kind"] == "AGENT_ASSIGNED"]
    consume(mailroom.dispatch, encode(event))
    (delivery,) = waiting_messages(mailroom.store)
    resume = once_before(COMMIT, lambda: worker.call("runs.resumeWork", {"currentStep": "Reading"}))
    interference = Interference()

    def interfere() -> None:
        interference.handle = resume

    # The first commit takes the delivery, before any post; the second one is what is interfered with.
    site.while_asked = interfere
    tried = consume(mailroom.on(watched(mailroom.store, interference)), encode(delivery))

    assert tried is not None
    assert tried.status is DeliveryStatus.SUCCESS
    assert (worker.run.current_step, worker.run.wake_attempts) == ("Reading", 1)
    assert [kind for kind, _ in worker.signs].count(WAKE_DELIVERED) == 1


def test_an_agent_that_was_archived_while_it_was_posted_to_stays_offline(
    mailroom: Mailroom, site: Site
) -> None:
    worker = mailroom.a_woken_agent(site)
    mailroom.relay()
    site.while_asked = lambda: mailroom.office.call("agents.archive", {"id": worker.agent_id})

    (tried,) = mailroom.drain()

    assert tried.status is DeliveryStatus.SUCCESS
    assert pulse_of(mailroom, worker).status is AgentStatus.OFFLINE


def test_a_try_costs_three_reads_and_two_writes(mailroom: Mailroom, site: Site) -> None:
    mailroom.a_woken_agent(site)
    mailroom.relay()
    used = Counter()
    mailroom.dispatch = mailroom.on(watched(mailroom.store, used))
    (event,) = [one for one in waiting_messages(mailroom.store) if one["kind"] == "AGENT_ASSIGNED"]
    consume(mailroom.dispatch, encode(event))
    used.reset()

    (tried,) = mailroom.drain()

    assert tried.status is DeliveryStatus.SUCCESS
    assert (used.reads, used.writes, used.most_items) == (3, 2, 6)
