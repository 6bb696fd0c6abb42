"""A worker from its settings: what it needs is looked for before anything is claimed."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

from pydantic import ValidationError
from rich.live import Live

from forge.cli.calls import BadArguments, Connection, out, say
from forge.cli.worker.agents.choosing import agent_of
from forge.cli.worker.agents.protocol import Agent
from forge.cli.worker.git.commands import GitFailed
from forge.cli.worker.git.repositories import Repository, folder_name, source_of
from forge.cli.worker.git.worktrees import Author
from forge.cli.worker.loop.beats import Beats
from forge.cli.worker.loop.folders import Folder, held
from forge.cli.worker.loop.shown import status_of, table_of
from forge.cli.worker.loop.signals import heeded
from forge.cli.worker.loop.wakes import Wakes
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.processes import sandbox
from forge.cli.worker.runs import hooks
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.server.client import (
    PATIENCE,
    Body,
    Refused,
    Server,
    Unreachable,
    Where,
    http_client,
)
from forge.cli.worker.settings.settings import Sandbox, Settings, merged
from forge.cli.worker.settings.workflows import FILE, Broken, Workflow, parse
from forge.clock import random_between

_FAILED, _NOTHING_TO_DO = 1, 3
_SHOW_SECONDS = 1.0
_AT_ONCE = 2.0


def run(settings: Settings, at: Connection, root: Path, *, is_once: bool) -> int:
    if not at.url or not at.key:
        raise BadArguments(
            "Say where and as which agent: FORGE_URL and FORGE_AGENT_KEY. forge connect <agent> makes a key."
        )
    with held(root) as folder:
        stopping = Event()
        where = Where(at.url.rstrip("/"), at.key, folder.instance())
        with http_client() as http:
            server = Server(where, http, stopping.wait, lambda most: random_between(most / 2, most))
            return _work(settings, server, folder, stopping, Wakes(where, http), is_once=is_once)


def _work(
    settings: Settings, server: Server, folder: Folder, stopping: Event, wakes: Wakes, *, is_once: bool
) -> int:
    me = known(server, settings)
    agent = agent_of(settings.agent)
    require_program(agent)
    beats = Beats(server, agent.name, settings.name or os.uname().nodename)
    crew = _crew(settings, agent, server, folder, stopping, me, lambda: beats.runtime_id)
    # Heard of before anything that takes long, such as the first clone.
    beats.beat()
    if beats.problem:
        raise BadArguments(beats.problem)
    crew = replace(crew, settings=with_defaults(settings, _wanted(crew)))
    warn(crew)
    worker = Worker(crew, folder, say, is_once=is_once, begun=beats.soon)
    beats.of(worker.beat, worker.heard)
    say(f"{me['profileKey']} works for {server.where.url} with {crew.agent.name}, in {folder.root}.")
    wakes.ring_to(worker.ring)
    with heeded(worker), _shown(worker, beats, folder):
        beats.start()
        wakes.start()
        try:
            taken = worker.run()
        finally:
            beats.stop()
            wakes.stop()
    beats.beat()
    return 0 if taken or not is_once else in_vain(worker)


def warn(crew: Crew) -> None:
    """Of what may be other than its owner thinks."""
    if crew.workflow().has_hooks and not hooks.are_followed(crew):
        say(f"{FILE} has hooks. They run in a sandbox, or with trusted = true in [child]: here they don't.")
    if crew.settings.child.sandbox is Sandbox.AUTO and not crew.has_sandbox:
        say("There is no sandbox here, as bubblewrap does not work: agents see what this user sees.")


def in_vain(worker: Worker) -> int:
    """Why there was no task, which a problem has told."""
    if worker.problem:
        return _FAILED
    say("Nothing waits to be done.")
    return _NOTHING_TO_DO


def require_program(agent: Agent) -> None:
    """Or each issue of the queue would be claimed, and given back."""
    if shutil.which(agent.program) is None:
        raise BadArguments(
            f"There is no program {agent.program} here: install it, or say --agent {agent.name}:<path>."
        )


def with_defaults(settings: Settings, wanted: Mapping[str, Any]) -> Settings:
    """What the repository wants, where its owner said nothing else."""
    said = settings.model_dump(exclude_unset=True)
    try:
        return Settings.model_validate(merged(wanted, said))
    except ValidationError:
        say(f"What {FILE} says of slots, polling or limits is out of bounds, and not followed.")
        return settings


def _wanted(crew: Crew) -> Mapping[str, Any]:
    try:
        crew.repository.fetch()
        return crew.workflow().wanted
    except GitFailed:
        # It is told, and looked after, before any work is taken.
        return {}


def _crew(
    settings: Settings,
    agent: Agent,
    server: Server,
    folder: Folder,
    stopping: Event,
    me: Body,
    runtime: Callable[[], str],
) -> Crew:
    source = source_of(settings.repo)
    repository = Repository(source, folder.repositories / folder_name(source), settings.git.base)
    author = Author(
        settings.git.name or str(me["name"]), settings.git.email or f"{me['profileKey']}@agents.invalid"
    )
    return Crew(
        settings=settings,
        agent=agent,
        server=server,
        repository=repository,
        worktrees=folder.worktrees,
        author=author,
        has_sandbox=sandbox.is_wanted(settings.child.sandbox),
        workflow=WorkflowFile(repository).read,
        runtime=runtime,
        stopping=stopping,
    )


def known(server: Server, settings: Settings) -> Body:
    """Who this key is; refused where it is not whom the owner meant."""
    try:
        me = answered(server, "agents.me")
    except Refused as refused:
        raise BadArguments(f"{refused} A worker needs an agent's key: forge connect <agent>.") from None
    except Unreachable as problem:
        raise BadArguments(str(problem)) from None
    if settings.profile and settings.profile.casefold() != str(me["profileKey"]).casefold():
        raise BadArguments(f"This key is that of {me['profileKey']}, not of {settings.profile}.")
    return me


def answered(server: Server, tool: str, tell: Callable[[str], None] = say) -> Body:
    """In the end; whoever has just started a worker is told at once what it waits for."""
    try:
        return server.call(tool, {}, patience=_AT_ONCE)
    except Unreachable as problem:
        tell(f"{problem}. It is tried again for {PATIENCE:.0f} seconds.")
        return server.call(tool, {})


class WorkflowFile:
    """The repository's own, read again whenever it has changed; of a broken one the last good stays."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._text: str | None = None
        self._good = Workflow()

    def read(self) -> Workflow:
        text = self._repository.file_at_start(FILE)
        if text != self._text:
            self._text = text
            try:
                self._good = parse(text or "")
            except Broken as problem:
                say(f"{problem} The last good one is followed.")
            else:
                if self._good.warning:
                    say(self._good.warning)
        return self._good


@contextmanager
def _shown(worker: Worker, beats: Beats, folder: Folder) -> Iterator[None]:
    """Written down each second for `forge worker status`, and drawn where somebody looks."""
    over = Event()

    def status() -> dict[str, Any]:
        return status_of(worker, beats, url=beats.server.where.url, process=os.getpid())

    def keep_showing(live: Live | None) -> None:
        while not over.wait(_SHOW_SECONDS):
            told = status()
            folder.write_status(told)
            if live:
                live.update(table_of(told))

    is_seen = out.is_terminal and not out.is_dumb_terminal
    live = Live(console=out, refresh_per_second=2, transient=True) if is_seen else None
    thread = Thread(target=keep_showing, args=(live,), daemon=True)
    if live:
        live.start()
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        folder.write_status(status())
        if live:
            live.stop()
