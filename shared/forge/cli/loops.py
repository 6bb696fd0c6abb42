"""What runs beside the server on one machine: the relay of the outbox, and the sweep."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Lock, Thread
from traceback import format_exception

from forge.cli.stream import StreamFollower
from forge.clock import new_id, random_between
from forge.jsontext import encode
from forge.store.connections import Connections
from forge.store.readings import Attributes
from forge.store.store import Store
from forge.wire.journal import write_to_stdout
from forge.work.log import outbox, sweep
from forge.work.log.events import LogItem
from forge.work.log.sweep import Sweep
from forge.work.log.timers import Due, TimerItem

SWEEP_SECONDS = 60.0
RELAY_SECONDS = 0.5
LONGEST_PAUSE = 60.0


class Loops:
    """Both loops as threads; `sweep_now` is also for the dev clock."""

    def __init__(
        self,
        store: Store,
        connections: Connections,
        now: Callable[[], datetime],
        write: Callable[[str], object] = write_to_stdout,
    ) -> None:
        self._store = store
        self._write = write
        self.failures: Counter[str] = Counter()
        """How often each loop, or a row in it, has failed."""
        self._now = now
        self._follower = StreamFollower(connections, store.table.name)
        self._stopping = Event()
        self._one_at_a_time = Lock()

    @contextmanager
    def running(self) -> Iterator[None]:
        threads = [
            Thread(target=self._repeat, args=("relay", self.relay_now, RELAY_SECONDS), daemon=True),
            Thread(target=self._repeat, args=("sweep", self.sweep_now, SWEEP_SECONDS), daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            for thread in threads:
                thread.join(timeout=5)

    def relay_now(self) -> int:
        with self._one_at_a_time:
            return sum(self._relay(image) for image in self._follower.new_images())

    def sweep_now(self) -> int:
        def note(due: Due, reason: Exception, timer: TimerItem | None) -> None:
            self._tell("sweep", reason, partition=due.key.partition, sort=due.key.sort)

        return sweep.run(Sweep(self._store, self._now(), new_id, note))

    def _relay(self, image: Attributes) -> bool:
        """A row that can't be sent keeps none behind it waiting: it is due, and so the sweep's."""
        try:
            return outbox.is_for_relay(image) and outbox.relay(self._store, LogItem.from_attributes(image))
        except Exception as reason:  # noqa: BLE001 - the edge of this row; what it caught is told
            self._tell("relay", reason, row=repr(image.get("id")))
            return False

    def _repeat(self, name: str, work: Callable[[], int], seconds: float) -> None:
        """Again and again; after a failure later and later, because what is away may be away for long."""
        in_a_row = 0
        while not self._stopping.wait(seconds + pause_after(in_a_row, random_between(0, 1))):
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


def pause_after(failures_in_a_row: int, chance: float) -> float:
    """Any part of a time that doubles to a limit; none where nothing failed."""
    return chance * min(2.0**failures_in_a_row, LONGEST_PAUSE) if failures_in_a_row else 0.0
