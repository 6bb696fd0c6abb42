"""An edge on a real loopback port, for clients that speak HTTP and nothing else."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import uvicorn

from forge.wire.edge import Edge
from forge.wire.web import create_app

HOST = "127.0.0.1"


@contextmanager
def serve(edge: Edge) -> Iterator[str]:
    """Serve the edge from a thread while the block runs; gives its base URL."""
    # Listening before the server starts, so that a client's first request waits for it in the backlog.
    with socket.create_server((HOST, 0)) as listener:
        # An answer is written in two parts: the second would wait for the client to acknowledge the first.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        config = uvicorn.Config(create_app(edge), log_config=None, access_log=False, lifespan="off")
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, name="forge-test-server")
        thread.start()
        try:
            yield f"http://{HOST}:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
