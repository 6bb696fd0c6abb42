"""Deliveries to a receiver on this machine: signed, repeated until taken, and given up in the end."""

import hmac
import json
from hashlib import sha256

from forge.work.background.deliveries.deliveries import DeliveryStatus
from forge.work.record.log.kinds import EventKind
from tests.unit.outbound.sites import Site
from tests.unit.work.background.deliveries.mailrooms import DOWN, HOOK, SECRET, TAKEN, Mailroom

FAILED, DEAD, SUCCESS = DeliveryStatus.FAILED, DeliveryStatus.DEAD_LETTER, DeliveryStatus.SUCCESS
WAITS = ({"seconds": 30}, {"minutes": 2}, {"minutes": 8}, {"minutes": 32}, {"minutes": 128})


def an_undelivered_issue(mailroom: Mailroom, site: Site) -> str:
    """That a webhook will hear of, and of nothing before it."""
    mailroom.a_webhook(site, events=["ISSUE_CREATED"])
    mailroom.forget()
    return str(
        mailroom.office.call("issues.create", {"title": "Grüße \x85\ufdd0\ufffe\uffff\U0001fffe\U0010ffff"})[
            "id"
        ]
    )


def test_a_webhook_gets_the_event_and_both_signatures_are_those_of_the_bytes(
    mailroom: Mailroom, site: Site
) -> None:
    issue_id = an_undelivered_issue(mailroom, site)

    (delivered,) = mailroom.pump()

    ((method, path, headers, raw),) = site.asked
    (shown,) = mailroom.office.rows("events.recent", {"kinds": ["ISSUE_CREATED"]})
    moment = headers["x-forge-timestamp"]
    assert (method, path, headers["content-type"]) == ("POST", HOOK, "application/json")
    assert headers["user-agent"] == "forge-webhook/1"
    assert moment == str(int(mailroom.office.world.clock().timestamp()))
    assert headers["x-webhook-signature"] == hmac.new(SECRET.encode(), raw, sha256).hexdigest()
    stamped = hmac.new(SECRET.encode(), moment.encode() + b"." + raw, sha256).hexdigest()
    assert headers["x-forge-signature"] == stamped
    names = ("id", "kind", "subjectType", "subjectId", "payload", "createdAt")
    assert json.loads(raw) == {name: shown[name] for name in names} | {"url": f"/console/issues/{issue_id}"}
    assert shown["subjectId"] == issue_id
    assert (delivered.status, delivered.attempt, delivered.response_body) == (SUCCESS, 1, "thanks")


def test_a_receiver_that_was_down_for_four_tries_gets_the_event_with_the_fifth(
    mailroom: Mailroom, site: Site
) -> None:
    an_undelivered_issue(mailroom, site)
    site.pages[HOOK] = DOWN
    tried = mailroom.pump()
    for wait in WAITS[:3]:
        tried += mailroom.later(**wait)
    site.pages[HOOK] = TAKEN

    tried += mailroom.later(**WAITS[3])

    assert [(one.status, one.attempt) for one in tried] == [
        *((FAILED, attempt) for attempt in (1, 2, 3, 4)),
        (SUCCESS, 5),
    ]
    assert len({body for *_, body in site.asked}) == 1
    assert mailroom.later(days=1) == []


def test_a_delivery_that_always_fails_is_given_up_after_six_tries_and_can_begin_anew(
    mailroom: Mailroom, site: Site
) -> None:
    an_undelivered_issue(mailroom, site)
    site.pages[HOOK] = DOWN
    mailroom.pump()
    for wait in WAITS:
        mailroom.later(**wait)
    mailroom.later(days=1)

    (listed,) = mailroom.office.rows("webhookDeliveries.list", {"status": "DEAD_LETTER"})
    site.pages[HOOK] = TAKEN
    again = mailroom.office.call("webhookDeliveries.retry", {"id": listed["id"]})
    (delivered,) = mailroom.drain()

    assert (listed["attempt"], listed["responseStatus"], listed["responseBody"]) == (6, 503, "later")
    assert (again["status"], again["attempt"], again["responseStatus"]) == ("PENDING", 0, None)
    assert (delivered.status, delivered.attempt) == (SUCCESS, 1)
    assert len(site.asked) == 7


def test_before_its_time_nothing_is_tried_again(mailroom: Mailroom, site: Site) -> None:
    an_undelivered_issue(mailroom, site)
    site.pages[HOOK] = DOWN
    mailroom.pump()

    assert mailroom.later(seconds=29) == []
    assert len(mailroom.later(seconds=1)) == 1


def test_a_redirect_is_a_failure_and_not_followed(mailroom: Mailroom, site: Site) -> None:
    an_undelivered_issue(mailroom, site)
    site.pages[HOOK] = (307, {"Location": "/elsewhere"}, b"")
    site.pages["/elsewhere"] = TAKEN

    (tried,) = mailroom.pump()

    assert (tried.status, tried.response_status) == (FAILED, 307)
    assert [path for _, path, *_ in site.asked] == [HOOK]


def test_nobody_at_the_address_is_a_failure_without_a_status(mailroom: Mailroom, site: Site) -> None:
    an_undelivered_issue(mailroom, site)
    nowhere = "http://nowhere.example.com/"
    mailroom.office.call("webhooks.create", {"url": nowhere, "events": ["ISSUE_CREATED"]})
    mailroom.dispatch = mailroom.on(mailroom.store, outbound=mailroom.office.world.web.outbound)

    tried = mailroom.pump()

    assert [(one.status, one.response_status) for one in tried] == [(FAILED, 0), (FAILED, 0)]


def test_what_has_become_private_is_never_asked(mailroom: Mailroom, site: Site) -> None:
    an_undelivered_issue(mailroom, site)
    mailroom.office.call("workspaces.update", {"webhookAllowedHosts": ["127.0.0.1"]})
    mailroom.dispatch = mailroom.on(mailroom.store, own_machine=False)

    (tried,) = mailroom.pump()

    assert (tried.status, tried.response_status) == (DEAD, 0)
    assert site.connections == 0


def test_this_machine_may_be_reached_where_all_of_it_is_somebodys_own(mailroom: Mailroom, site: Site) -> None:
    an_undelivered_issue(mailroom, site)

    (tried,) = mailroom.pump()

    assert tried.status is SUCCESS


def test_what_is_on_its_way_to_a_deleted_webhook_is_given_up(mailroom: Mailroom, site: Site) -> None:
    an_undelivered_issue(mailroom, site)
    mailroom.relay()
    (webhook,) = mailroom.office.rows("webhooks.list")
    site.pages[HOOK] = DOWN
    mailroom.drain()
    mailroom.office.call("webhooks.delete", {"id": webhook["id"]})

    (tried,) = mailroom.later(**WAITS[0])

    assert (tried.status, tried.attempt) == (DEAD, 2)
    assert tried.response_body
    assert len(site.asked) == 1


def test_an_agent_is_posted_to_where_it_is_now_and_signed_with_its_secret_of_now(
    mailroom: Mailroom, site: Site
) -> None:
    worker = mailroom.a_woken_agent(site)
    mailroom.relay()
    moved = {"webhookUrl": f"{mailroom.url_of(site)}2", "webhookSecret": "another-secret-of-mine"}
    mailroom.office.call("agents.update", {"id": worker.agent_id, **moved})
    site.pages[f"{HOOK}2"] = TAKEN

    mailroom.drain()

    ((_, path, headers, raw),) = site.asked
    assert path == f"{HOOK}2"
    assert headers["x-webhook-signature"] == hmac.new(b"another-secret-of-mine", raw, sha256).hexdigest()
    assert json.loads(raw)["kind"] == EventKind.AGENT_ASSIGNED


def test_an_archived_agent_is_told_nothing_more_and_an_operator_sees_why(
    mailroom: Mailroom, site: Site
) -> None:
    worker = mailroom.a_woken_agent(site)
    mailroom.office.call("agents.archive", {"id": worker.agent_id})

    (tried,) = mailroom.pump()

    assert (tried.status, site.asked) == (DEAD, [])
    (listed,) = mailroom.office.rows("webhookDeliveries.list", {"status": "DEAD_LETTER"})
    assert (listed["agentId"], listed["runId"]) == (worker.agent_id, worker.run_id)
    assert "archived" in listed["responseBody"]


def test_an_agent_without_a_url_has_no_delivery(mailroom: Mailroom, site: Site) -> None:
    worker = mailroom.a_woken_agent(site)
    mailroom.office.call("agents.update", {"id": worker.agent_id, "clear": ["webhookUrl"]})

    mailroom.pump()

    assert mailroom.rows() == []


def test_an_agent_that_is_kicked_is_posted_to(mailroom: Mailroom, site: Site) -> None:
    worker = mailroom.a_woken_agent(site)
    mailroom.pump()
    mailroom.office.world.clock.advance(minutes=5)

    mailroom.office.call("runs.kick", {"runId": worker.run_id})
    mailroom.pump()

    (*_, (_, _, headers, raw)) = site.asked
    assert json.loads(raw)["kind"] == EventKind.AGENT_RUN_KICKED
    assert headers["x-webhook-signature"] == hmac.new(SECRET.encode(), raw, sha256).hexdigest()
    assert worker.run.wake_attempts == 2


def test_while_a_secret_is_rotated_receivers_with_either_one_know_the_post(
    mailroom: Mailroom, site: Site
) -> None:
    an_undelivered_issue(mailroom, site)
    (webhook,) = mailroom.office.rows("webhooks.list")
    rotated = mailroom.office.call("webhooks.rotateSecret", {"id": webhook["id"], "graceHours": 2})
    mailroom.pump()
    mailroom.office.world.clock.advance(hours=2)
    mailroom.office.call("issues.create", {"title": "Later"})
    mailroom.pump()

    (_, _, during, first), (_, _, after, second) = site.asked
    fresh = rotated["secret"].encode()
    assert during["x-webhook-signature"] == hmac.new(SECRET.encode(), first, sha256).hexdigest()
    assert during["x-webhook-signature-next"] == hmac.new(fresh, first, sha256).hexdigest()
    assert after["x-webhook-signature"] == hmac.new(fresh, second, sha256).hexdigest()
    assert "x-webhook-signature-next" not in after
    assert "x-forge-signature-next" not in after


def test_a_second_rotation_waits_for_the_first_unless_it_ends_both_at_once(
    mailroom: Mailroom, site: Site
) -> None:
    an_undelivered_issue(mailroom, site)
    (webhook,) = mailroom.office.rows("webhooks.list")
    mailroom.office.call("webhooks.rotateSecret", {"id": webhook["id"]})

    assert mailroom.office.refused("webhooks.rotateSecret", {"id": webhook["id"]})[:2] == (409, "conflict")

    leaked = mailroom.office.call("webhooks.rotateSecret", {"id": webhook["id"], "graceHours": 0})
    mailroom.pump()
    ((_, _, headers, raw),) = site.asked
    assert headers["x-webhook-signature"] == hmac.new(leaked["secret"].encode(), raw, sha256).hexdigest()
    assert "x-webhook-signature-next" not in headers
