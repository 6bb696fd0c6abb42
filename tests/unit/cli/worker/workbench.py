"""A worker in this process: real repositories, children that follow a script, and a Forge in memory."""

import json
import os
import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event, RLock
from typing import Any

import httpx

from forge.cli.worker.agents.choosing import agent_of
from forge.cli.worker.agents.protocol import Agent, End, Hear, Order, Outcome, Stop
from forge.cli.worker.git.commands import git
from forge.cli.worker.git.repositories import Repository
from forge.cli.worker.git.worktrees import Author, Worktree
from forge.cli.worker.loop.beats import Beats
from forge.cli.worker.loop.folders import Folder, held
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.server.client import Body, Server, Where
from forge.cli.worker.settings.settings import Settings
from forge.wire.http import Request
from tests.workshop.office import Office

URL = "http://forge.test"
AUTHOR = Author("Worker", "worker@agents.invalid")
BRANCH = "forge/DEMO-1-hello"
TRAILERS = {"Forge-Issue": "DEMO-1"}


class Killed(BaseException):
    """Nobody catches it, as nobody catches the end of a process."""


Fault = Callable[[str, bool], None]
"""Called with a tool's name before it is carried out, and again after."""


class Line:
    """Calls to an office in this process, one at a time; `fault` may cut it."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._lock = RLock()
        self.calls: list[tuple[str, Body]] = []
        self.fault: Fault = lambda tool, is_done: None
        self.refusals: dict[str, Body] = {}
        """By tool: what is answered instead, once."""

    def handle(self, request: httpx.Request) -> httpx.Response:
        tool = request.url.path.removeprefix("/api/mcp/")
        with self._lock:
            self.calls.append((tool, json.loads(request.content or b"{}")))
            self.fault(tool, False)
            if refusal := self.refusals.pop(tool, None):
                return httpx.Response(403, json=refusal)
            answer = self._office.world.edge.handle(
                Request(
                    method=request.method,
                    path=request.url.path,
                    headers={name.lower(): value for name, value in request.headers.items()},
                    body=request.content.decode(),
                    id=self._office.world.ids("req"),
                    query=dict(request.url.params),
                )
            )
            self.fault(tool, True)
        return httpx.Response(answer.status, text=answer.body, headers=dict(answer.headers))

    def named(self, tool: str) -> list[Body]:
        with self._lock:
            return [arguments for name, arguments in self.calls if name == tool]


class Bench:
    def __init__(self, office: Office, root: Path, key: str) -> None:
        self.office = office
        self.root = root
        self.line = Line(office)
        self.source = a_repository(root / "source")
        self.said: list[str] = []
        self.key = key

    def a_script(self, text: str, name: str = "agent.py") -> str:
        """What the agent does, as Python; `prompt` is what it was told, `resumed` its session."""
        path = self.root / name
        head = (
            "import json, os, sys\nprompt = sys.stdin.read()\nresumed = os.environ.get('FORGE_RESUME', '')\n"
        )
        helper = "def tell(**line):\n    print(json.dumps(line), flush=True)\n"
        path.write_text(head + helper + text, encoding="utf-8")
        return f"cmd:{sys.executable} -S {path}"

    def queue(self, title: str = "Say hello", **more: object) -> str:
        issue = self.office.call("issues.create", {"title": title, **more})
        self.office.call("issues.queue", {"id": issue["id"]})
        return str(issue["identifier"])

    @contextmanager
    def crew(self, agent: str | Agent, **settings: Any) -> Iterator[tuple[Crew, Folder]]:
        with held(self.root / "worker") as folder:
            stopping = Event()
            where = Where(URL, self.key, folder.instance())
            with httpx.Client(transport=httpx.MockTransport(self.line.handle)) as http:
                server = Server(where, http, self._pause, lambda most: most)
                beats = Beats(server, "cmd", "box")
                beats.beat()
                known = agent_of(agent) if isinstance(agent, str) else agent
                place = folder.repositories / "source.git"
                told = {"poll_seconds": 0.05, **settings}
                yield (
                    Crew(
                        settings=Settings.model_validate({"agent": known.name, **told}),
                        agent=known,
                        server=server,
                        repository=Repository(str(self.source), place),
                        worktrees=folder.worktrees,
                        author=AUTHOR,
                        runtime=lambda: beats.runtime_id,
                        stopping=stopping,
                        around={"PATH": os.environ["PATH"]},
                        pauses=(0.1, 0.5, 1),
                    ),
                    folder,
                )

    def work(self, agent: str | Agent, *, is_once: bool = True, **settings: Any) -> int:
        """What `forge worker --once` does; how many runs were begun."""
        with self.crew(agent, **settings) as (crew, folder):
            worker = Worker(crew, folder, self.said.append, is_once=is_once)
            return worker.run()

    def runs(self, identifier: str) -> list[Body]:
        return self.office.rows("runs.list", {"issueId": identifier})

    def branches(self) -> list[str]:
        return git("for-each-ref", "--format=%(refname:short)", "refs/heads/forge", at=self.source).split()

    def file(self, branch: str, name: str) -> str:
        return git("show", f"{branch}:{name}", at=self.source)

    def commits(self, branch: str) -> int:
        return int(git("rev-list", "--count", f"main..{branch}", at=self.source))

    def _pause(self, seconds: float) -> bool:
        """Nobody waits, but the minute in which calls are counted goes by."""
        self.office.world.clock.advance(seconds=seconds)
        return False


def a_repository(path: Path, files: Mapping[str, str] | None = None) -> Path:
    path.mkdir(parents=True)
    git("init", "--quiet", "--initial-branch=main", at=path)
    for name, text in (files or {"README.md": "A toy.\n"}).items():
        (path / name).write_text(text, encoding="utf-8")
    git("add", "--all", at=path)
    git(*AUTHOR.settings(), "commit", "--quiet", "-m", "Begin", at=path)
    return path


@contextmanager
def a_disk_with_room_for(size: int) -> Iterator[None]:
    """No file may become longer than this."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def change(worktree: Worktree, name: str = "new.txt", text: str = "new\n") -> None:
    (worktree.path / name).write_text(text, encoding="utf-8")


class Death:
    """At one call, before it is carried out or after."""

    def __init__(self, tool: str, *, is_done: bool) -> None:
        self._at = (tool, is_done)

    def __call__(self, tool: str, is_done: bool) -> None:  # noqa: FBT001, RUF100 - as it is called
        if self._at == (tool, is_done):
            self._at = ("", False)
            raise Killed


class Actor:
    """An agent within this process, which does what a test says."""

    name = "cmd"
    program = "sh"
    variables: frozenset[str] = frozenset()

    def __init__(self, act: Callable[[Order, Hear], Outcome | None]) -> None:
        self._act = act
        self.orders: list[Order] = []
        self.stopped = Event()

    def new_session(self) -> str:
        return "chosen"

    def work(self, order: Order, hear: Hear, started: Callable[[Stop], None]) -> Outcome:
        self.orders.append(order)
        started(self.stopped.set)
        return self._act(order, hear) or Outcome(End.DONE, "Did it.")


def writes_hello(order: Order, hear: Hear) -> None:
    """Once: who finds it done leaves it."""
    with (order.worktree / "hello.txt").open("w", encoding="utf-8") as file:
        file.write("hello")
