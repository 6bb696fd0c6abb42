"""What runs beside the server on one machine: the relay of the outbox, and the sweep."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event, Lock, Thread

from botocore.exceptions import BotoCoreError, ClientError

from forge.cli.stream import StreamFollower
from forge.clock import new_id
from forge.errors import DomainError
from forge.store.answers import Refused
from forge.store.connections import Connections
from forge.store.keys import Key
from forge.store.store import Store
from forge.work.log import outbox, sweep
from forge.work.log.events import LogItem
from forge.work.log.sweep import Sweep

SWEEP_SECONDS = 60.0
RELAY_SECONDS = 0.5
SOON = timedelta(minutes=5)
"""Later than the sweep would look at what was not told."""

_LOG = "#LOG"


class Loops:
    """Both loops as threads; `sweep_now` is also for the dev clock."""

    def __init__(
        self,
        store: Store,
        connections: Connections,
        now: Callable[[], datetime],
        *,
        starts: Callable[[], int] = lambda: 0,
    ) -> None:
        """`starts` tells how often the AWS began: its stream holds only what was written since."""
        self._store = store
        self._now = now
        self._starts = starts
        self._caught_up_at: int | None = None
        self._follower = StreamFollower(connections, store.table.name)
        self._stopping = Event()
        self._one_at_a_time = Lock()

    @contextmanager
    def running(self) -> Iterator[None]:
        threads = [
            Thread(target=self._repeat, args=(self.relay_now, RELAY_SECONDS), daemon=True),
            Thread(target=self._repeat, args=(self.sweep_now, SWEEP_SECONDS), daemon=True),
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
            starts = self._starts()
            told = self._catch_up() if starts != self._caught_up_at else set()
            # If we fail on the way, the next time begins with what is not told yet.
            self._caught_up_at = None
            rows = [image for image in self._follower.new_images() if "outbox_due" in image]
            count = sum(
                outbox.relay(self._store, row)
                for row in map(LogItem.from_attributes, rows)
                if row.key not in told
            )
            self._caught_up_at = starts
            return count + len(told)

    def _catch_up(self) -> set[Key]:
        """Tell what was written but not told before the stream began, and is not due for the sweep yet."""
        soon = Sweep(self._store, self._now() + SOON, new_id)
        rows = [key for key in sweep.due(soon) if key.partition.endswith(_LOG)]
        return {key for key in rows if sweep.settle(soon, key)}

    def sweep_now(self) -> int:
        return sweep.run(Sweep(self._store, self._now(), new_id))

    def _repeat(self, work: Callable[[], int], seconds: float) -> None:
        while not self._stopping.wait(seconds):
            try:
                work()
            except (DomainError, Refused, BotoCoreError, ClientError):
                # The embedded AWS is away for a moment; what was not done is due, and done later.
                continue
