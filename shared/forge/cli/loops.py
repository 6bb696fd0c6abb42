"""What runs beside the server on one machine: the relay of the outbox, and the sweep."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Lock, Thread

from botocore.exceptions import BotoCoreError, ClientError

from forge.cli.stream import StreamFollower
from forge.clock import new_id
from forge.errors import DomainError
from forge.store.answers import Refused
from forge.store.connections import Connections
from forge.store.store import Store
from forge.work.log import outbox, sweep
from forge.work.log.events import LogItem
from forge.work.log.sweep import Sweep

SWEEP_SECONDS = 60.0
RELAY_SECONDS = 0.5


class Loops:
    """Both loops as threads; `sweep_now` is also for the dev clock."""

    def __init__(self, store: Store, connections: Connections, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now
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
            rows = [image for image in self._follower.new_images() if "outbox_due" in image]
            return sum(outbox.relay(self._store, LogItem.from_attributes(row)) for row in rows)

    def sweep_now(self) -> int:
        return sweep.run(Sweep(self._store, self._now(), new_id))

    def _repeat(self, work: Callable[[], int], seconds: float) -> None:
        while not self._stopping.wait(seconds):
            try:
                work()
            except (DomainError, Refused, BotoCoreError, ClientError):
                # The embedded AWS is away for a moment; what was not done is due, and done later.
                continue
