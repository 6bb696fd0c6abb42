"""What a provider tells of itself, fetched through the one way out, and no oftener than it has to be."""

from collections.abc import Iterator

import pytest

from forge.errors import Unavailable
from forge.outbound.outbound import Outbound
from forge.testing.clock import FakeClock
from forge.testing.openid import OpenIdProvider
from functions.oauth.people.discovery import Discovery
from functions.oauth.people.providers import IdentityProvider


@pytest.fixture(scope="module")
def there() -> Iterator[OpenIdProvider]:
    provider = OpenIdProvider()
    with provider.serve():
        yield provider


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def a_discovery(there: OpenIdProvider, clock: FakeClock, *, is_local: bool = True) -> Discovery:
    there.asked.clear()
    return Discovery(IdentityProvider(there.issuer, "forge", is_local=is_local), Outbound(), clock)


def test_what_was_fetched_does_for_an_hour(there: OpenIdProvider, clock: FakeClock) -> None:
    discovery = a_discovery(there, clock)

    for _ in range(3):
        assert discovery.metadata().jwks_uri == f"{there.issuer}/keys"
        assert discovery.keys()
    assert len(there.asked) == 2

    clock.advance(minutes=61)
    discovery.keys()
    assert len(there.asked) == 4


def test_keys_are_fetched_again_once_a_minute_at_most(there: OpenIdProvider, clock: FakeClock) -> None:
    discovery = a_discovery(there, clock)
    discovery.keys()

    for _ in range(5):
        discovery.keys(again=True)
    assert there.asked.count("/keys") == 1

    clock.advance(seconds=61)
    for _ in range(5):
        discovery.keys(again=True)
    assert there.asked.count("/keys") == 2


def test_what_is_known_does_for_a_day_when_the_provider_is_away(clock: FakeClock) -> None:
    gone = OpenIdProvider()
    with gone.serve():
        discovery = a_discovery(gone, clock)
        before = discovery.keys()
    clock.advance(hours=2)

    assert discovery.keys() == before
    clock.advance(hours=23)
    with pytest.raises(Unavailable):
        discovery.keys()


def test_a_provider_that_calls_itself_otherwise_is_not_the_one(clock: FakeClock) -> None:
    liar = OpenIdProvider()
    with liar.serve() as address:
        discovery = Discovery(IdentityProvider(f"{address}/", "forge", is_local=True), Outbound(), clock)
        with pytest.raises(Unavailable):
            discovery.metadata()


def test_this_machine_is_not_asked_where_it_was_not_said(there: OpenIdProvider, clock: FakeClock) -> None:
    with pytest.raises(Unavailable):
        a_discovery(there, clock, is_local=False).metadata()
    assert there.asked == []


def test_a_provider_whose_addresses_are_not_encrypted_is_none(clock: FakeClock) -> None:
    class Careless(OpenIdProvider):
        def metadata(self) -> dict[str, object]:
            return {**super().metadata(), "token_endpoint": "http://idp.example.com/token"}

    careless = Careless()
    with careless.serve() as address:
        discovery = Discovery(IdentityProvider(address, "forge", is_local=True), Outbound(), clock)
        with pytest.raises(Unavailable):
            discovery.metadata()
