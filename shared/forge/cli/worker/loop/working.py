"""The loop of a worker: what was interrupted goes on, what was answered too, and free slots take work."""

import shutil
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from threading import Event, Lock
from typing import Any, NamedTuple

from forge.cli.worker.git.commands import GitFailed
from forge.cli.worker.loop import tidying
from forge.cli.worker.loop.deciding import (
    LOOKS_A_SECOND,
    MOST_LOOKS,
    Known,
    Step,
    looks_left,
    next_step,
    pause_after,
)
from forge.cli.worker.loop.endings import became_of
from forge.cli.worker.loop.finding import find_work
from forge.cli.worker.loop.folders import Folder
from forge.cli.worker.loop.slots import Slots
from forge.cli.worker.runs.carrying_out import Left
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import RUN, Ending, Engagement, all_in
from forge.cli.worker.runs.reins import Halt, Why
from forge.cli.worker.runs.states import waiting_runs
from forge.cli.worker.server.client import Body, Refused, Stopping, Unreachable

TIDYING_SECONDS = 600.0
SETTLING_SECONDS = 0.5
"""Between two looks: our own reports ring, too."""
UNLUCKY = 3
"""In a row that were given back: whatever is wrong, the whole queue need not suffer from it."""
_LEAST_FREE_BYTES = 200_000_000

_WHY = {"taken-over": Why.TAKEN_OVER, "limit": Why.LIMIT}
"""What the reasons of Forge mean here; all others say that the run has ended elsewhere."""

Say = Callable[[str], None]


class Hurt(NamedTuple):
    """A run that was broken off by a mistake of ours, or a full disk."""

    run: Engagement
    until: float
    """When it is tried again, by the crew's clock."""


class Worker:
    def __init__(
        self,
        crew: Crew,
        folder: Folder,
        say: Say,
        *,
        is_once: bool = False,
        begun: Callable[[], object] = bool,
    ) -> None:
        crew = replace(crew, crowd=lambda: len(self.slots))
        self.crew = crew
        self._folder = folder
        self._say = say
        self._is_once = is_once
        self._begun = begun
        self._lock = Lock()
        self._bell = Event()
        self._due: deque[Engagement] = deque()
        self._parked: dict[str, Engagement] = {}
        self._ended: dict[str, Engagement] = {}
        self._hurt: list[Hurt] = []
        self._times_hurt: Counter[str] = Counter()
        self._tidied_at = self._looked_at = crew.tick()
        self._taken = 0
        self._looks: float = MOST_LOOKS
        self._problems = self._unlucky = 0
        self._resting_until = 0.0
        self._has_looked = False
        self.slots = Slots(crew, crew.settings.slots, self._left, self.ring)
        self.is_draining = False
        self.problem = ""

    def run(self) -> int:
        """Until it has drained; how many runs it has begun."""
        self._recover()
        while (step := next_step(self._known())) is not Step.END:
            match step:
                case Step.GO_ON:
                    self._start(self._due.popleft())
                case Step.LOOK:
                    self._look()
                case Step.WAIT:
                    self._rest()
        return self._taken

    def ring(self) -> None:
        """Something has happened."""
        self._bell.set()

    def drain(self) -> None:
        if not self.is_draining:
            self._say("Draining: what is under way is finished, and nothing new is taken.")
        self.is_draining = True
        self.ring()

    def stop(self) -> None:
        """What is under way is interrupted, and goes on after the next start."""
        self.is_draining = True
        self.crew.stopping.set()
        self.slots.halt_all(Why.ENDING, "The worker ends.")
        self.ring()

    def heard(self, answer: Body) -> None:
        """The answer to a beat."""
        for told in answer.get("stop") or ():
            why = _WHY.get(told["reason"], Why.TOLD)
            self.slots.halt(str(told["runId"]), Halt(why, f"Forge says: {told['reason']}."))
        if answer.get("drain"):
            self.drain()
        if any((answer.get("waiting") or {}).values()):
            self.ring()

    def beat(self) -> dict[str, Any]:
        """What a beat tells of it."""
        runs = [slot.run.run_id for slot in self.slots]
        busy = len(runs)
        return {
            "status": "BUSY" if not self.slots.free else "ONLINE",
            "slots": {"total": self.slots.total, "busy": busy},
            "runs": [one for one in self.known_runs() if one.startswith(RUN)][:50],
            "draining": self.is_draining,
        }

    def known_runs(self) -> list[str]:
        """Whatever is not over here: none of it is to be given out again."""
        return [*dict.fromkeys(one.run_id for one in self._under_way())]

    def _under_way(self) -> list[Engagement]:
        """In a slot, or waiting for one, for another try or for an answer."""
        at_work = [slot.run for slot in self.slots]
        with self._lock:
            hurt = [one.run for one in self._hurt]
            return [*at_work, *self._due, *hurt, *self._parked.values()]

    def parked(self) -> list[Engagement]:
        with self._lock:
            return [*self._parked.values()]

    def _known(self) -> Known:
        return Known(
            free=self.slots.free,
            busy=len(self.slots),
            due=len(self._due),
            is_draining=self.is_draining,
            has_looked=self._has_looked,
            is_resting=self.crew.tick() < self._resting_until,
            is_full=self._is_once and (self._taken > 0 or self._has_looked),
        )

    def _recover(self) -> None:
        """What a worker that was killed has left."""
        for run in all_in(self._folder.runs):
            if run.ending:
                self._ended[run.run_id] = run
            elif run.parked:
                self._parked[run.run_id] = run
            else:
                self._say(f"{run.identifier}: going on with {run.run_id}.")
                self._due.append(run)
        self._tidy()
        self._tell_of_strangers()

    def _tell_of_strangers(self) -> None:
        """A worktree without a run: its branch is kept, and somebody has to look at it."""
        own = {
            one.journal.fact("worktree")
            for one in (*self._due, *self._parked.values(), *self._ended.values())
        }
        for path in sorted(self._folder.worktrees.iterdir()):
            if path.name not in own:
                self._say(f"{path} belongs to no run of this worker; its branch is kept.")

    def _look(self) -> None:
        self._has_looked = True
        now = self.crew.tick()
        self._looks = looks_left(self._looks, now - self._looked_at) - 1
        self._looked_at = now
        self._bell.clear()
        try:
            self._require_room()
            self.crew.repository.fetch()
            self.crew.repository.start()
            self._look_at_parked()
            if not self._due and (found := find_work(self.crew, self._folder.runs, self.known_runs())):
                self._say(f"{found.identifier}: {found.title}")
                self._has_looked = False
                self._looks += 1
                self._start(found)
            self._problems, self.problem = 0, ""
        except (Unreachable, Refused, GitFailed, OSError) as problem:
            self._problems += 1
            if str(problem) != self.problem:
                self._say(f"No work is taken: {problem}")
            self.problem = str(problem)
        except Stopping:
            return

    def _start(self, run: Engagement) -> None:
        self._taken += 1
        self.slots.start(run)
        # Until Forge knows, its claim is that of an idle machine, of which nothing is heard for long.
        self._begun()

    def _require_room(self) -> None:
        """Who has lost its folder, or has no room in it, must not go on claiming."""
        free = shutil.disk_usage(self._folder.worktrees).free
        if free < _LEAST_FREE_BYTES:
            raise OSError(f"{self._folder.root} has only {free // 1_000_000} MB left.")

    def _look_at_parked(self) -> None:
        if not self._parked:
            return
        waiting = waiting_runs(self.crew.server)
        with self._lock:
            answered = [run for run_id, run in self._parked.items() if run_id not in waiting]
            for run in answered:
                del self._parked[run.run_id]
                self._due.append(run)

    def _rest(self) -> None:
        poll = self.crew.settings.poll_seconds
        rang = self._bell.wait(pause_after(self._problems, poll))
        since = self.crew.tick() - self._looked_at
        missing = 1 - looks_left(self._looks, since)
        early = max(SETTLING_SECONDS - since, missing / LOOKS_A_SECOND)
        if rang and early > 0 and not self.is_draining and not self._is_once:
            # What comes in a moment is looked at together.
            self.crew.stopping.wait(early)
        self._try_again()
        self._bell.clear()
        self._has_looked = False
        if self.crew.tick() - self._tidied_at >= TIDYING_SECONDS:
            self._tidy()

    def _try_again(self) -> None:
        """Those whose time has come, whatever else rings; one may still be about to leave its slot."""
        now = self.crew.tick()
        with self._lock:
            ripe = [one for one in self._hurt if one.until <= now and one.run.run_id not in self.slots]
            self._hurt = [one for one in self._hurt if one not in ripe]
            self._due.extend(one.run for one in ripe)

    def _left(self, run: Engagement, left: Left | None, problem: str) -> None:
        """In the thread of the run."""
        with self._lock:
            if left is Left.PARKED:
                self._parked[run.run_id] = run
            elif left is Left.ENDED:
                self._ended[run.run_id] = run
            elif not self.crew.stopping.is_set():
                self._times_hurt[run.run_id] += 1
                wait = pause_after(self._times_hurt[run.run_id] - 1, self.crew.settings.poll_seconds)
                self._hurt.append(Hurt(run, self.crew.tick() + wait))
        self._count(run.ending)
        why = (problem or str(run.journal.fact("problem", ""))).strip()
        self._say(f"{run.identifier} {became_of(run, left)}" + (f": {why}" if why else "."))

    def _count(self, ending: Ending | None) -> None:
        """How often in a row work was given back."""
        if ending is Ending.COMPLETED:
            self._unlucky = 0
        if ending is Ending.GIVEN_BACK:
            self._unlucky += 1
        if ending is Ending.GIVEN_BACK and self._unlucky >= UNLUCKY:
            pause = pause_after(self._unlucky - UNLUCKY, self.crew.settings.poll_seconds)
            self._resting_until = self.crew.tick() + pause
            self._say(f"{self._unlucky} in a row were given back: nothing new is taken for {pause:.0f} s.")

    def _tidy(self) -> None:
        self._tidied_at = self.crew.tick()
        with self._lock:
            ended = [*self._ended.values()]
        busy = {one.identifier for one in self._under_way()}
        for run in ended:
            if run.identifier not in busy and tidying.tidy(self.crew, run):
                del self._ended[run.run_id]
