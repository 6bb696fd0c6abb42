"""Measures Forge beside its peers and holds it to its budgets: `make bench`.

Both sides run in turns in one run, so that what else the machine does hits both; noise only ever adds, so
the best round counts. Absolute numbers tell about the machine, ratios about the code.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from forge.contract.catalog import load_catalog
from forge.contract.profiles import Selection
from forge.contract.terms import Scope
from tests.bench import cold
from tests.bench.worker import Worker

ROUNDS = 60
COLD_ROUNDS = 8
MAX_DEFAULT_TOKENS = 5000
_BYTES_PER_TOKEN = 4

ITERATIONS = {
    "call-modern": 200,
    "call-legacy": 200,
    "list-modern": 100,
    "list-legacy": 100,
    "call-awslabs": 200,
    "call-fastapi": 20,
    "call-fastapi-async": 50,
    "list-awslabs": 10,
}
"""About ten milliseconds each: long against the clock, short enough to fall between a neighbour's bursts."""


@dataclass(frozen=True, slots=True)
class Contest:
    """One of our tasks or imports, one of a peer's, and what part of the peer's cost is ours to spend."""

    what: str
    ours: str
    peer: str
    budget: float


CALLS = (
    Contest("tools/call, modern : awslabs", "call-modern", "call-awslabs", 0.8),
    Contest("tools/call, legacy : awslabs", "call-legacy", "call-awslabs", 0.8),
    Contest("tools/call, modern : FastAPI + Mangum", "call-modern", "call-fastapi", 1 / 8),
    Contest("tools/call, legacy : FastAPI + Mangum", "call-legacy", "call-fastapi", 1 / 8),
    Contest("tools/call, modern : the same, async", "call-modern", "call-fastapi-async", 1 / 8),
    Contest("tools/list, modern, full : awslabs", "list-modern", "list-awslabs", 1 / 30),
    Contest("tools/list, legacy, full : awslabs", "list-legacy", "list-awslabs", 1 / 30),
)
_AWSLABS = "import awslabs.mcp_lambda_handler"
_FIRST_CLIENT = """
import functions.workspace.app
from forge.store.connections import Connections
Connections("us-east-1", "http://127.0.0.1:1", ("a", "b")).tables()
"""

IMPORTS = (
    Contest("cold import, router : awslabs", "import functions.router.app", _AWSLABS, 0.3),
    Contest("cold import, namespace : awslabs", "import functions.workspace.app", _AWSLABS, 1.0),
    Contest("the same, with its first client : awslabs", _FIRST_CLIENT, _AWSLABS, 1.0),
)


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    ours: str
    peer: str
    ratio: float
    budget: float

    @property
    def is_within(self) -> bool:
        return self.ratio <= self.budget

    def cells(self) -> tuple[str, ...]:
        verdict = "ok" if self.is_within else "over"
        return self.what, self.ours, self.peer, f"{self.ratio:.3f}", f"≤ {self.budget:.3f}", verdict


def main() -> int:
    options = _options()
    rows = [*call_rows(options.peer_python), *import_rows(options.peer_python), tokens_row()]
    sys.stdout.write(table(rows))
    return 1 if options.strict and not all(row.is_within for row in rows) else 0


def call_rows(peer_python: str) -> Iterator[Row]:
    samples: dict[str, list[float]] = {task: [] for task in ITERATIONS}
    with Worker(sys.executable, "tests.bench.ours") as ours, Worker(peer_python, "tests.bench.peer") as peer:
        our_tasks = {contest.ours for contest in CALLS}
        for _ in range(ROUNDS):
            for task, iterations in ITERATIONS.items():
                worker = ours if task in our_tasks else peer
                samples[task].append(worker.cpu_seconds(task, iterations))
    for contest in CALLS:
        best_ours, best_peer = min(samples[contest.ours]), min(samples[contest.peer])
        yield _row(contest, best_ours, best_peer, unit=(1e6, "µs"))


def import_rows(peer_python: str) -> Iterator[Row]:
    ours = [(sys.executable, contest.ours) for contest in IMPORTS]
    peers = [(peer_python, contest.peer) for contest in IMPORTS]
    net = cold.net_seconds([*ours, *peers], rounds=COLD_ROUNDS)
    for contest, our_start, peer_start in zip(IMPORTS, ours, peers, strict=True):
        yield _row(contest, net[our_start], net[peer_start], unit=(1e3, "ms"))


def tokens_row() -> Row:
    everything = frozenset(scope.value for scope in Scope)
    listing = load_catalog().listing(Selection(), everything)
    tokens = len(listing.encode()) // _BYTES_PER_TOKEN
    ratio = tokens / MAX_DEFAULT_TOKENS
    return Row("default tools/list : 5,000 tokens", f"{tokens:,} tokens", "-", ratio, 1.0)


def table(rows: list[Row]) -> str:
    lines = [("what", "ours", "peer", "ratio", "budget", ""), *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(_line(cells, widths) for cells in lines)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    what, *numbers, verdict = cells
    padded = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=False)]
    return "  ".join([what.ljust(widths[0]), *padded, verdict]).rstrip() + "\n"


def _row(contest: Contest, ours: float, peer: float, *, unit: tuple[float, str]) -> Row:
    factor, name = unit
    shown = [f"{seconds * factor:,.1f} {name}" for seconds in (ours, peer)]
    return Row(contest.what, shown[0], shown[1], ours / peer, contest.budget)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer-python", required=True, help="interpreter of the peers' environment")
    parser.add_argument("--strict", action="store_true", help="fail when a budget is exceeded")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
