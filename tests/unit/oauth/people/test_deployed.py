"""In a stack the settings are a secret that may change while a process lives."""

from typing import Any

import pytest

from forge.store.answers import Refused
from forge.store.secrets import Secrets
from forge.testing.clock import FakeClock
from forge.testing.world import World
from functions.oauth.people.deployed import Deployed

NAME = "forge/stack/oidc/settings"


class Vault:
    """Secrets Manager with one secret, or none."""

    def __init__(self, **told: str) -> None:
        self.text = "\n".join(f"FORGE_OIDC_{name}={value}" for name, value in told.items())
        self.asked = 0

    def get_secret_value(self, **_: Any) -> dict[str, Any]:
        self.asked += 1
        if not self.text:
            raise Refused("ResourceNotFoundException", "there is none")
        return {"SecretString": self.text}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def a_deployment(vault: Vault, clock: FakeClock) -> Deployed:
    services = World(clock=clock).services
    secrets = Secrets(lambda: vault)
    store = services.store.__class__(
        services.store.table, services.store.blobs, services.store.queues, secrets=secrets
    )
    return Deployed({"FORGE_OIDC_SETTINGS": NAME}, services._replace(store=store))


def test_the_secret_names_the_provider(clock: FakeClock) -> None:
    found = a_deployment(
        Vault(ISSUER="https://idp.example.com", CLIENT_ID="forge", NAME="Example ID", SECRET_NAME=""), clock
    ).single_sign_on()

    assert found is not None
    assert found.provider.name == "Example ID"


def test_what_was_learned_of_a_provider_stays_while_the_settings_do(clock: FakeClock) -> None:
    vault = Vault(ISSUER="https://idp.example.com", CLIENT_ID="forge")
    deployed = a_deployment(vault, clock)
    first = deployed.single_sign_on()

    clock.advance(minutes=6)
    assert deployed.single_sign_on() is first
    assert vault.asked == 2

    vault.text += "\nFORGE_OIDC_WORKSPACE=acme"
    clock.advance(minutes=6)
    changed = deployed.single_sign_on()
    assert changed is not None
    assert changed.provider.workspace == "acme"


def test_without_the_secret_there_is_none_and_it_is_seldom_asked_for(clock: FakeClock) -> None:
    vault = Vault()
    deployed = a_deployment(vault, clock)

    for _ in range(5):
        assert deployed.single_sign_on() is None
    assert vault.asked == 1
    assert deployed.problem == ""


def test_settings_that_can_not_be_are_told_until_they_are_mended(clock: FakeClock) -> None:
    vault = Vault(ISSUER="http://idp.example.com", CLIENT_ID="forge")
    deployed = a_deployment(vault, clock)

    assert deployed.single_sign_on() is None
    assert "https://" in deployed.problem

    vault.text = vault.text.replace("http:", "https:")
    clock.advance(minutes=6)
    assert deployed.single_sign_on() is not None
    assert deployed.problem == ""
