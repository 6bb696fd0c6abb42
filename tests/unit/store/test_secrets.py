"""Secrets are fetched once in a while, and what can't be had says why."""

from datetime import datetime, timedelta
from itertools import count

import pytest

from forge.auth.tokens import SigningSecrets, Tokens
from forge.errors import Unauthorized
from forge.store.connections import Connections
from forge.store.secrets import Kept, NoSecret, Secrets, versions_of
from forge.testing.clock import NOON, FakeClock

_numbers = count(1)


def a_secret(connections: Connections, **content: object) -> str:
    name = f"forge/test/{next(_numbers)}"
    connections.secrets().create_secret(Name=name, **content)
    return name


def test_a_secret_is_had_by_name_and_by_arn(connections: Connections) -> None:
    name = a_secret(connections, SecretString="sesame")
    arn = connections.secrets().describe_secret(SecretId=name)["ARN"]
    secrets = Secrets(connections.secrets)

    assert [secrets.text(given, now=NOON) for given in (name, arn)] == ["sesame", "sesame"]


def test_a_secret_is_fetched_anew_after_five_minutes(clock: FakeClock, connections: Connections) -> None:
    name = a_secret(connections, SecretString="first")
    secrets = Secrets(connections.secrets)
    read = [secrets.text(name, now=clock())]
    connections.secrets().put_secret_value(SecretId=name, SecretString="second")

    for minutes in (4, 1):
        clock.advance(minutes=minutes)
        read.append(secrets.text(name, now=clock()))

    assert read == ["first", "first", "second"]


def test_what_is_missing_or_no_text_is_no_secret_and_is_looked_for_again(connections: Connections) -> None:
    secrets = Secrets(connections.secrets)
    binary = a_secret(connections, SecretBinary=b"\x00")
    later = "forge/test/later"

    for name in (binary, later):
        with pytest.raises(NoSecret):
            secrets.text(name, now=NOON)
    connections.secrets().create_secret(Name=later, SecretString="there")

    assert secrets.text(later, now=NOON) == "there"


def test_what_was_made_is_kept_as_long_as_it_holds(clock: FakeClock, connections: Connections) -> None:
    secrets = Secrets(connections.secrets)
    made = count(1)

    def ask() -> str:
        until = clock().replace(minute=30)
        return secrets.kept("a token", now=clock(), make=lambda: Kept(str(next(made)), until))

    first = [ask(), ask()]
    clock.advance(minutes=30)

    assert (first, ask()) == (["1", "1"], "2")


def test_a_secret_that_was_put_anew_still_tells_what_it_was(connections: Connections) -> None:
    client = connections.secrets()
    name = a_secret(connections, SecretString="first")
    before = versions_of(client, name)
    client.put_secret_value(SecretId=name, SecretString="second")
    after = versions_of(client, name)
    client.put_secret_value(SecretId=name, SecretString="third")

    assert before[:2] == ("first", None)
    assert after[:2] == ("second", "first")
    assert before[2] <= after[2]
    assert versions_of(client, name)[:2] == ("third", "second")


def test_a_token_is_good_in_every_process_while_its_secret_is_rotated(connections: Connections) -> None:
    client = connections.secrets()
    name = a_secret(connections, SecretString="first" * 8)

    def a_process() -> Tokens:
        return Tokens(lambda: SigningSecrets(*versions_of(client, name)))

    def minted(by: Tokens, now: datetime) -> str:
        return by.mint(subject="key_1", workspace_id="ws_1", key_hash="hash", now=now)[0]

    old = a_process()
    rotated_at = versions_of(client, name)[2]
    before = minted(old, rotated_at)
    client.put_secret_value(SecretId=name, SecretString="second" * 8)
    rotated_at = versions_of(client, name)[2]
    fresh = a_process()

    # Each takes what the other mints: at once, and whenever it looks again.
    for minutes in (0, 1, 4, 6, 11, 14):
        now = rotated_at + timedelta(minutes=minutes)
        for by, taker in ((old, fresh), (fresh, old)):
            assert taker.key_hash_of(minted(by, now), now) == "hash"
    assert fresh.key_hash_of(before, rotated_at + timedelta(minutes=4)) == "hash"
    last = rotated_at + timedelta(minutes=16)
    with pytest.raises(Unauthorized):
        a_process().key_hash_of(minted(Tokens(lambda: SigningSecrets("first" * 8)), last), last)
