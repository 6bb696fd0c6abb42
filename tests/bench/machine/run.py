"""`forge dev` under eight clients, beside a plain server; and how soon what they wrote is found and told."""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import NamedTuple

from forge.cli.local.listening import free_port
from forge.contract.terms import Scope
from tests.bench.machine import mix
from tests.bench.machine.clients import Client, drive
from tests.bench.machine.ears import Ear, listening_ear
from tests.bench.rows import Row, table
from tests.bench.worker import ROOT, environment
from tests.integration.cli.dev_process import running_dev
from tests.integration.cli.processes import eventually

CLIENTS = 8
SECONDS = 5.0
ROUNDS = 2
_HIGHEST_RATE = 6_000
_PATIENCE = 120.0
_PAUSE = 0.02
_PAGE, _MOVES = 100, 5
_MOST_TIMES_THE_PEER = {"reads": 5.0, "writes": 7.0}
_SETTLED_SECONDS = 1.0
_SETTLED_ROWS = 300


class Figures(NamedTuple):
    reads: float
    """A second, like the others."""
    writes: float
    settled: float = 0.0
    """Log rows by the time from the first of them until what was written behind them is found and told."""
    lag: float = 0.0
    """Seconds from the end of the burst until the last write of it was found and told."""


def machine_rows(peer_python: str) -> list[Row]:
    """The best of some rounds each, in turns: what else the machine does only ever adds."""
    ours, peer = [], []
    for _ in range(ROUNDS):
        with TemporaryDirectory() as folder:
            ours.append(_measure_ours(Path(folder)))
            peer.append(_measure_peer(Path(folder), peer_python))
    rows = []
    for name, most in _MOST_TIMES_THE_PEER.items():
        best = [max(getattr(one, name) for one in figures) for figures in (ours, peer)]
        shown = [f"{rate:,.0f} /s" for rate in best]
        rows.append(
            Row(f"one machine, {name} : FastAPI + SQLite", shown[0], shown[1], best[1] / best[0], most)
        )
    lag, settled = min(one.lag for one in ours), max(one.settled for one in ours)
    what = "one machine, found and told after a burst : 1 s"
    rows.append(Row(what, f"{lag:.2f} s", "-", lag / _SETTLED_SECONDS, 1.0))
    what = "one machine, log rows settled : 300 /s"
    return [*rows, Row(what, f"{settled:,.0f} /s", "-", _SETTLED_ROWS / settled, 1.0)]


def _measure_ours(folder: Path) -> Figures:
    with listening_ear() as ear, running_dev(folder / "home") as dev:
        owner = Client(dev.port, dev.owner_key)
        hook = {"url": f"http://127.0.0.1:{ear.port}/", "events": ["ISSUE_CREATED"]}
        owner.call("webhooks.create", hook, surface="admin")
        clients = [_an_agent(owner, number) for number in range(CLIENTS)]
        issue_ids, run_ids = {}, {}
        for client in clients:
            made = owner.call(*mix.an_issue(0))["id"]
            issue_ids[client.key] = made
            run_ids[client.key] = client.call("issues.claim", {"issueId": made})["runId"]
        reads = drive(clients, mix.reading([*issue_ids.values()]), SECONDS)
        writes = drive(clients, mix.writing(issue_ids, run_ids), SECONDS)
        lag = _lag(clients[0], ear)
        return Figures(reads, writes, _settled(owner, ear), lag)


def _settled(owner: Client, ear: Ear) -> float:
    """Log rows a second, of as many as can be written at once: one call moves a hundred issues."""
    # It has been idle for longer than the server keeps connections.
    owner.close()
    page = owner.call("issues.list", {"limit": _PAGE, "fields": ["id"]})
    found = [row["id"] for row in page["data"]]
    began, rows = monotonic(), 0
    for category in ("IN_PROGRESS", "BACKLOG") * _MOVES:
        rows += owner.call("issues.bulkTransition", {"ids": found, "statusId": category})["count"]
    _lag(owner, ear)
    return rows / (monotonic() - began)


def _lag(client: Client, ear: Ear) -> float:
    """One more issue, behind everything that was written."""
    began = monotonic()
    tool, arguments = mix.an_issue(0)
    last = client.call(tool, arguments)["id"]
    word = mix.own_word(arguments)
    while monotonic() - began < _PATIENCE:
        if last in ear.heard and client.call("issues.list", {"query": word, "limit": 5})["data"]:
            return monotonic() - began
        sleep(_PAUSE)
    raise AssertionError(f"not found and told within {_PATIENCE} s")


def _an_agent(owner: Client, number: int) -> Client:
    profile = {"profileKey": f"a{number}", "name": f"A {number}", "provider": "CLAUDE"}
    made = owner.call("agents.create", profile, surface="admin")
    order = {
        "name": f"a{number}",
        "kind": "AGENT",
        "linkedAgentId": made["id"],
        "scopes": [scope.value for scope in Scope if scope is not Scope.ADMIN],
        "ratePerMinute": _HIGHEST_RATE,
    }
    return Client(owner.port, owner.call("keys.create", order, surface="admin")["rawKey"])


def _measure_peer(folder: Path, python: str) -> Figures:
    keys = [f"key-{number}" for number in range(CLIENTS)]
    with _plain_server(folder, python, keys) as port:
        clients = [Client(port, key) for key in keys]
        eventually(lambda: _answers(clients[0]), "an answer")
        made = {client.key: str(client.call(*mix.an_issue(0))["id"]) for client in clients}
        reads = drive(clients, mix.reading([*made.values()]), SECONDS)
        return Figures(reads, drive(clients, mix.writing(made, {key: key for key in keys}), SECONDS))


@contextmanager
def _plain_server(folder: Path, python: str, keys: list[str]) -> Iterator[int]:
    port, module = free_port(), "tests.bench.machine.plain"
    command = [python, "-m", module, str(port), str(folder / "plain.sqlite"), *keys]
    process = subprocess.Popen(command, cwd=ROOT, env=environment())
    try:
        yield port
    finally:
        process.terminate()
        process.wait()


def _answers(client: Client) -> bool:
    try:
        client.call("agent.inbox", {})
    except OSError:
        client.close()
        return False
    return True


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--peer-python", required=True, help="interpreter of the peers' environment")
    sys.stdout.write(table(machine_rows(options.parse_args().peer_python)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
