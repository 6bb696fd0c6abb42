"""The runs that are under way on this machine, a thread for each."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock, Thread

from forge.cli.worker.runs.carrying_out import Left, carry_out
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import Engagement
from forge.cli.worker.runs.reins import Halt, Reins, Why


@dataclass(frozen=True, slots=True)
class Slot:
    run: Engagement
    reins: Reins


class Slots:
    """`left` hears of each run that ended, was parked or kept, in its thread, and `freed` that it has gone.

    It is somewhere at any moment: what nobody knew of would be taken once more.
    """

    def __init__(
        self,
        crew: Crew,
        total: int,
        left: Callable[[Engagement, Left | None, str], None],
        freed: Callable[[], object] = bool,
    ) -> None:
        self._crew = crew
        self._left = left
        self._freed = freed
        self._lock = Lock()
        self._slots: dict[str, Slot] = {}
        self.total = total

    def __len__(self) -> int:
        return len(self._slots)

    def __iter__(self) -> Iterator[Slot]:
        with self._lock:
            return iter([*self._slots.values()])

    def __contains__(self, run_id: str) -> bool:
        return run_id in self._slots

    @property
    def free(self) -> int:
        return self.total - len(self)

    def start(self, run: Engagement) -> None:
        reins = Reins()
        thread = Thread(target=self._work, args=(run, reins), daemon=True, name=run.identifier)
        with self._lock:
            self._slots[run.run_id] = Slot(run, reins)
        thread.start()

    def halt(self, run_id: str, halt: Halt) -> None:
        with self._lock:
            slot = self._slots.get(run_id)
        # What a person has let it use beyond that, its watch knows.
        if slot and not (halt.why is Why.LIMIT and slot.run.extended):
            slot.reins.pull(halt)

    def halt_all(self, why: Why, text: str) -> None:
        for slot in self:
            slot.reins.pull(Halt(why, text))

    def _work(self, run: Engagement, reins: Reins) -> None:
        left: Left | None = None
        problem = ""
        try:
            left = carry_out(self._crew, run, reins)
        except Exception as reason:  # noqa: BLE001 - the edge of this run: no other one may end with it; it is told
            problem = f"{type(reason).__name__}: {reason}"
        try:
            self._left(run, left, problem)
        finally:
            with self._lock:
                del self._slots[run.run_id]
            self._freed()
