"""Secrets are fetched once in a while, and what can't be had says why."""

from itertools import count

import pytest

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
