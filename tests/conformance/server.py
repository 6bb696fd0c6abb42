"""This server with its conformance fixtures, in memory, on a free loopback port."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic, sleep

import uvicorn

from forge.testing.world import World
from forge.wire.edge import Edge
from forge.wire.settings import Settings
from forge.wire.web import create_app
from tests.conformance.proxy import HOST

_HOSTS = {"FORGE_ALLOWED_HOSTS": "localhost 127.0.0.1 ::1"}
_MAX_START_SECONDS = 30


def a_world(*, with_fixtures: bool) -> World:
    """With them the suite finds the fixtures in place of what is really offered."""
    switch = {"FORGE_CONFORMANCE_FIXTURES": "1"} if with_fixtures else {}
    return World(options=Settings.read({**_HOSTS, **switch}).options())


@contextmanager
def serving(edge: Edge) -> Iterator[int]:
    """The port on which the edge is served."""
    config = uvicorn.Config(create_app(edge), log_level="warning", access_log=False, lifespan="off")
    server = uvicorn.Server(config)
    with socket.create_server((HOST, 0)) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            _wait_until_started(server, thread)
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(timeout=_MAX_START_SECONDS)


def _wait_until_started(server: uvicorn.Server, thread: Thread) -> None:
    deadline = monotonic() + _MAX_START_SECONDS
    while not server.started:
        if not thread.is_alive() or monotonic() > deadline:
            raise RuntimeError("the server did not start")
        sleep(0.01)
