"""A deployment in which people sign in."""

from collections.abc import Callable, Iterator
from itertools import count
from socket import create_connection, socket
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from forge.outbound.outbound import Outbound
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.engine import forget_tenant
from forge.testing.world import World
from forge.wire.edge import Backend, Edge, Options
from forge.wire.settings import SIGN_IN
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.unit.oauth.site import PUBLIC, NoTls, Site
from tests.unit.store.local_server import LastWords, Received, http, serving
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


@pytest.fixture
def site(connections: Connections) -> Iterator[Site]:
    says: dict[str, bytes] = {}
    names = {"client.example": [PUBLIC]}

    def respond(received: Received) -> bytes:
        path = received.line.split(" ")[1]
        return LastWords(says.get(path, http(b"", status=404)))

    with serving(respond) as server:

        def resolve(name: str, port: int) -> list[str]:
            known = names[name]
            return [known.pop(0) if len(known) > 1 else known[0]]

        def connect(address: str, port: int, *, seconds: float) -> socket:
            assert address == PUBLIC, "somebody asks what is not everybody's"
            return create_connection(server.listener.getsockname(), timeout=seconds)

        world = World(store=provision(connections, "forge-documents"), public_url=ORIGIN)
        tls: Callable[[], Any] = NoTls
        services = world.services._replace(outbound=Outbound(resolve, connect, tls))
        options = Options(oauth=SIGN_IN, write_log=world.log.append)
        world.edge = Edge(world.edge.catalog, Backend(world.keeper.keys, services), options)
        world.clock.advance(days=100 * 365 + len(world.log))
        workspace = world.add_workspace(f"doc{world.ids('n')[-6:]}")
        found = Site(Desk(world, workspace, Browser(ORIGIN, sender(world))), server.received, says, names)
        found.tells()
        yield found
        table = world.services.store.table
        for row in table.client.ask("Scan", {"TableName": table.name})["Items"]:
            table.client.ask(
                "DeleteItem", {"TableName": table.name, "Key": {n: row[n] for n in ("pk", "sk")}}
            )
