"""Webhooks: made with a secret that is shown once, listed without it, and deleted."""

import json

import pytest

from forge.testing.clock import NOON
from forge.work.content.destinations.webhooks import MAX_WEBHOOKS, WebhookItem
from tests.workshop.events import relay, unsent
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office

URL = "https://ci.example.com/forge"
SECRET = "a-secret-of-the-receiver"


def a_webhook(office: Office, url: str = URL, **more: object) -> Body:
    return office.call("webhooks.create", {"url": url, **more})


def test_a_webhook_has_a_secret_of_its_own_which_is_shown_once(office: Office) -> None:
    made = a_webhook(office, events=["ISSUE_CREATED", "ISSUE_CREATED"])

    (listed,) = office.rows("webhooks.list")
    assert made["secret"].startswith("whsec_")
    assert len(made["secret"]) > 40
    assert listed == {name: value for name, value in made.items() if name != "secret"}
    assert (listed["url"], listed["events"], listed["active"]) == (URL, ["ISSUE_CREATED"], True)


def test_a_secret_that_is_given_is_used_and_appears_in_no_log(office: Office) -> None:
    made = a_webhook(office, secret=SECRET)

    (row,) = [row for row in office.log() if row.subject_type == "webhook"]
    assert made["secret"] == SECRET
    assert (row.action, row.subject_id, row.kind) == ("create", made["id"], None)
    assert SECRET not in json.dumps([one.model_dump(mode="json") for one in office.log()])


def test_a_repeated_call_says_that_the_secret_was_shown(office: Office) -> None:
    order = {"url": URL, "secret": SECRET}
    first = office.call("webhooks.create", order, idempotency_key="once")

    again = office.call("webhooks.create", order, idempotency_key="once")

    assert again == {**first, "secret": "(shown only in the first answer)"}


@pytest.mark.parametrize("url", [URL, "HTTPS://CI.example.com:443/forge"])
def test_there_is_one_webhook_for_a_url(office: Office, url: str) -> None:
    a_webhook(office)

    assert office.refused("webhooks.create", {"url": url}) == (409, "conflict", {"url"})
    assert a_webhook(office, "https://ci.example.com/Forge")["id"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "http://10.0.0.1/"},
        {"url": "http://169.254.169.254/latest/meta-data"},
        {"url": "http://localhost:3000/"},
        {"url": "ci.example.com"},
        {"url": URL, "secret": "short"},
        {"url": URL, "events": ["NOTHING_LIKE_IT"]},
    ],
)
def test_what_can_not_be_is_refused_by_its_field(office: Office, wrong: Body) -> None:
    status, code, fields = office.refused("webhooks.create", wrong)

    (given,) = wrong.keys() - ({"url"} if len(wrong) > 1 else set())
    assert (status, code) == (400, "invalid_input")
    assert {field.partition(".")[0] for field in fields} == {given}


def test_a_private_host_that_the_workspace_allows_is_taken(office: Office) -> None:
    office.call("workspaces.update", {"webhookAllowedHosts": ["ci.internal"]})

    assert a_webhook(office, "http://ci.internal/hook")["url"] == "http://ci.internal/hook"
    assert office.refused("webhooks.create", {"url": "http://db.internal/"})[0] == 400


def test_a_workspace_has_so_many_webhooks_and_no_more(office: Office) -> None:
    office.put(
        *(
            WebhookItem(
                workspace_id=office.workspace.id,
                id=f"whk_{number}",
                url=f"{URL}/{number}",
                called=f"{URL}/{number}",
                secret=SECRET,
                created_at=NOON,
            )
            for number in range(MAX_WEBHOOKS)
        )
    )

    assert office.refused("webhooks.create", {"url": URL}) == (422, "precondition_failed", set())


def test_a_deleted_webhook_is_gone_and_its_url_is_free(office: Office, other_office: Office) -> None:
    made = a_webhook(office)

    assert other_office.refused("webhooks.delete", {"id": made["id"]})[0] == 404
    assert office.call("webhooks.delete", {"id": made["id"]}) == {"id": made["id"], "deleted": True}

    assert office.rows("webhooks.list") == []
    assert office.refused("webhooks.delete", {"id": made["id"]})[0] == 404
    assert a_webhook(office)["url"] == URL
    (row,) = [row for row in office.log() if (row.subject_type, row.action) == ("webhook", "delete")]
    assert "secret" not in (row.before or {})


def test_only_what_somebody_hears_of_is_marked_to_be_told(office: Office) -> None:
    def marked(priority: str) -> int:
        relay(office.world.services.store, office.workspace.id)
        office.call("issues.update", {"id": issue_id, "priority": priority})
        return len(unsent(office.world.services.store, office.workspace.id))

    issue_id = an_issue(office)
    assert marked("HIGH") == 0

    of_creation = a_webhook(office, events=["ISSUE_CREATED"])
    assert marked("LOW") == 0

    of_updates = a_webhook(office, f"{URL}/updates", events=["ISSUE_UPDATED"])
    of_all = a_webhook(office, f"{URL}/all")
    assert marked("HIGH") == 1

    office.call("webhooks.delete", {"id": of_all["id"]})
    assert marked("LOW") == 1

    for made in (of_updates, of_creation):
        office.call("webhooks.delete", {"id": made["id"]})
    assert marked("HIGH") == 0


def test_a_text_that_changed_is_marked_although_nobody_hears_of_it(office: Office) -> None:
    issue_id = an_issue(office)
    relay(office.world.services.store, office.workspace.id)

    office.call("issues.update", {"id": issue_id, "title": "Another title"})

    assert len(unsent(office.world.services.store, office.workspace.id)) == 1
