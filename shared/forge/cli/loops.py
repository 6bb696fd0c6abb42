"""What runs beside the server on one machine: the relay of the outbox, the workers, and the sweep."""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from threading import Event, Lock, Thread
from traceback import format_exception

from forge.cli.local.bells import MARKS, Bells
from forge.cli.local.channel import is_followed
from forge.cli.stream import Follower, StreamFollower
from forge.clock import random_between
from forge.jsontext import encode
from forge.store.connections import Connections
from forge.store.keys import Key
from forge.store.queues import Received
from forge.store.readings import Attributes
from forge.store.store import Store
from forge.wire.journal import write_to_stdout
from forge.work.background import errand_runner, export_files, word_index
from forge.work.background.deliveries.consuming import MOST_AT_ONCE, threads, under_way
from forge.work.background.deliveries.deliveries import QUEUE
from forge.work.background.erasures import carrying_out
from forge.work.background.sweep import outbox, sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.background.sweep.timers import Due, TimerItem
from forge.work.background.waits import tending
from forge.work.backlog.trackers.errands import ErrandItem
from forge.work.overviews.exports.orders import ExportItem
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.plans.waits.waits import WaitItem
from forge.work.record.log.rows import OutboxItem
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.workers import Worker

SWEEP_SECONDS = 60.0
RELAY_SECONDS = 0.5
"""For what comes without a bell: messages that were put off, and what other processes write."""
GATHERING_SECONDS = 0.05
DISPATCHING, INDEXING = 3, 2
"""Threads for what is most: they wait for answers most of the time. Messages of one issue come in turns."""
LONGEST_PAUSE = 10.0
"""What is away on one machine is usually back in a moment."""
SOON = timedelta(minutes=5)
"""Later than the sweep would look at what was not told."""


class Loops:
    """The loops as threads; `settle_now` is also for the dev clock."""

    def __init__(
        self,
        store: Store,
        connections: Connections,
        now: Callable[[], datetime],
        write: Callable[[str], object] = write_to_stdout,
        *,
        starts: Callable[[], int] = lambda: 0,
        perform: Callable[[str], object] = lambda text: None,
        public_url: str = "",
        follower: Follower | None = None,
        bells: Bells | None = None,
    ) -> None:
        """`starts` tells how often the AWS began: its stream holds only what was written since.

        `perform` carries a task out. `public_url` begins the links in what is posted. `bells` tell when there
        is something to do.
        """
        self._store = store
        self._write = write
        self.failures: Counter[str] = Counter()
        """How often each loop, or a row in it, has failed."""
        self._now = now
        self._starts = starts
        self._perform = perform
        self._caught_up_at: int | None = None
        self._follower = follower or StreamFollower(connections, store.table.name)
        self._bells = bells or Bells()
        self._worker = Worker(store, now, own_machine=True, public_url=public_url)
        self._dispatching = threads(DISPATCHING * MOST_AT_ONCE)
        self._stopping = Event()
        self._one_at_a_time = Lock()

    @contextmanager
    def running(self) -> Iterator[None]:
        urls = self._store.queues.urls
        loops: list[tuple[str, Callable[[], int], str]] = [
            ("relay", self.relay_now, MARKS),
            ("dispatch", self.dispatch_now, urls[QUEUE]),
            *[("dispatch", self.dispatch_now, _more(QUEUE))] * (DISPATCHING - 1),
            ("words", self.index_now, urls[word_index.QUEUE]),
            *[("words", self.index_now, _more(word_index.QUEUE))] * (INDEXING - 1),
            ("waits", self.tend_now, urls[WaitItem.queue]),
            ("tasks", self.perform_now, urls[TaskItem.queue]),
            ("exports", self.export_now, urls[ExportItem.queue]),
            ("erasures", self.erase_now, urls[ErasureItem.queue]),
            ("errands", self.run_errands_now, urls[ErrandItem.queue]),
        ]
        threads = [
            *(Thread(target=self._repeat, args=(*loop, RELAY_SECONDS), daemon=True) for loop in loops),
            Thread(target=self._repeat, args=("sweep", self.sweep_now, "", SWEEP_SECONDS), daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            self._bells.ring_all()
            for thread in threads:
                thread.join(timeout=5)

    def relay_now(self) -> int:
        with self._one_at_a_time:
            starts, failures = self._starts(), self.failures["relay"]
            told = self._catch_up() if starts != self._caught_up_at else set()
            # If we fail on the way, the next time begins with what is not told yet.
            self._caught_up_at = None
            count = self._relay(told)
            self._caught_up_at = starts if failures == self.failures["relay"] else None
            return count + len(told)

    def _catch_up(self) -> set[Key]:
        """Tell what was written but not told before the stream began, and is not due for the sweep yet."""
        now = self._now()
        found = sweep.look(self._sweep("relay", now + SOON)).due
        rows = [due for due in found if is_followed(due.key.partition) and not due.has_failed]
        # What fails has failed now.
        present = self._sweep("relay", now)
        return {due.key for due in rows if sweep.settle(present, due)}

    def dispatch_now(self) -> int:
        """Act on what waits on the queue, until nothing does; what can't be acted on comes again later."""
        acted_on, worker = 0, replace(self._worker, name=QUEUE)
        while waiting := self._receive(QUEUE, MOST_AT_ONCE):
            with under_way(worker, [message.body for message in waiting], pool=self._dispatching) as acted:
                acted_on += self._finish(QUEUE, waiting, [each.result for each in acted])
        return acted_on

    def index_now(self) -> int:
        """Keep up what issues are found by."""
        return self._take(word_index.QUEUE, word_index.consume, most=MOST_AT_ONCE)

    def tend_now(self) -> int:
        """Look at what waits for somebody, for as long as there are messages about it."""
        return self._take(WaitItem.queue, tending.consume, most=MOST_AT_ONCE)

    def perform_now(self) -> int:
        """Carry out what nobody waits for."""
        return self._take(TaskItem.queue, lambda _, text: self._perform(text))

    def export_now(self) -> int:
        """Write what was ordered."""
        return self._take(ExportItem.queue, export_files.consume)

    def erase_now(self) -> int:
        """Erase what was ordered to be."""
        return self._take(ErasureItem.queue, carrying_out.consume)

    def run_errands_now(self) -> int:
        """Do elsewhere what was decided here."""
        return self._take(ErrandItem.queue, errand_runner.consume)

    def _take(self, queue: str, act: Callable[[Worker, str], object], *, most: int = 1) -> int:
        """Act on what is in a queue, one after the other, until nothing is left; on how many."""
        acted_on, worker = 0, replace(self._worker, name=queue)
        while waiting := self._receive(queue, most):
            acted_on += self._finish(queue, waiting, [partial(act, worker, one.body) for one in waiting])
        return acted_on

    def _receive(self, queue: str, most: int) -> list[Received]:
        waiting = self._store.queues.receive(queue, most=most)
        if len(waiting) == most:
            # There may be more than one of us is for.
            self._bells.ring(_more(queue))
        return waiting

    def _finish(self, queue: str, messages: Sequence[Received], acts: Sequence[Callable[[], object]]) -> int:
        done = []
        for message, act in zip(messages, acts, strict=True):
            try:
                act()
                done.append(message)
            except Exception as reason:  # noqa: BLE001 - the edge of this message; what it caught is told
                self._tell(queue, reason)
        self._store.queues.delete_all(queue, done)
        return len(done)

    def settle_now(self) -> int:
        """Whatever is due, and what follows from it for those who wait to be told."""
        settled = self.sweep_now()
        self.relay_now()
        self.index_now()
        self.dispatch_now()
        self.tend_now()
        self.perform_now()
        self.export_now()
        self.erase_now()
        self.run_errands_now()
        return settled

    def sweep_now(self) -> int:
        return sweep.run(self._sweep("sweep", self._now()))

    def _sweep(self, loop: str, now: datetime) -> Sweep:
        def note(due: Due, reason: Exception, timer: TimerItem | None) -> None:
            self._tell(loop, reason, partition=due.key.partition, sort=due.key.sort)

        return Sweep(replace(self._worker, clock=lambda: now), note)

    def _relay(self, told: Container[Key]) -> int:
        """What can't be sent keeps none behind it waiting: it is due, and so the sweep's."""
        found = [mark for image in self._follower.new_images() if (mark := self._mark_in(image)) is not None]
        marks = [mark for mark in found if mark.key not in told]
        sent = outbox.relay_together(self._store, marks, now=self._now())
        for mark in marks:
            if mark.key not in sent:
                self._relay_alone(mark)
        return len(marks)

    def _relay_alone(self, mark: OutboxItem) -> None:
        try:
            outbox.relay_unless_sent(self._store, [mark.key])
        except Exception as reason:  # noqa: BLE001 - the edge of this mark; what it caught is told
            self._tell("relay", reason, row=repr(mark.id))

    def _mark_in(self, image: Attributes) -> OutboxItem | None:
        try:
            return outbox.mark_in(image)
        except ValueError as reason:
            self._tell("relay", reason, row=repr(image.get("id")))
            return None

    def _repeat(self, name: str, work: Callable[[], int], bell: str, seconds: float) -> None:
        """Whenever it rings, and once in a while; later and later after failures, which may last."""
        in_a_row = 0
        while not self._stopping.is_set():
            if in_a_row:
                self._stopping.wait(seconds + pause_after(in_a_row, random_between(0, 1)))
            else:
                self._bells.wait(bell, seconds)
                # What comes in a moment is done together.
                self._stopping.wait(GATHERING_SECONDS)
            if self._stopping.is_set():
                return
            try:
                work()
                in_a_row = 0
            except Exception as reason:  # noqa: BLE001 - a loop that ends is missed by nobody; it is told
                in_a_row += 1
                self._tell(name, reason)

    def _tell(self, loop: str, reason: Exception, **more: str) -> None:
        self.failures[loop] += 1
        line = {
            "level": "ERROR",
            "message": f"{loop} failed",
            "timestamp": self._now().isoformat(),
            "service": loop,
            "failures": self.failures[loop],
            "exception": "".join(format_exception(reason)),
            **more,
        }
        self._write(encode(line))


def _more(queue: str) -> str:
    """The bell for those who help with it."""
    return f"more of {queue}"


def pause_after(failures_in_a_row: int, chance: float) -> float:
    """Any part of a time that doubles to a limit; none where nothing failed."""
    return chance * min(2.0**failures_in_a_row, LONGEST_PAUSE) if failures_in_a_row else 0.0
