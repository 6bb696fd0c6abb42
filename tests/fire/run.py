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

from forge.contract.terms import Scope
from tests.fire.machines import Server, WorkerProcess, Workshop, children_at_work
from tests.fire.stalls import Stalls, issue_of
from tests.fire.verdicts import LEAST, of_commits, of_issues, of_kills, of_waits
from tests.fire.wire import Line, a_line
from tests.integration.cli.processes import eventually
from tests.unit.cli.worker.workbench import a_repository

WORKERS, ISSUES, FIRST = 8, 60, 6
_WEIGHTS = {"worker": 8, "child": 10, "server": 1, "emulator": 1, "twice": 1}
_PAUSE = 0.5
_FEW = 2
_OFTEN = 3
"""A child that was killed so often waits longer each time before it is started again, as it should."""
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
        self._children: Counter[str] = Counter()
        self.stalls = Stalls()
        self.problems: list[str] = []

    def first_calls(self) -> list[float]:
        """Seconds from the queue to the agent's first word, while nobody is in the way."""
        self.keep_up()
        eventually(lambda: all(one.is_looking for one in self.workers), "every worker")
        waits = []
        for _ in range(FIRST):
            name = self._created("Warm up")
            began = time.monotonic()
            self.server.call("issues.queue", {"id": name})
            while name not in self.workshop.begun() and time.monotonic() - began < 60:
                self.keep_up()
                time.sleep(0.02)
            waits.append(self.workshop.begun().get(name, [float("inf")])[0] - began)
            while self._still_open([name]) != set():
                time.sleep(_PAUSE)
        return waits

    def queue_all(self) -> list[str]:
        names: list[str] = []
        for number in range(ISSUES):
            name = self._created(f"Task {number}")
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
        self.stalls.begin()
        while time.monotonic() - began < _LONGEST_SECONDS:
            is_enough = all(self.killed[what] >= least for what, least in LEAST.items())
            if not is_enough and (what := self._kill()):
                self.killed[what] += 1
            self.keep_up()
            time.sleep(_PAUSE)
            still_open = self._still_open(names)
            if still_open is None:
                self.stalls.begin()
                continue
            self.stalls.look({name: at[-1] for name, at in self.workshop.begun().items()}, still_open)
            if not still_open:
                break
        self.line.is_cutting = False
        return time.monotonic() - began

    def keep_up(self) -> None:
        for worker in self.workers:
            worker.keep_up()

    def _kill(self) -> str:
        """What has died, if anything."""
        wanted = [what for what in LEAST if self.killed[what] < LEAST[what]]
        what = self._chance.choices(wanted, [_WEIGHTS[one] for one in wanted])[0]
        match what:
            case "worker":
                held = self._chance.choice(self.workers).kill()
                if held is None:
                    return ""
                self.stalls.broke(held)
            case "child":
                return what if self._kill_child() else ""
            case "server":
                self.server.kill()
            case "emulator":
                self.server.kill_emulator()
            case "twice":
                worker = self._chance.choice(self.workers)
                if not worker.is_looking:
                    return ""
                if not worker.is_refused_twice():
                    self.problems.append("A second worker on one folder was not refused.")
        return what

    def _kill_child(self) -> bool:
        found = [(child, issue_of(child)) for child in children_at_work(self.line.url)]
        often = {issue for issue, times in self._children.items() if times >= _OFTEN}
        alive = [(child, issue) for child, issue in found if issue and issue not in often]
        if len(alive) < _FEW:
            # The last ones would be killed again and again, and wait longer each time.
            return False
        child, issue = self._chance.choice(alive)
        self.stalls.broke([issue])
        self._children[issue] += 1
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        return True

    def _still_open(self, names: list[str]) -> set[str] | None:
        """None while nobody answers."""
        with suppress(httpx.HTTPError, OSError, ValueError):
            return {row["identifier"] for row in self.open_issues()}.intersection(names)
        return None

    def open_issues(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.server.call("issues.list", {"limit": 100})["data"]
        return [row for row in rows if row["status"]["category"] not in ("DONE", "CANCELED")]

    def _created(self, title: str) -> str:
        return str(self.server.call("issues.create", {"title": title})["identifier"])

    def _key(self, agent: str) -> str:
        order = {"name": "fire", "kind": "AGENT", "linkedAgentId": agent}
        scopes = [*_SCOPES, Scope.SUBSCRIBE_EVENTS.value]
        return str(self.server.call("keys.create", {**order, "scopes": scopes}, surface="admin")["rawKey"])


def found_wrong(fire: Fire, names: list[str]) -> list[str]:
    """Everything that is not as if nothing had happened."""
    still = [row for row in fire.open_issues() if row["identifier"] in names]
    runs = {name: fire.server.call("runs.list", {"issueId": name})["data"] for name in names}
    clones = [one.clone for one in fire.workers if one.clone]
    return [
        *fire.problems,
        *fire.stalls.problems,
        *of_kills(fire.killed),
        *(f"{row['identifier']} is {row['status']['name']}" for row in still),
        *of_issues(fire.workshop, names, runs),
        *of_commits(fire.workshop.commits(), fire.workshop.source, clones),
    ]


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
        wrong = of_waits(waits) + found_wrong(fire, names)
        killed = ", ".join(f"{count} x {what}" for what, count in fire.killed.items())
        print(f"{len(names)} issues in {seconds:.0f} s; killed {killed}; cut {fire.line.cuts} times")
        print(fire.stalls)
        slowed = fire.server.refused_for_their_rate()
        print(f"{len(fire.workshop.commits())} commits of agents; {slowed} calls came too fast")
        print("\n".join(wrong) or "each done once, one branch and one pull request each, no work lost")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
