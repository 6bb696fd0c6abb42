"""Webhooks on one machine: events reach a receiver beside it, and what failed is tried again in its time."""

import hmac
import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import pytest

from tests.integration.cli.dev_process import Dev
from tests.integration.cli.processes import eventually
from tests.unit.outbound.sites import Site, running_site

SECRET = "a-secret-of-the-receiver"


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as running:
        running.pages["/"] = (200, {}, b"")
        yield running


@pytest.fixture
def webhook(dev: Dev, site: Site) -> Iterator[dict[str, Any]]:
    order = {"url": f"http://127.0.0.1:{site.port}/", "secret": SECRET, "events": ["PROJECT_CREATED"]}
    made = dev.call("webhooks.create", order, key=dev.owner_key, surface="admin")
    assert made.status_code == 200, made.text
    yield made.json()
    dev.call("webhooks.delete", {"id": made.json()["id"]}, key=dev.owner_key, surface="admin")


def a_project(dev: Dev, key: str) -> str:
    answer = dev.call("projects.create", {"key": key, "name": key}, key=dev.owner_key)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


def delivery(dev: Dev, webhook: dict[str, Any]) -> Any:
    rows = dev.call("webhookDeliveries.list", key=dev.owner_key, surface="admin").json()["data"]
    return next((row for row in rows if row.get("webhookId") == webhook["id"]), None)


def test_an_event_reaches_a_receiver_on_this_machine(dev: Dev, site: Site, webhook: dict[str, Any]) -> None:
    project_id = a_project(dev, "HOOKED")

    def posted() -> list[tuple[Mapping[str, str], bytes]]:
        """What has come about this project: another one may just have been made before."""
        posts = [(headers, raw) for _, _, headers, raw in site.asked]
        return [one for one in posts if json.loads(one[1])["subjectId"] == project_id]

    eventually(lambda: len(posted()) == 1, "a post")

    ((headers, raw),) = posted()
    assert headers["x-webhook-signature"] == hmac.new(SECRET.encode(), raw, sha256).hexdigest()


def test_what_failed_is_tried_again_when_the_clock_moves(
    dev: Dev, site: Site, webhook: dict[str, Any]
) -> None:
    site.pages["/"] = (503, {}, b"later")
    a_project(dev, "RETRIED")
    eventually(lambda: (delivery(dev, webhook) or {}).get("status") == "FAILED", "a failed try")
    site.pages["/"] = (200, {}, b"")

    dev.advance(30)

    eventually(lambda: delivery(dev, webhook)["status"] == "SUCCESS", "a try that was taken")
    assert [*{len(site.asked), delivery(dev, webhook)["attempt"]}] == [2]
