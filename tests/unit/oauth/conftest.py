"""A deployment in which people sign in."""

from collections.abc import Iterator
from itertools import count
from urllib.parse import parse_qsl, urlsplit

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.engine import forget_tenant
from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.settings import SIGN_IN
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.workshop.browser import Browser, Headers

_numbers = count(1)


@pytest.fixture(scope="session")
def signing_world(connections: Connections) -> World:
    """One deployment for many tests: each has a workspace of its own."""
    store = provision(connections, "forge-oauth")
    world = World(store=store, options=Options(oauth=SIGN_IN), public_url=ORIGIN)
    # The emulator purges what has expired by its own clock, which must never be ahead of ours.
    world.clock.advance(days=100 * 365)
    return world


@pytest.fixture
def desk(signing_world: World) -> Iterator[Desk]:
    # What strangers may do in an hour is not shared with another test.
    signing_world.clock.advance(hours=2)
    workspace = signing_world.add_workspace(f"oa{next(_numbers)}")
    yield Desk(signing_world, workspace, Browser(ORIGIN, sender(signing_world)))
    forget_tenant(signing_world.services.store.table.name, workspace.id)


def sender(world: World):  # type: ignore[no-untyped-def]  # see `browser.Send`
    def send(method: str, url: str, headers: dict[str, str], body: str) -> tuple[int, Headers, str]:
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        answer = world.send(body, method=method, path=parts.path, headers=headers, query=query)
        return answer.status, answer.headers, answer.body

    return send
