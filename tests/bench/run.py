"""Measures Forge beside its peers and holds it to its budgets: `make bench`.

Both sides run in turns in one run, so that what else the machine does hits both, and in several processes
each; noise only ever adds, so the best round counts. Absolute numbers tell about the machine, ratios about
the code.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from forge.contract.catalog import load_catalog
from forge.contract.profiles import Selection
from forge.contract.terms import Scope
from tests.bench import recorder, recordings, report
from tests.bench.cold import Start, net_seconds
from tests.bench.machine.run import machine_rows
from tests.bench.recordings import Recording
from tests.bench.rows import MICROSECONDS, MILLISECONDS, Contest, Row, table
from tests.bench.similar import similar_rows
from tests.bench.stub import Stub
from tests.bench.worker import Crew

ROUNDS = 18
WHOLE_ROUNDS = 15
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
    "call-mcp": 20,
    "call-fastmcp": 20,
    "list-mcp": 5,
    "list-fastmcp": 5,
}
"""About ten milliseconds each: long against the clock, short enough to fall between a neighbour's bursts."""
SDK_TASKS = ("call-mcp", "call-fastmcp", "list-mcp", "list-fastmcp")
WHOLE_ITERATIONS = 4

CALLS = (
    Contest("tools/call, modern : awslabs", "call-modern", "call-awslabs", 0.70),
    Contest("tools/call, legacy : awslabs", "call-legacy", "call-awslabs", 0.62),
    Contest("tools/call, modern : FastAPI + Mangum", "call-modern", "call-fastapi", 1 / 8),
    Contest("tools/call, legacy : FastAPI + Mangum", "call-legacy", "call-fastapi", 1 / 8),
    Contest("tools/call, modern : the same, async", "call-modern", "call-fastapi-async", None),
    Contest("tools/call, modern : the official SDK without a transport", "call-modern", "call-mcp", None),
    Contest("tools/call, modern : FastMCP without a transport", "call-modern", "call-fastmcp", None),
    Contest("tools/list, modern, full : the official SDK likewise", "list-modern", "list-mcp", None),
    Contest("tools/list, modern, full : FastMCP likewise", "list-modern", "list-fastmcp", None),
    Contest("tools/list, modern, full : awslabs", "list-modern", "list-awslabs", 1 / 45),
    Contest("tools/list, legacy, full : awslabs", "list-legacy", "list-awslabs", 1 / 45),
)
WHOLE = tuple(Contest(f"whole call, {tool} : boto3", tool, tool, 0.4) for tool in recorder.CALLS)

_AWSLABS = "import awslabs.mcp_lambda_handler"
_AWSLABS_AND_CLIENT = f"{_AWSLABS}\nimport boto3\nboto3.client('dynamodb')"
_EVENT = "FORGE_BENCH_EVENT"
_FIRST_CALL = f"""
import json, os
from functions.{{folder}}.app import handler
assert handler(json.loads(os.environ["{_EVENT}"]), None)["statusCode"] == 200
"""
ROUTER = Contest("cold import, router : awslabs", "import functions.router.app", _AWSLABS, 0.2)
FIRST_CALLS = {
    "workspace.get": Contest(
        "import and first call, workspace : awslabs and a client",
        _FIRST_CALL.format(folder="workspace"),
        _AWSLABS_AND_CLIENT,
        0.8,
    ),
    "issues.get": Contest(
        "import and first call, issues : awslabs and a client",
        _FIRST_CALL.format(folder="issues"),
        _AWSLABS_AND_CLIENT,
        1.2,
    ),
}


def main() -> int:
    options = _options()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "recordings.json"
        recorded = recorder.record(tuple(recorder.CALLS))
        recordings.save(recorded, file)
        with Stub(str(file)) as stub:
            rows = [
                *call_rows(options.peer_python),
                *whole_rows(options.peer_python, stub, file),
                *import_rows(options.peer_python, stub, recorded),
                tokens_row(),
                *similar_rows(),
                *machine_rows(options.peer_python),
            ]
    sys.stdout.write(table(rows))
    if options.write:
        report.write(options.write, rows, peer_python=options.peer_python, growth=options.growth)
    return 1 if options.strict and not all(row.is_within for row in rows) else 0


def call_rows(peer_python: str) -> Iterator[Row]:
    samples: dict[str, list[float]] = {task: [] for task in ITERATIONS}
    with (
        Crew(sys.executable, "tests.bench.ours") as ours,
        Crew(peer_python, "tests.bench.peer") as peer,
        Crew(peer_python, "tests.bench.sdk_peers") as sdks,
    ):
        crews = dict.fromkeys((contest.ours for contest in CALLS), ours) | dict.fromkeys(SDK_TASKS, sdks)
        for _ in range(ROUNDS):
            for task, iterations in ITERATIONS.items():
                crew = crews.get(task, peer)
                samples[task].append(crew.cpu_seconds(task, iterations))
    for contest in CALLS:
        yield Row.of(contest, min(samples[contest.ours]), min(samples[contest.peer]), MICROSECONDS)


def whole_rows(peer_python: str, stub: Stub, file: Path) -> Iterator[Row]:
    """The real clients, ours and theirs, against the same stub."""
    more = deployment(stub) | {
        recordings.VARIABLE: str(file),
        "FORGE_BACKEND": "tests.bench.replayed:open_backend",
    }
    samples: dict[tuple[str, bool], list[float]] = {}
    with (
        Crew(sys.executable, "tests.bench.whole_ours", more) as ours,
        Crew(peer_python, "tests.bench.whole_peer", more) as peer,
    ):
        for _ in range(WHOLE_ROUNDS):
            for tool in recorder.CALLS:
                stub.play(tool)
                for crew in (ours, peer):
                    taken = crew.cpu_seconds(tool, WHOLE_ITERATIONS)
                    samples.setdefault((tool, crew is ours), []).append(taken)
    for contest in WHOLE:
        best = [min(samples[contest.ours, is_ours]) for is_ours in (True, False)]
        yield Row.of(contest, best[0], best[1], MICROSECONDS)


def import_rows(peer_python: str, stub: Stub, recorded: list[Recording]) -> Iterator[Row]:
    events = {recording.tool: json.dumps(recording.event) for recording in recorded}
    variables = deployment(stub)
    contests = [(ROUTER, Start(sys.executable, ROUTER.ours), Start(peer_python, ROUTER.peer))]
    for tool, contest in FIRST_CALLS.items():
        more = variables | {_EVENT: events[tool]}
        ours = Start(sys.executable, contest.ours, more, lambda tool=tool: stub.play(tool))  # type: ignore[misc]
        contests.append((contest, ours, Start(peer_python, contest.peer, variables)))
    net = net_seconds([start for _, *starts in contests for start in starts], rounds=COLD_ROUNDS)
    for contest, ours, peer in contests:
        yield Row.of(contest, net[ours], net[peer], MILLISECONDS)


def tokens_row() -> Row:
    everything = frozenset(scope.value for scope in Scope)
    listing = load_catalog().listing(Selection(), everything)
    tokens = len(listing.encode()) // _BYTES_PER_TOKEN
    ratio = tokens / MAX_DEFAULT_TOKENS
    return Row("default tools/list : 5,000 tokens", f"{tokens:,} tokens", "-", ratio, 1.0)


def deployment(stub: Stub) -> dict[str, str]:
    """What tells a function where it is."""
    return {
        "AWS_ENDPOINT_URL": stub.endpoint,
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        "NO_PROXY": "127.0.0.1",
        "FORGE_TABLE": recorder.TABLE,
        "FORGE_BUCKET": recorder.TABLE,
        # Deployed functions tell CloudWatch of their calls.
        "FORGE_TEAM": "bench",
        "FORGE_TOKEN_SECRET": "a secret of the bench that signs nothing real",
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer-python", required=True, help="interpreter of the peers' environment")
    parser.add_argument("--write", type=Path, help="the page to write")
    parser.add_argument("--growth", type=Path, help="what `make growth` found, for the page")
    parser.add_argument("--strict", action="store_true", help="fail when a budget is exceeded")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
