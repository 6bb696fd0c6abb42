"""Whatever is killed, each task is done exactly once: `make fire`.

Eight workers, sixty issues of a toy repository with dependencies, and all that time workers, children, the
server and its emulator are killed, the line is cut between effect and answer, and workers are started twice.
"""

import argparse
import os
import signal
import sys
import time
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from forge.cli.worker.git.commands import git
from forge.contract.terms import Scope
from tests.fire.machines import Server, WorkerProcess, Workshop, children_at_work
from tests.fire.stalls import Stalls, issue_of
from tests.fire.wire import Line, a_line
from tests.integration.cli.processes import eventually
from tests.unit.cli.worker.workbench import a_repository

WORKERS, ISSUES, FIRST = 8, 60, 6
LEAST = {"worker": 40, "child": 20, "server": 5, "emulator": 3, "twice": 3}
_WEIGHTS = {"worker": 8, "child": 10, "server": 1, "emulator": 1, "twice": 1}
_PAUSE = 0.5
_FEW = 2
_LONGEST_SECONDS = 900
_SCOPES = ("READ_ISSUES", "WRITE_ISSUES", "READ_COMMENTS", "WRITE_COMMENTS", "READ_PROJECTS", "READ_USERS")


class Fire:
    def __init__(self, root: Path, chance: Random, stack: ExitStack) -> None:
        self._chance = chance
        self.server = Server(root / "home")
        stack.callback(self.server.stop)
        self.line: Line = stack.enter_context(a_line(self.server.port, chance))
        self.workshop = Workshop(root, a_repository(root / "source"))
        agent = self.server.dev.description["agents"]["worker"]["id"]
        self.workers = [
            WorkerProcess(self.workshop, n, self.line.url, self._key(agent)) for n in range(WORKERS)
        ]
        for worker in self.workers:
            stack.callback(worker.stop)
        self.killed: Counter[str] = Counter()
        self.stalls = Stalls()
        self.problems: list[str] = []

    def first_calls(self) -> list[float]:
        """Seconds from the queue to the agent's first word, while nobody is in the way."""
        self.keep_up()
        eventually(lambda: all(one.is_looking for one in self.workers), "every worker")
        waits = []
        for _ in range(FIRST):
            name, began = self._queue("Warm up"), time.monotonic()
            while name not in self.workshop.begun() and time.monotonic() - began < 60:
                self.keep_up()
                time.sleep(0.02)
            waits.append(self.workshop.begun().get(name, [float("inf")])[0] - began)
            while self._still_open([name]):
                time.sleep(_PAUSE)
        return waits

    def queue_all(self) -> list[str]:
        names: list[str] = []
        for number in range(ISSUES):
            name = self._queue(f"Task {number}", queued=False)
            for before in self._chance.sample(names, min(len(names), self._chance.choice((0, 0, 1, 2)))):
                self.server.call(
                    "relations.add", {"fromIssueId": before, "toIssueId": name, "kind": "BLOCKS"}
                )
            names.append(name)
        for name in names:
            self.server.call("issues.queue", {"id": name})
        return names

    def burn(self, names: list[str]) -> float:
        """Until all is done and enough was killed; how long it took."""
        began, self.line.is_cutting = time.monotonic(), True
        while time.monotonic() - began < _LONGEST_SECONDS:
            is_enough = all(self.killed[what] >= least for what, least in LEAST.items())
            if not is_enough:
                self._kill()
            self.keep_up()
            time.sleep(_PAUSE)
            still_open = self._still_open(names)
            self.stalls.look({name: at[-1] for name, at in self.workshop.begun().items()}, still_open)
            if not still_open:
                break
        self.line.is_cutting = False
        return time.monotonic() - began

    def keep_up(self) -> None:
        for worker in self.workers:
            worker.keep_up()

    def _kill(self) -> None:
        wanted = [what for what in LEAST if self.killed[what] < LEAST[what]]
        what = self._chance.choices(wanted, [_WEIGHTS[one] for one in wanted])[0]
        match what:
            case "worker":
                self.stalls.broke(self._chance.choice(self.workers).kill())
            case "child":
                found = children_at_work(self.line.url)
                if len(found) < _FEW:
                    # The last ones would be killed again and again, and wait longer each time.
                    return
                child = self._chance.choice(found)
                self.stalls.broke(filter(None, [issue_of(child)]))
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            case "server":
                self.server.kill()
            case "emulator":
                self.server.kill_emulator()
            case "twice":
                self.keep_up()
                time.sleep(_PAUSE)
                if not self._chance.choice(self.workers).is_refused_twice():
                    self.problems.append("A second worker on one folder was not refused.")
        self.killed[what] += 1

    def _still_open(self, names: list[str]) -> set[str]:
        """All of them, while nobody answers."""
        with suppress(httpx.HTTPError, OSError, ValueError):
            return {row["identifier"] for row in self.open_issues()}.intersection(names)
        return {*names}

    def open_issues(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.server.call("issues.list", {"limit": 100})["data"]
        return [row for row in rows if row["status"]["category"] not in ("DONE", "CANCELED")]

    def _queue(self, title: str, *, queued: bool = True) -> str:
        name = str(self.server.call("issues.create", {"title": title})["identifier"])
        if queued:
            self.server.call("issues.queue", {"id": name})
        return name

    def _key(self, agent: str) -> str:
        order = {"name": "fire", "kind": "AGENT", "linkedAgentId": agent}
        scopes = [*_SCOPES, Scope.SUBSCRIBE_EVENTS.value]
        return str(self.server.call("keys.create", {**order, "scopes": scopes}, surface="admin")["rawKey"])


def found_wrong(fire: Fire, names: list[str]) -> list[str]:
    """Everything that is not as if nothing had happened."""
    wrong = [*fire.problems, *fire.stalls.problems]
    wrong += [
        f"{row['identifier']} is {row['status']['name']}"
        for row in fire.open_issues()
        if row["identifier"] in names
    ]
    source = fire.workshop.source
    branches = git("for-each-ref", "--format=%(refname:short)", "refs/heads/forge", at=source).split()
    for name in names:
        own = [one for one in branches if one.startswith(f"forge/{name}-")]
        runs = fire.server.call("runs.list", {"issueId": name})["data"]
        completed = [run for run in runs if run["status"] == "COMPLETED"]
        if len(own) != 1 or len(completed) != 1:
            wrong.append(f"{name}: {len(own)} branches, runs {[run['status'] for run in runs]}")
            continue
        if f"work on {name}" not in git("show", f"{own[0]}:{name}.txt", at=source):
            wrong.append(f"{name}: its work is not on its branch")
        if not (fire.workshop.pull_requests / own[0].replace("/", "_")).is_dir():
            wrong.append(f"{name}: no pull request")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of what is killed when")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    seed = given.seed or int.from_bytes(os.urandom(2))
    print(f"seed {seed}", flush=True)
    with TemporaryDirectory() as folder, ExitStack() as stack:
        fire = Fire(Path(folder), Random(seed), stack)  # noqa: S311 - which process dies is no secret
        waits = fire.first_calls()
        shown = ", ".join(f"{one:.1f}" for one in waits)
        print(f"from queue to first call: median {median(waits):.1f} s ({shown})", flush=True)
        names = fire.queue_all()
        seconds = fire.burn(names)
        wrong = found_wrong(fire, names)
        killed = ", ".join(f"{count} x {what}" for what, count in fire.killed.items())
        print(f"{len(names)} issues in {seconds:.0f} s; killed {killed}; cut {fire.line.cuts} times")
        print(fire.stalls)
        print("\n".join(wrong) or "each done once, one branch and one pull request each, no work lost")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
