"""`forge dev`: the whole product on loopback, with an embedded AWS and a demo workspace."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, NamedTuple

import uvicorn
from rich.console import Console

from forge.auth.tokens import SigningSecrets
from forge.cli import clients, function_variables
from forge.cli.builds import build_at
from forge.cli.call_log import CallLog
from forge.cli.dev_clock import Dated, DevClock, clock_route
from forge.cli.local.channel import ChannelFollower
from forge.cli.local.health import health_route
from forge.cli.local.homes import Taken, require_free, taken, write_private
from forge.cli.local.listening import HOST, is_free, listening
from forge.cli.local.supervisor import REGION, LocalAws, NotStarted, running_aws
from forge.cli.loops import Loops
from forge.cli.progress import progress
from forge.cli.seed import is_current, seed_demo
from forge.clock import system_now
from forge.contract.catalog import load_catalog
from forge.store.connections import Connections
from forge.store.operators import operators_like
from forge.store.provision import provision
from forge.store.store import Store
from forge.wire import tasking
from forge.wire.backend import backend_on
from forge.wire.edge import Edge
from forge.wire.hosts import LOOPBACK
from forge.wire.settings import Settings
from forge.wire.web import CoreApp, ToolsFirst, create_app
from forge.work.record.links import CONSOLE_PATH

NAME = "forge-dev"
_LAST_SECONDS = 3


class Aws(NamedTuple):
    """What the product runs on; embedded, or somebody else's."""

    connections: Connections
    embedded: LocalAws | None

    def problem(self) -> str | None:
        return self.embedded.problem if self.embedded else None

    def starts(self) -> int:
        return self.embedded.starts if self.embedded else 0

    def followed(self, table_name: str) -> dict[str, Any]:
        """How the loops hear of what there is to do, where there is a shorter way than to ask."""
        if self.embedded is None:
            return {}
        follower = ChannelFollower(self.embedded.channel, table_name)
        return {"follower": follower, "bells": self.embedded.bells}


def run(*, port: int, home: Path) -> int:
    console = Console(highlight=False, soft_wrap=True, markup=False)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    os.umask(0o077)
    try:
        require_free(home)
        if not is_free(port):
            console.print(f"Port {port} is taken. Choose another: make dev PORT={port + 1}")
            return 1
        with taken(home, port=port) as lock, _aws(home, lock, console) as aws:
            _serve(aws, port=port, home=home, console=console)
    except (Taken, NotStarted, OSError) as failure:
        console.print(str(failure))
        return 1
    console.print("Stopped; everything is saved.")
    return 0


def _serve(aws: Aws, *, port: int, home: Path, console: Console) -> None:
    clock = DevClock(home / "clock")
    base_url = f"http://{HOST}:{port}"
    write = CallLog(home / "calls.jsonl").write
    with progress("Starting", console=console):
        store = provision(aws.connections, NAME, by=operators_like(aws.connections))
        edge = _edge(store, clock, home, base_url=base_url, write_log=write)
        description = _describe(home, store, edge, base_url)
        _write_variables(home, aws.connections, edge)
    perform = partial(tasking.perform, edge, edge.services)
    loops = Loops(
        store,
        aws.connections,
        clock,
        write,
        starts=aws.starts,
        perform=perform,
        public_url=edge.services.public_url,
        **aws.followed(store.table.name),
    )
    core = CoreApp(edge)
    routes = [clock_route(clock, loops.settle_now), health_route(core, aws.problem)]
    app = ToolsFirst(core, create_app(edge, routes=routes))
    # Listening before it says so: whoever reads the line can connect.
    with listening(port) as listener, loops.running():
        console.print(clients.welcome(base_url, description["keys"]["agents"]["worker"]))
        console.print(
            clients.way_in(
                f"{base_url}{CONSOLE_PATH}",
                description["keys"]["owner"],
                kept_in=f"{home}/dev.json",
                is_seen_by_a_person=console.is_terminal,
            )
        )
        console.print(f"Docs: {base_url}/docs   All keys: {home}/dev.json   Calls: {home}/calls.jsonl")
        console.print("Stop with Ctrl-C; everything is kept.")
        _run_until_interrupted(Dated(app, clock), listener)


def _write_variables(home: Path, connections: Connections, edge: Edge) -> None:
    """For functions that are invoked beside this: see `make invoke`."""
    services = edge.services
    text = function_variables.written(
        connections, services.store, token_secret=_token_secret(home), public_url=services.public_url
    )
    write_private(function_variables.file_in(home), text)


def _edge(store: Store, clock: DevClock, home: Path, *, base_url: str, write_log: Any) -> Edge:
    backend = backend_on(
        store,
        token_secrets=lambda: SigningSecrets(_token_secret(home)),
        now=clock,
        own_machine=True,
        # Whoever forwards the port to elsewhere says where that is.
        public_url=os.environ.get("FORGE_PUBLIC_URL", base_url),
    )
    build = build_at(system_now())
    identity = {"FORGE_GIT_SHA": build.git_sha, "FORGE_BUILD_TIME": build.time}
    hosts = {"FORGE_ALLOWED_HOSTS": " ".join(LOOPBACK)}
    options = Settings.read({**identity, **hosts, **os.environ}).options(write_log)
    return Edge(load_catalog(), backend, options)


def _run_until_interrupted(app: Any, listener: socket.socket) -> None:
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        date_header=False,
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        # uvicorn has finished what was under way, and hands the signal on.
        return


@contextmanager
def _aws(home: Path, lock: int, console: Console) -> Iterator[Aws]:
    """The embedded AWS, or whatever is at AWS_ENDPOINT_URL."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL")
    if endpoint:
        yield Aws(Connections(os.environ.get("AWS_REGION", REGION), endpoint), None)
        return
    with running_aws(home / "aws", lock=lock, tell=console.print) as embedded:
        yield Aws(embedded.connections(), embedded)


def _describe(home: Path, store: Store, edge: Edge, base_url: str) -> dict[str, Any]:
    """What dev.json says; made anew when there is none, or its keys are not known any more."""
    file = home / "dev.json"
    known = _read_json(file)
    if not is_current(edge, known):
        known = seed_demo(store, edge)
    description = {"baseUrl": base_url, **{name: value for name, value in known.items() if name != "baseUrl"}}
    write_private(file, json.dumps(description, indent=2) + "\n")
    return description


def _read_json(file: Path) -> dict[str, Any]:
    """What the file holds, or nothing where it is missing or damaged."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _token_secret(home: Path) -> str:
    file = home / "token-secret"
    if not file.exists() or file.stat().st_size < 32:
        write_private(file, token_urlsafe(48))
    return file.read_text(encoding="utf-8")
