"""Calls of a worker: repeated under one key until somebody answers."""

import httpx
import pytest

from forge.cli.worker.server.client import FOR_EVER, Refused, Server, Stopping, Unreachable, Where

TAKEN = {"error": "conflict", "message": "Another session has it.", "details": {"reason": "taken-over"}}


class Weather:
    """A server with troubles, one after the other, and how long was waited for it."""

    def __init__(self, *answers: httpx.Response | Exception, patience_ends_after: int = 100) -> None:
        self._answers = [*answers]
        self._left = patience_ends_after
        self.keys: list[str] = []
        self.waits: list[float] = []

    def server(self) -> Server:
        http = httpx.Client(transport=httpx.MockTransport(self._handle))
        return Server(Where("http://forge.test", "key", "box-1"), http, self._pause, lambda most: most)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        assert request.headers["x-forge-session"] == "box-1"
        self.keys.append(request.headers["idempotency-key"])
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _pause(self, seconds: float) -> bool:
        self.waits.append(seconds)
        return len(self.waits) >= self._left


def fine() -> httpx.Response:
    return httpx.Response(200, json={"ok": True})


def test_a_call_is_repeated_under_the_same_key_until_it_is_answered() -> None:
    weather = Weather(
        httpx.ConnectError("refused"),
        httpx.Response(503, json={"error": "unavailable"}),
        httpx.Response(502, text="<html>"),
        httpx.ReadTimeout("slow"),
        fine(),
    )

    assert weather.server().call("runs.list", {}) == {"ok": True}
    assert len(set(weather.keys)) == 1
    assert weather.waits == [0.25, 0.5, 1.0, 2.0]


def test_a_server_that_says_when_is_asked_then() -> None:
    weather = Weather(httpx.Response(429, headers={"retry-after": "7"}, json={}), fine())

    weather.server().call("runs.list", {})

    assert weather.waits == [7.0]


def test_nobody_is_waited_for_all_day() -> None:
    weather = Weather(httpx.Response(503, headers={"retry-after": "86400"}, json={}), fine())

    weather.server().call("runs.list", {}, patience=FOR_EVER)

    assert weather.waits == [300.0]


def test_a_refusal_is_told_at_once_and_says_whether_the_work_was_taken_over() -> None:
    weather = Weather(httpx.Response(409, json=TAKEN))

    with pytest.raises(Refused) as refused:
        weather.server().call("runs.complete", {})

    assert refused.value.is_taken_over
    assert weather.waits == []


def test_patience_ends_but_for_what_must_not_be_lost() -> None:
    troubles = [httpx.Response(500, json={})] * 20

    with pytest.raises(Unreachable):
        Weather(*troubles).server().call("runs.list", {}, patience=10)
    assert Weather(*troubles, fine()).server().call("runs.list", {}, patience=FOR_EVER) == {"ok": True}


def test_a_worker_that_ends_waits_for_nobody() -> None:
    with pytest.raises(Stopping):
        Weather(httpx.ConnectError("refused"), patience_ends_after=1).server().call("runs.list", {})
