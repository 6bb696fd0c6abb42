"""Runs the official MCP conformance suite against this server, in both eras, and says how it went.

python -m tests.conformance.run --node-modules .tools/conformance/node_modules
"""

import argparse
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forge.wire.paths import RPC_PATH
from tests.conformance import authorization
from tests.conformance.proxy import HOST, proxying
from tests.conformance.server import a_world, serving
from tests.conformance.suite import Outcome, Suite, SuiteFailed

MODERN, LEGACY = "2026-07-28", "2025-11-25"
HEADERS = "http-header-validation"
TASKS = (
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
)
NOTIFICATIONS = "tasks-status-notifications"
"""About a stream that servers need not have: the suite skips its checks by itself."""
SKILLS = ("sep-2640-skills-enumeration", "sep-2640-skills-manifest", "sep-2640-skills-directory")
EXPECTED_FAILURES = Path(__file__).with_name(f"expected-failures-{LEGACY}.yml")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--node-modules", type=Path, required=True, help="where npm installed the suite")
    node_modules: Path = parser.parse_args().node_modules.resolve()
    # A terminated run must stop the suite and the server too, as an interrupted one does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    results = node_modules.parent / "results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(exist_ok=True)
    try:
        suite = Suite.open(node_modules, results)
        parts = [_run_with_fixtures(suite), _run_without_fixtures(suite), _run_authorization(suite)]
        return 0 if all(parts) else 1
    except SuiteFailed as error:
        _say(str(error))
        return 1


def _run_with_fixtures(suite: Suite) -> bool:
    with _reachable(suite, with_fixtures=True) as url:
        eras = [_run_modern(suite, url), _run_legacy(suite, url), _run_headers(suite, url)]
        return all([*eras, *[_run_extension(suite, url, name) for name in (*TASKS, NOTIFICATIONS)]])


def _run_without_fixtures(suite: Suite) -> bool:
    """What the suite looks for in whatever a server has of its own."""
    with _reachable(suite, with_fixtures=False) as url:
        outcomes = [_run_extension(suite, url, scenario) for scenario in SKILLS]
    return all(outcomes)


def _run_authorization(suite: Suite) -> bool:
    """Where people sign in, which needs a whole server."""
    found = authorization.run(suite)
    for name, statuses in found.items():
        is_success = bool(statuses) and set(statuses) == {"SUCCESS"}
        _say(f"{name}: {'passed' if is_success else 'FAILED'}: {len(statuses)} checks")
    return all(set(statuses) == {"SUCCESS"} for statuses in found.values())


@contextmanager
def _reachable(suite: Suite, *, with_fixtures: bool) -> Iterator[str]:
    # The world's clock stands still, so one rate window has to do for the whole run; it is ample.
    world = a_world(with_fixtures=with_fixtures)
    try:
        with serving(world.edge) as server_port, proxying(server_port, world.a_key()) as port:
            yield f"http://{HOST}:{port}{RPC_PATH}"
    finally:
        log = "server.log" if with_fixtures else "own.log"
        (suite.results / log).write_text("\n".join(world.log), encoding="utf-8")


def _run_extension(suite: Suite, url: str, scenario: str) -> bool:
    """Without `--force` it is skipped, which the suite takes for a success; so is a check that is skipped."""
    outcome = suite.run(scenario, url, "--scenario", scenario, "--spec-version", MODERN, "--force")
    is_passed = scenario == NOTIFICATIONS or (outcome.passed(scenario) and not outcome.skipped(scenario))
    is_success = outcome.is_success and is_passed
    summary = f"{len(outcome.checks.get(scenario, []))} checks"
    return _report(scenario, outcome, summary, is_success=is_success)


def _run_modern(suite: Suite, url: str) -> bool:
    outcome = suite.run(MODERN, url, "--requirements", MODERN)
    required = suite.required(MODERN)
    # The suite forgives warnings when it expects no failures; there is no need for it to.
    is_success = outcome.is_success and all(outcome.passed(scenario) for scenario in required)
    return _report(MODERN, outcome, _summary(outcome, required), is_success=is_success)


def _run_legacy(suite: Suite, url: str) -> bool:
    expected = ("--expected-failures", str(EXPECTED_FAILURES))
    outcome = suite.run(LEGACY, url, "--requirements", LEGACY, *expected)
    summary = _summary(outcome, suite.required(LEGACY))
    return _report(LEGACY, outcome, summary, is_success=outcome.is_success)


def _run_headers(suite: Suite, url: str) -> bool:
    outcome = suite.run(HEADERS, url, "--scenario", HEADERS, "--spec-version", MODERN)
    summary = f"{len(outcome.checks.get(HEADERS, []))} checks"
    return _report(HEADERS, outcome, summary, is_success=outcome.is_success and outcome.passed(HEADERS))


def _summary(outcome: Outcome, required: list[str]) -> str:
    missed = [scenario for scenario in required if not outcome.passed(scenario)]
    summary = f"{len(required) - len(missed)} of {len(required)} required scenarios"
    return f"{summary}, all but {', '.join(missed)}" if missed else summary


def _report(name: str, outcome: Outcome, summary: str, *, is_success: bool) -> bool:
    _say(f"{name}: {'passed' if is_success else 'FAILED'}: {summary}")
    if not is_success:
        text = outcome.output.read_text(encoding="utf-8")
        _, _, conclusion = text.partition("=== SUMMARY ===")
        _say(conclusion or text)
        _say(f"All that the suite said: {outcome.output}")
    return is_success


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
