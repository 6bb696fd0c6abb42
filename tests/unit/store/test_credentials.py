"""Credentials: from the environment, or from the agent beside a container, replaced before they end."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from forge.store.answers import NoAnswer
from forge.store.credentials import EARLY, Source, find_source
from forge.store.signing import Credentials
from forge.testing.clock import FakeClock
from tests.unit.store.local_server import LocalServer, Received, http, serving

LIFE = timedelta(hours=1)


def handing_out(clock: FakeClock, *, life: timedelta = LIFE) -> Callable[[Received], bytes]:
    """An agent that hands out new credentials each time, numbered."""
    handed: list[int] = []

    def respond(received: Received) -> bytes:
        handed.append(1)
        until = f"{clock() + life:%Y-%m-%dT%H:%M:%SZ}"
        return http(a_handout(f"key-{len(handed)}", until))

    return respond


def a_handout(access_key: str, until: str) -> bytes:
    answer = {"AccessKeyId": access_key, "SecretAccessKey": "secret", "Token": "token", "Expiration": until}
    return json.dumps(answer).encode()


def container(server: LocalServer, clock: FakeClock, **more: str) -> Source:
    environment = {"AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{server.url}/creds?id=1"} | more
    source = find_source(environment, now=clock)
    assert source is not None
    return source


@pytest.mark.parametrize("token", [None, "token"])
def test_a_pair_in_the_environment_is_used_with_the_token_of_its_session(token: str | None) -> None:
    session = {"AWS_SESSION_TOKEN": token} if token else {}
    source = find_source({"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", **session})

    assert source is not None
    assert source() == Credentials("key", "secret", token)


AGENT = {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/"}


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"AWS_ACCESS_KEY_ID": "key"},
        {"AWS_SECRET_ACCESS_KEY": "secret"},
        AGENT | {"AWS_PROFILE": "work"},
        AGENT | {"AWS_WEB_IDENTITY_TOKEN_FILE": "/token"},
        {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://example.com/"},
    ],
)
def test_anything_else_is_left_to_botocore(environment: Mapping[str, str]) -> None:
    assert find_source(environment) is None


@pytest.mark.parametrize(
    "environment",
    [
        AGENT,
        {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials"},
        {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "https://example.com/"},
        {"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/credentials/1"},
    ],
)
def test_an_agent_that_can_be_trusted_is_asked(environment: Mapping[str, str]) -> None:
    assert find_source(environment) is not None


def test_the_agent_is_asked_as_it_wants_to_be_with_the_first_request(clock: FakeClock) -> None:
    with serving(handing_out(clock)) as server:
        source = container(server, clock, AWS_CONTAINER_AUTHORIZATION_TOKEN="allowed")
        assert server.received == []

        assert source() == Credentials("key-1", "secret", "token")
        (asked,) = server.received
        assert asked.line == "GET /creds?id=1 HTTP/1.1"
        assert asked.headers["authorization"] == "allowed"


def test_a_token_in_a_file_is_read_anew_each_time(tmp_path: Path) -> None:
    clock, file = FakeClock(), tmp_path / "token"
    with serving(handing_out(clock)) as server:
        source = container(server, clock, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=str(file))
        for token in ("first", "second"):
            file.write_text(f"{token}\n")
            source()
            clock.advance(hours=1)

        assert [asked.headers["authorization"] for asked in server.received] == ["first", "second"]


def test_a_token_that_would_be_more_than_a_header_is_not_sent(tmp_path: Path) -> None:
    clock, file = FakeClock(), tmp_path / "token"
    file.write_text("one\r\nx-more: two")
    with serving(handing_out(clock)) as server:
        source = container(server, clock, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=str(file))

        with pytest.raises(NoAnswer):
            source()
        assert server.received == []


def test_credentials_are_used_until_a_few_minutes_before_their_end(clock: FakeClock) -> None:
    with serving(handing_out(clock)) as server:
        source = container(server, clock)
        source()
        clock.advance(seconds=(LIFE - EARLY).total_seconds() - 1)
        assert source().access_key == "key-1"

        clock.advance(seconds=1)

        assert source().access_key == "key-2"
        assert source().access_key == "key-2"


def test_while_the_agent_is_away_credentials_are_used_to_their_end(clock: FakeClock) -> None:
    give = handing_out(clock)

    def away_later(received: Received) -> bytes:
        return give(received) if len(server.received) == 1 else http(b"busy", status=503)

    with serving(away_later) as server:
        source = container(server, clock)
        source()
        clock.advance(seconds=(LIFE - EARLY).total_seconds())

        # Asked once, and then not with every request.
        assert {source().access_key for _ in range(5)} == {"key-1"}
        assert len(server.received) == 2

        clock.advance(seconds=EARLY.total_seconds())
        with pytest.raises(NoAnswer):
            source()


def test_credentials_that_end_soon_anyway_are_not_asked_for_with_every_request(clock: FakeClock) -> None:
    with serving(handing_out(clock, life=timedelta(minutes=2))) as server:
        source = container(server, clock)

        assert {source().access_key for _ in range(5)} == {"key-1"}


def test_threads_that_need_credentials_at_once_ask_once(clock: FakeClock) -> None:
    with serving(handing_out(clock)) as server, ThreadPoolExecutor(8) as threads:
        source = container(server, clock)

        found = set(threads.map(lambda _: source().access_key, range(32)))

        assert found == {"key-1"}


@pytest.mark.parametrize(
    "answer",
    [
        http(b"no", status=403),
        http(b"not json"),
        http(b"[]"),
        http(b"{}"),
        http(a_handout("key", "soon")),
    ],
)
def test_an_agent_that_gives_none_is_no_answer(clock: FakeClock, answer: bytes) -> None:
    with serving(lambda received: answer) as server, pytest.raises(NoAnswer):
        container(server, clock)()
