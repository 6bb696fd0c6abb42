"""GitHub is asked as the workspace that registered the repository, and never as another."""

import json
from collections.abc import Iterator
from itertools import count

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from forge.github.calls import Site
from forge.github.credentials import GitHubGrant, Means, token_for
from forge.github.failures import GitHubRefused, NotThere
from forge.outbound.outbound import Outbound
from forge.store.connections import Connections
from forge.store.secrets import Secrets
from forge.testing.clock import FakeClock
from forge.testing.github import FakeGitHub
from tests.unit.github.asking import THIS_MACHINE

_numbers = count(1)


class Office:
    """A workspace of its own, with a GitHub whose clock is the same."""

    def __init__(self, connections: Connections, github: FakeGitHub, clock: FakeClock) -> None:
        self.workspace_id = f"ws_credentials{next(_numbers)}"
        self.github = github
        self.clock = clock
        self._client = connections.secrets()
        self.means = Means(
            Secrets(connections.secrets), Outbound(), Site(github.base_url, THIS_MACHINE), clock
        )

    def keep(self, name: str, text: str) -> str:
        """A secret of the workspace; its ARN."""
        full = f"forge/github/{self.workspace_id}/{name}"
        return str(self._client.create_secret(Name=full, SecretString=text)["ARN"])

    def token(self, **connection: str) -> str:
        return token_for(GitHubGrant(self.workspace_id, **connection), self.means)


@pytest.fixture
def office(connections: Connections) -> Iterator[Office]:
    clock = FakeClock()
    with FakeGitHub(now=clock) as github:
        yield Office(connections, github, clock)


@pytest.fixture(scope="module")
def key_pair() -> tuple[str, str]:
    """The private and the public half."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    own = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    shown = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return own.decode(), shown.decode()


@pytest.mark.parametrize("text", ["ghp_mine", "ghp_mine\n", '{"token": "ghp_mine"}'])
def test_a_token_is_the_secret_s_text_or_its_field(office: Office, text: str) -> None:
    arn = office.keep("token", text)

    assert office.token(token_secret=arn) == "ghp_mine"


def test_another_workspace_s_secret_is_not_even_fetched(office: Office, connections: Connections) -> None:
    theirs = Office(connections, office.github, office.clock)
    arn = theirs.keep("token", "ghp_theirs")

    for name in (arn, f"forge/github/{theirs.workspace_id}/token"):
        with pytest.raises(GitHubRefused) as caught:
            office.token(token_secret=name)
        assert "ghp_theirs" not in caught.value.message

    assert theirs.token(token_secret=arn) == "ghp_theirs"


@pytest.mark.parametrize("text", ['{"other": 1}', '{"token": 5}', "{broken"])
def test_an_object_without_a_token_is_refused(office: Office, text: str) -> None:
    arn = office.keep("token", text)

    with pytest.raises(GitHubRefused):
        office.token(token_secret=arn)


def test_a_secret_that_is_not_there_is_refused_with_its_name(office: Office) -> None:
    name = f"forge/github/{office.workspace_id}/gone"

    with pytest.raises(GitHubRefused) as caught:
        office.token(token_secret=name)

    assert name in caught.value.message


def test_without_any_credentials_an_admin_is_told_which_secret_to_make(office: Office) -> None:
    with pytest.raises(GitHubRefused) as caught:
        office.token()

    assert f"forge/github/{office.workspace_id}/token" in caught.value.message
    assert office.token(own_token="ghp_at_home") == "ghp_at_home"


def test_an_app_gets_a_token_of_its_installation_and_keeps_it_until_shortly_before_its_end(
    office: Office, key_pair: tuple[str, str]
) -> None:
    private, public = key_pair
    office.keep("app", json.dumps({"appId": 7, "privateKey": private}))
    office.github.add_installation("42", app_id="7", public_key=public)

    tokens = [office.token(installation_id="42")]
    for minutes in (54, 1):
        office.clock.advance(minutes=minutes)
        tokens.append(office.token(installation_id="42"))

    assert tokens == ["ghs_42_1", "ghs_42_1", "ghs_42_2"]
    assert [one.path for one in office.github.requests] == ["/app/installations/42/access_tokens"] * 2


def test_an_app_s_token_opens_the_repository(office: Office, key_pair: tuple[str, str]) -> None:
    private, public = key_pair
    office.keep("app", json.dumps({"appId": "7", "privateKey": private}))
    office.github.add_installation("42", app_id="7", public_key=public)

    assert office.token(installation_id="42") in office.github.issued


@pytest.mark.parametrize(
    "app",
    [
        {"appId": "7", "privateKey": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"},
        {"appId": "7", "privateKey": 5},
        {"privateKey": "x"},
        [],
    ],
)
def test_an_app_whose_key_is_none_is_refused_without_a_word_of_it(office: Office, app: object) -> None:
    office.keep("app", json.dumps(app))

    with pytest.raises(GitHubRefused) as caught:
        office.token(installation_id="42")

    assert "AAAA" not in caught.value.message
    assert office.github.requests == []


def test_another_app_s_installation_is_not_had(office: Office, key_pair: tuple[str, str]) -> None:
    private, public = key_pair
    office.keep("app", json.dumps({"appId": "8", "privateKey": private}))
    office.github.add_installation("42", app_id="7", public_key=public)

    with pytest.raises(GitHubRefused):
        office.token(installation_id="42")
    with pytest.raises(NotThere):
        office.token(installation_id="43")
