"""The dev clock over HTTP: it moves forward, and what falls due happens."""

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from forge.cli.dev_clock import CLOCK_PATH, MAX_STEP_SECONDS
from forge.errors import ErrorCode
from forge.wire.paths import HEALTH_PATH
from forge.work.record.log.kinds import EventKind
from forge.work.workspace.people.agents import AgentStatus
from tests.integration.cli.dev_process import Dev


def status_of(dev: Dev, profile_key: str) -> str:
    agents = dev.call("agents.list", key=dev.owner_key).json()["data"]
    (found,) = [agent["status"] for agent in agents if agent["profileKey"] == profile_key]
    return str(found)


def status_changes(dev: Dev, agent_id: str) -> list[Any]:
    """Newest first."""
    about = {"subjectType": "agent", "subjectId": agent_id, "kinds": [EventKind.AGENT_STATUS_CHANGED]}
    response = dev.call("events.recent", about, key=dev.owner_key)
    return list(response.json()["data"])


def test_an_agent_that_falls_silent_goes_offline_when_the_clock_moves(dev: Dev) -> None:
    workspace = dev.call("workspaces.get", key=dev.owner_key, surface="admin").json()
    timeout = timedelta(minutes=workspace["agentIdleTimeoutMinutes"])
    worker = dev.description["agents"]["worker"]["id"]
    beat = dev.call("agents.heartbeat", key=dev.description["keys"]["agents"]["worker"])

    dev.advance(timeout.total_seconds() / 2)
    status_halfway = status_of(dev, "worker")
    dev.advance(timeout.total_seconds())

    assert (beat.status_code, beat.json()["status"]) == (200, AgentStatus.ONLINE)
    assert status_halfway == AgentStatus.ONLINE
    assert status_of(dev, "worker") == AgentStatus.OFFLINE
    payload = status_changes(dev, worker)[0]["payload"]
    assert (payload["from"], payload["to"]) == (AgentStatus.ONLINE, AgentStatus.OFFLINE)
    assert payload["reason"] == "heartbeat-timeout"


def test_answers_bear_the_time_of_the_clock_once(dev: Dev) -> None:
    """The console goes by it."""
    now = datetime.fromisoformat(dev.advance(3600)["now"])

    (told,) = dev.get(HEALTH_PATH).headers.get_list("date")

    assert abs(parsedate_to_datetime(told) - now) < timedelta(seconds=60)


def test_the_clock_moves_by_what_was_asked_for(dev: Dev) -> None:
    before = dev.now()

    after = datetime.fromisoformat(dev.advance(3600.5)["now"])

    assert after - before >= timedelta(seconds=3600.5)
    heard = dev.call("agents.heartbeat", key=dev.description["keys"]["agents"]["planner"]).json()
    assert datetime.fromisoformat(heard["lastHeartbeatAt"]) >= after


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b"3600",
        b'{"advanceSeconds": ',
        b'{"advanceSeconds": "3600"}',
        b'{"advanceSeconds": null}',
        b'{"advanceSeconds": true}',
        b'{"advanceSeconds": NaN}',
        b'{"advanceSeconds": 1e999}',
        b'{"advanceSeconds": -1}',
        b'{"advanceSeconds": -0.001}',
        b'{"advanceSeconds": %d}' % (MAX_STEP_SECONDS + 1),
        b"\xff\xfe",
        b"[" * 100_000,
    ],
    ids=lambda body: repr(body[:30]),
)
def test_what_is_no_step_forward_is_refused_and_moves_nothing(dev: Dev, body: bytes) -> None:
    before = dev.now()

    response = dev.post(CLOCK_PATH, body)

    assert response.status_code == 400
    assert response.json()["error"] == ErrorCode.INVALID_INPUT
    assert "advanceSeconds" in response.json()["issues"]
    # It ticks by itself, but by less than the smallest step that was asked for.
    assert timedelta(0) <= dev.now() - before < timedelta(minutes=30)


@pytest.mark.parametrize(
    "header",
    [("host", "forge.example"), ("host", "127.0.0.1.forge.example"), ("origin", "https://x.example")],
)
def test_a_page_elsewhere_cannot_move_the_clock(dev: Dev, header: tuple[str, str]) -> None:
    before = dev.now()

    response = dev.post(CLOCK_PATH, {"advanceSeconds": 86400}, **dict([header]))

    assert response.status_code == 403
    assert response.json()["error"] == ErrorCode.FORBIDDEN
    assert dev.now() - before < timedelta(hours=12)


def test_the_clock_is_not_read_by_moving_it(dev: Dev) -> None:
    """Only POST moves it: a link that somebody follows does not."""
    before = dev.now()

    response = dev.get(CLOCK_PATH)

    assert response.status_code == 405
    assert dev.now() - before < timedelta(hours=12)
