"""A deployment with single sign-on, and the provider that people come from."""

from collections.abc import Iterator
from itertools import count
from urllib.parse import urlsplit

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.engine import forget_tenant
from forge.testing.openid import OpenIdProvider
from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.settings import SIGN_IN
from tests.unit.oauth.conftest import sender
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.unit.oauth.people.team import Team
from tests.workshop.browser import Browser

_numbers = count(1)


@pytest.fixture(scope="session")
def there() -> Iterator[OpenIdProvider]:
    provider = OpenIdProvider()
    with provider.serve():
        yield provider


def settings_of(there: OpenIdProvider) -> dict[str, str]:
    return {
        "FORGE_OIDC_ISSUER": there.issuer,
        "FORGE_OIDC_CLIENT_ID": there.client_id,
        "FORGE_OIDC_SECRET": there.client_secret,
        "FORGE_OIDC_NAME": "Example ID",
        "FORGE_OIDC_LOOPBACK": "1",
    }


@pytest.fixture(scope="session")
def sso_world(connections: Connections, there: OpenIdProvider) -> World:
    store = provision(connections, "forge-oidc")
    options = Options(oauth=SIGN_IN, oidc=settings_of(there))
    world = World(store=store, options=options, public_url=ORIGIN, own_machine=True)
    world.web.here.add(int(urlsplit(there.issuer).port or 0))
    # The emulator purges what has expired by its own clock, which must never be ahead of ours.
    world.clock.advance(days=100 * 365)
    there.now = lambda: world.clock().timestamp()
    return world


@pytest.fixture
def team(sso_world: World, there: OpenIdProvider) -> Iterator[Team]:
    """A workspace of its own, whose people have a domain of their own."""
    number = next(_numbers)
    workspace = sso_world.add_workspace(f"sso{number}")
    desk = Desk(sso_world, workspace, Browser(ORIGIN, sender(sso_world)))
    there.more.clear()
    yield Team(desk, there, f"example{number}.com")
    forget_tenant(sso_world.services.store.table.name, workspace.id)
