"""The server and the workers of a fire: processes that are killed, and started again."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from forge.cli.local.listening import free_port
from forge.cli.worker.loop.folders import Folder
from forge.cli.worker.processes.surroundings import MARKER
from tests.integration.cli.dev_process import Dev
from tests.integration.cli.processes import FORGE, an_environment, children_of, eventually

AGENT = """\
import json, os, random, subprocess, sys, time
sys.stdin.read()
issue = os.environ["FORGE_ISSUE"]
def note(file, what):
    with open(file, "a") as ledger:
        ledger.write(f"{{issue}} {{what}}\\n")
def git(*words):
    words = ["git", "-c", "user.name=Agent", "-c", "user.email=agent@agents.invalid", *words]
    return subprocess.run(words, capture_output=True, text=True).stdout.strip()
note({ledger!r}, time.monotonic())
time.sleep(random.uniform(0.5, 2))
with open(f"{{issue}}-{{os.getpid()}}.txt", "w") as file:
    file.write("as far as it came\\n")
git("add", ".")
git("commit", "-m", f"{{issue}}: as far as it came")
note({commits!r}, git("rev-parse", "HEAD"))
time.sleep(random.uniform(0.5, 2))
with open(f"{{issue}}.txt", "w") as file:
    file.write(f"work on {{issue}}\\n")
print(json.dumps({{"type": "usage", "tokensIn": 10, "tokensOut": 5, "costUsd": 0.01, "turns": 1}}))
print(json.dumps({{"type": "result", "summary": f"Did {{issue}}.", "transitionTo": "Done"}}))
"""
SETTINGS = """\
poll_seconds = 2
[checks]
commands = ["ls *.txt"]
[child]
attempts = 20
[git]
pull_request = '''{command}'''
"""
_LONGEST_START = 60
PULL_REQUEST = (
    'name=$(echo "$FORGE_BRANCH" | tr / _) && test -n "$name" && mkdir -p "{folder}/$name" && echo opened'
)
"""Any part of it may be killed: it has succeeded only if all of it has."""


class Server:
    """`forge dev` on one port, whatever happens to it."""

    def __init__(self, home: Path) -> None:
        self.port = free_port()
        self._home = home
        self._output = home.with_name("server.output")
        self.dev = self._start()
        eventually(self.dev.is_healthy, "an answer")

    def kill(self) -> None:
        """As a machine does that loses its power; and it starts again."""
        self.dev.process.kill()
        self.dev.process.wait()
        self.dev = self._start()

    def kill_emulator(self) -> None:
        for child in children_of(self.dev.process.pid):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)

    def stop(self) -> None:
        self.dev.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.dev.process.wait(30)

    def call(self, tool: str, arguments: Mapping[str, Any], *, surface: str = "mcp") -> Any:
        answer = self.dev.call(tool, arguments, key=self.dev.owner_key, surface=surface)
        if answer.status_code != 200:
            raise httpx.HTTPError(answer.text)
        return answer.json()

    def refused_for_their_rate(self) -> int:
        """Calls that came too fast, of all keys."""
        calls = (self._home / "calls.jsonl").read_text(encoding="utf-8", errors="replace")
        return calls.count('"rate_limited"')

    def _start(self) -> Dev:
        with self._output.open("ab") as output:
            process = subprocess.Popen(
                [FORGE, "dev", "--port", str(self.port), "--home", str(self._home)],
                env=an_environment(),
                cwd=self._home.parent,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        return Dev(process, self._home, self.port, self._output)


class Workshop:
    """What all workers share: a repository, an agent, and a place for pull requests."""

    def __init__(self, root: Path, source: Path) -> None:
        self.root = root
        self.source = source
        self.ledger = root / "ledger"
        self._commits = root / "commits"
        for file in (self.ledger, self._commits):
            file.touch()
        self.pull_requests = root / "pull-requests"
        self.pull_requests.mkdir()
        self.settings = root / "forge-worker.toml"
        command = PULL_REQUEST.format(folder=self.pull_requests)
        self.settings.write_text(SETTINGS.format(command=command), encoding="utf-8")
        self.agent = root / "agent.py"
        written = AGENT.format(ledger=str(self.ledger), commits=str(self._commits))
        self.agent.write_text(written, encoding="utf-8")

    def begun(self) -> dict[str, list[float]]:
        """When each issue's agent was started, by `time.monotonic`."""
        found: dict[str, list[float]] = {}
        for line in self.ledger.read_text(encoding="utf-8").splitlines():
            issue, _, moment = line.partition(" ")
            found.setdefault(issue, []).append(float(moment))
        return found

    def commits(self) -> list[tuple[str, str]]:
        """What agents have committed by themselves: issue and commit."""
        lines = self._commits.read_text(encoding="utf-8").splitlines()
        return [(issue, commit) for issue, _, commit in (line.partition(" ") for line in lines)]


class WorkerProcess:
    def __init__(self, workshop: Workshop, number: int, url: str, key: str) -> None:
        self._workshop = workshop
        self.folder = workshop.root / f"worker-{number}"
        self._environment = an_environment(FORGE_URL=url, FORGE_AGENT_KEY=key)
        self._process: subprocess.Popen[bytes] | None = None

    def keep_up(self) -> None:
        """As a service manager does: what has ended is started again."""
        if self._process is None or self._process.poll() is not None:
            self._process = self._start()

    @property
    def is_looking(self) -> bool:
        """Whether it has started, and takes work."""
        return bool(self._process) and Folder(self.folder).worker() is not None and bool(self._status())

    def kill(self) -> list[str] | None:
        """The issues that it had in its hands; None where it did not live."""
        process = self._process
        if process is None or process.poll() is not None or Folder(self.folder).worker() != process.pid:
            return None
        held = [str(row["issue"]) for row in self._status().get("runs", ())]
        process.kill()
        process.wait()
        return held

    @property
    def clone(self) -> Path | None:
        """Its bare clone of the repository, once there is one."""
        return next((self.folder / "repositories").glob("*.git"), None)

    def _status(self) -> dict[str, Any]:
        return Folder(self.folder).status()

    def is_refused_twice(self) -> bool:
        """Whether a second one on the same folder ends by itself."""
        second = self._start()
        try:
            return second.wait(_LONGEST_START) != 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            second.kill()
            second.wait()

    def stop(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGUSR1)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(20)
            self._process.kill()
            self._process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [FORGE, "worker", "--agent", f"cmd:{sys.executable} -S {self._workshop.agent}"]
        command += ["--repo", str(self._workshop.source), "--folder", str(self.folder)]
        with self.folder.with_suffix(".output").open("ab") as output:
            return subprocess.Popen(
                [*command, "--config", str(self._workshop.settings)],
                env=self._environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )


def children_at_work(url: str) -> list[int]:
    """Agents of the workers of this server, by the mark that they have; all others are left alone."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            around = (folder / "environ").read_bytes().split(b"\0")
            is_marked = any(one.startswith(f"{MARKER}=run_".encode()) for one in around)
            if is_marked and f"FORGE_URL={url}".encode() in around:
                found.append(int(folder.name))
    return found
