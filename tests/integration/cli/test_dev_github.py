"""A backlog on GitHub, on one machine: what is decided here is done there, without anybody asking."""

from collections.abc import Iterator
from typing import Any

import pytest

from forge.testing.github import FakeGitHub
from tests.integration.cli.dev_process import Dev
from tests.integration.cli.processes import eventually

NAME = "acme/app"


@pytest.fixture
def github(dev: Dev) -> Iterator[FakeGitHub]:
    with FakeGitHub() as running:
        order = {"fullName": NAME, "provider": "github", "connection": {"baseUrl": running.base_url}}
        made = dev.call("repositories.register", order, key=dev.owner_key, surface="admin")
        assert made.status_code == 200, made.text
        yield running
        dev.call("repositories.remove", {"fullName": NAME}, key=dev.owner_key, surface="admin")


def called(dev: Dev, tool: str, **arguments: Any) -> Any:
    answer = dev.call(tool, {"repository": NAME, **arguments}, key=dev.owner_key)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["success"] is True, body
    return body


def test_work_under_a_lock_is_seen_on_github(dev: Dev, github: FakeGitHub) -> None:
    app = github.add_repository(NAME)
    made = called(dev, "create_issue", title="Login hangs", priority="high", type="bug")
    number = made["issue"]["number"]

    selected = called(dev, "select_next_issue")
    eventually(lambda: "status:in-progress" in app.labels_of(number), "its label")
    called(dev, "release_lock", issueNumber=number, reason="merged")
    eventually(lambda: app.issues[number]["state"] == "closed", "its end")

    assert selected["issue"]["number"] == number
    assert selected["issue"]["html_url"] == app.issues[number]["html_url"]
