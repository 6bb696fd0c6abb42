"""When an answer may leave: everything that it may have seen is on the disk.

Requests are executed one after the other, in memory, and written down together: whatever came while the disk
was busy is the next batch. If the disk refuses a batch, it is taken back in memory, with everything that was
executed after it, and whoever waits is told to ask again.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from forge.cli.local.documents import Change, Step


class NotKept(Exception):
    """The disk took nothing; neither did the memory."""

    def __init__(self, problem: OSError) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(slots=True)
class _Batch:
    steps: list[Step] = field(default_factory=list)
    waiting: list[asyncio.Future[None]] = field(default_factory=list)

    def end(self, problem: OSError | None) -> None:
        for future in self.waiting:
            if future.done():
                continue
            if problem:
                future.set_exception(NotKept(problem))
            else:
                future.set_result(None)

    def take_back(self) -> None:
        for step in reversed(self.steps):
            step.undo()


class Commits:
    def __init__(self, write: Callable[[list[Change]], None], tell: Callable[[str | None], None]) -> None:
        """`tell` hears why nothing can be kept, and nothing when it can be again; each once."""
        self._write = write
        self._tell = tell
        self._next = _Batch()
        self._writing: _Batch | None = None
        self._thread = ThreadPoolExecutor(1, "journal")
        self._is_told = False
        self._task: asyncio.Task[None] | None = None

    async def keep(self, step: Step | None = None) -> None:
        """Wait until this step, and everything that was executed before, is kept.

        It has to be called in the same turn that executed it: nothing may come in between.
        """
        if step and step.changes:
            self._next.steps.append(step)
        batch = self._next if self._next.steps else self._writing
        if batch is None:
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        batch.waiting.append(future)
        if self._writing is None:
            self._begin()
        await future

    def _begin(self) -> None:
        self._writing, self._next = self._next, _Batch()
        self._task = asyncio.get_running_loop().create_task(self._write_down(self._writing))

    async def _write_down(self, batch: _Batch) -> None:
        changes = [change for step in batch.steps for change in step.changes]
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._write, changes)
        except OSError as problem:
            self._refuse(batch, problem)
        else:
            batch.end(None)
            self.say(None)
        self._writing = None
        if self._next.steps:
            self._begin()

    def _refuse(self, batch: _Batch, problem: OSError) -> None:
        later, self._next = self._next, _Batch()
        later.take_back()
        batch.take_back()
        self.say(str(problem))
        later.end(problem)
        batch.end(problem)

    def say(self, problem: str | None) -> None:
        if bool(problem) != self._is_told:
            self._is_told = bool(problem)
            self._tell(problem)
