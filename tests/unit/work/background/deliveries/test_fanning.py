"""Who hears of an event: the agents that it wakes, and webhooks that want its kind."""

import json
from typing import Any

import pytest

from forge.testing import builders
from forge.testing.clock import NOON
from forge.work.background.deliveries.deliveries import Receiver, ReceiverType
from forge.work.background.deliveries.fanning import targets
from forge.work.content.destinations import messages
from forge.work.content.destinations.messages import EventMessage
from forge.work.content.destinations.webhooks import WebhookItem
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import OutboxItem
from forge.work.workspace.jobs import Unreadable
from forge.work.workspace.people.agents import AgentItem
from tests.unit.outbound.sites import Site
from tests.unit.work.background.deliveries.mailrooms import Mailroom

EVENT: dict[str, Any] = {
    "id": "evt_1",
    "workspaceId": "ws_1",
    "kind": "ISSUE_CREATED",
    "subjectType": "issue",
    "subjectId": "iss_1",
    "payload": {"title": "Grüße"},
    "wakes": [{"agentId": "agt_1", "runId": "run_1"}, {"agentId": "agt_2", "runId": None}],
    "createdAt": NOON.isoformat(),
}


def an_event(**fields: Any) -> EventMessage:
    return EventMessage.model_validate(EVENT | fields)


def a_webhook(webhook_id: str, *events: EventKind, active: bool = True) -> WebhookItem:
    url = f"https://{webhook_id}.example.com/"
    return WebhookItem(
        workspace_id="ws_1",
        id=webhook_id,
        url=url,
        called=url,
        secret="secret",
        events=[*events],
        active=active,
        created_at=NOON,
    )


def an_agent(agent_id: str, url: str | None) -> AgentItem:
    return builders.an_agent(id=agent_id, webhook_url=url)


def test_agents_with_a_url_and_webhooks_that_want_the_kind_hear_of_it() -> None:
    agents = {"agt_1": an_agent("agt_1", "https://a.example.com"), "agt_2": an_agent("agt_2", None)}
    heard = [
        a_webhook("whk_all"),
        a_webhook("whk_it", EventKind.ISSUE_CREATED, EventKind.ISSUE_UPDATED),
        a_webhook("whk_else", EventKind.COMMENT_CREATED),
        a_webhook("whk_off", active=False),
    ]

    assert targets(an_event(), agents, heard) == [
        Receiver(ReceiverType.AGENT, "agt_1", "run_1"),
        Receiver(ReceiverType.WEBHOOK, "whk_all"),
        Receiver(ReceiverType.WEBHOOK, "whk_it"),
    ]


def test_an_agent_that_is_not_there_is_told_nothing() -> None:
    assert targets(an_event(), {"agt_1": None, "agt_2": None}, []) == []


def test_what_is_sent_is_what_events_recent_shows_and_where_people_see_it() -> None:
    assert json.loads(messages.body_of(an_event(), public_url="https://forge.example.com")) == {
        "id": "evt_1",
        "kind": "ISSUE_CREATED",
        "subjectType": "issue",
        "subjectId": "iss_1",
        "payload": {"title": "Grüße"},
        "url": "https://forge.example.com/console/issues/iss_1",
        "createdAt": "2099-07-28T12:00:00Z",
    }


def test_an_event_of_a_run_leads_to_its_issue_and_one_of_a_plan_to_its_goal() -> None:
    run = an_event(subjectType="agent-run", subjectId="run_1", issueId="iss_1")
    plan = an_event(subjectType="execution-plan", issueId="iss_1", payload={"goalId": "goal_1"})

    assert json.loads(messages.body_of(run, public_url=""))["url"] == "/console/issues/iss_1"
    assert json.loads(messages.body_of(plan, public_url=""))["url"] == "/console/goals/goal_1"


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        "{}",
        '{"deliveryId": 5, "workspaceId": "ws_1"}',
        json.dumps(EVENT | {"kind": None}),
        json.dumps(EVENT | {"wakes": ["agt_1"]}),
    ],
)
def test_what_is_no_message_says_so(text: str) -> None:
    with pytest.raises(Unreadable):
        messages.read(text)


def test_a_message_of_a_newer_build_is_read() -> None:
    assert messages.read(json.dumps(EVENT | {"later": {}})) == an_event()


def test_an_event_makes_its_deliveries_once_however_often_it_comes(mailroom: Mailroom, site: Site) -> None:
    mailroom.a_webhook(site)
    mailroom.forget()
    issue = mailroom.office.call("issues.create", {"title": "Once"})
    partition = OutboxItem.stored.partition(mailroom.office.workspace.id, "")
    marks = mailroom.store.table.query_all(partition, most=10).of(OutboxItem)

    for _ in range(2):
        mailroom.store.table.restate(marks)
        mailroom.pump()

    (delivery,) = mailroom.rows()
    assert len(site.asked) == 1
    assert json.loads(delivery.body)["subjectId"] == issue["id"]


def test_whoever_hears_of_a_question_or_a_comment_gets_the_address_to_open(
    mailroom: Mailroom, site: Site
) -> None:
    mailroom.a_webhook(site)
    issue = mailroom.office.call("issues.create", {"title": "Asked about"})
    mailroom.forget()
    asked = mailroom.office.call("actionRequests.create", {"title": "May I?", "issueId": issue["id"]})
    mailroom.office.call("comments.create", {"issueId": issue["id"], "body": "Look."})
    site_url = "https://forge.example.com"
    mailroom.dispatch = mailroom.on(mailroom.store, public_url=site_url)

    mailroom.pump()

    posted = [json.loads(row.body) for row in mailroom.rows()]
    opened = {one["subjectType"]: one["url"] for one in posted}
    assert opened["action-request"] == f"{site_url}/console/requests/{asked['id']}"
    assert opened["issue"] == f"{site_url}/console/issues/{issue['id']}"


def test_nobody_hears_of_notes_and_of_what_is_only_audited(mailroom: Mailroom, site: Site) -> None:
    mailroom.a_webhook(site)
    mailroom.forget()
    mailroom.office.call("notes.create", {"body": "mine"})
    mailroom.office.a_label()

    mailroom.pump()

    assert mailroom.rows() == []


def test_webhooks_hear_of_their_own_workspace_alone(mailroom: Mailroom, site: Site) -> None:
    mailroom.a_webhook(site)
    mailroom.forget()
    elsewhere = mailroom.office.world.add_workspace("elsewhere")
    key = mailroom.office.world.owner_key(elsewhere)
    mailroom.office.call("issues.create", {"title": "Theirs"}, key=key)

    mailroom.office.world.clock.advance(minutes=5)
    mailroom.office.sweep()
    mailroom.drain()

    assert site.asked == []
