"""What all runs of a worker share."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from forge.cli.worker.agents.protocol import Agent, Wrap, unwrapped
from forge.cli.worker.git.commands import owners
from forge.cli.worker.git.repositories import Repository
from forge.cli.worker.git.worktrees import Author
from forge.cli.worker.processes import sandbox
from forge.cli.worker.processes.surroundings import MARKER, environment
from forge.cli.worker.runs.checks import Surroundings
from forge.cli.worker.runs.engagements import Engagement
from forge.cli.worker.runs.masks import Mask, masking
from forge.cli.worker.server.client import Server
from forge.cli.worker.settings.settings import Settings
from forge.cli.worker.settings.workflows import Workflow


@dataclass(frozen=True, slots=True)
class Crew:
    settings: Settings
    agent: Agent
    server: Server
    repository: Repository
    worktrees: Path
    author: Author
    has_sandbox: bool = False
    workflow: Callable[[], Workflow] = Workflow
    runtime: Callable[[], str] = str
    """The id of this machine at Forge, once it is known."""
    stopping: Event = field(default_factory=Event)
    around: Mapping[str, str] = field(default_factory=lambda: os.environ)
    crowd: Callable[[], int] = lambda: 1
    """How many runs are under way here, that share a key."""
    pauses: Sequence[float] = (2, 10, 30, 120)
    """Before whoever is away is tried again."""
    tick: Callable[[], float] = time.monotonic
    """Counts seconds; the clock of the wall may be wrong."""

    def environment_of(self, run: Engagement, **given: str) -> dict[str, str]:
        """What a child sees."""
        named = {*self.settings.child.environment, *self.agent.variables}
        told = self._facts(run) | given
        return environment(self.around, run_id=run.run_id, home=run.home, named=named, given=told)

    def owners(self, run: Engagement, **given: str) -> dict[str, str]:
        """What a command of the owner sees: in the home of a run are files that its agent wrote."""
        return owners(self.around) | {MARKER: run.run_id} | self._facts(run) | given

    def around_of(self, run: Engagement, folder: Path, minutes: float) -> Surroundings:
        """Where commands of the repository run: as its agent does."""
        environment = self.environment_of(run)
        wrap = self.wrapping(run, folder, environment)
        return Surroundings(folder, environment, minutes, self.stopping, wrap)

    def mask(self, *also: str) -> Mask:
        """Hides the keys of this machine, and these."""
        return masking(self.around, [self.server.where.key, *also])

    def _facts(self, run: Engagement) -> dict[str, str]:
        return {
            "FORGE_URL": self.server.where.url,
            "FORGE_ISSUE": run.identifier,
            "FORGE_RUN_ID": run.run_id,
            "FORGE_BRANCH": str(run.journal.fact("branch", "")),
        }

    def wrapping(self, run: Engagement, worktree: Path, given: Mapping[str, str]) -> Wrap:
        """What puts a command of this run into its sandbox, where there is one."""
        if not self.has_sandbox:
            return unwrapped
        places = sandbox.Places(worktree, run.home, self.repository.place)
        return lambda command, also: sandbox.wrapped(command, places, given, also)
