"""The way of marks to the queues: relay, sweep and the worker of words, in discrete events.

Marks arrive in lanes, as many as batches are taken at once. A lane takes a batch, sends it portion by
portion, and looks again. Each minute the sweep takes what has been due meanwhile, one by one. A mark is gone
only after it was sent; whoever finds one that is due reads it again before sending, so that two may still
send the same if both read before either has taken it away.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from forge.testing.simulation.partitions import arrivals

_TICK = 0.05
"""Seconds in which arrivals are counted together."""


@dataclass(frozen=True, slots=True)
class Relay:
    """How the relay is built, and how long its requests take, in seconds."""

    lanes: int
    batch: int
    """Records that one invocation takes."""
    together: int
    """Marks that it sends at once."""
    portion_seconds: float
    """To read the rows of as many marks, send them, and take the marks away."""
    reading_seconds: float
    """To read again, whether marks are still there."""
    idle_poll_seconds: float
    due_after: float
    """When a mark is the sweep's, too."""
    sweep_every: float
    sweep_lasts: float
    sweep_mark_seconds: float
    """For one mark, by itself."""
    sweep_most: int


@dataclass(frozen=True, slots=True)
class Words:
    """The worker of the word index: messages of one issue are taken one after the other."""

    share: float
    """Of marks that an issue's words follow from."""
    consumers: int
    batch: int
    message_seconds: float


@dataclass(frozen=True, slots=True)
class Told:
    """What became of all marks."""

    marks: int
    sent_once: int
    sent_again: int
    never_sent: int
    longest_lag: float
    lag_gone_at: float
    """From when on nothing was sent later than `SOON` after it was written."""
    words_late_until: float
    """The same of what is found by its words, from when it was told."""
    sent_by_sweep: int


SOON = 5.0
"""Seconds after which what was written counts as late."""


@dataclass(slots=True)
class _State:
    written: list[float] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    is_gone: bytearray = field(default_factory=bytearray)
    lag_gone_at: float = 0.0
    longest_lag: float = 0.0
    sent_by_sweep: int = 0

    def arrive(self, moment: float) -> int:
        self.written.append(moment)
        self.sent.append(0)
        self.is_gone.append(0)
        return len(self.written) - 1

    def tell(self, mark: int, moment: float) -> None:
        self.sent[mark] += 1
        lag = moment - self.written[mark]
        self.longest_lag = max(self.longest_lag, lag)
        if lag > SOON:
            self.lag_gone_at = max(self.lag_gone_at, moment)


Act = Callable[[float], None]


class Simulation:
    """Events in the order of their times."""

    def __init__(self, relay: Relay, words: Words, *, seed: int) -> None:
        self._relay, self._words = relay, words
        self._chance = Random(seed)  # noqa: S311 - chance that is the same in each run
        self._events: list[tuple[float, int, Act]] = []
        self._order = 0
        self._lanes: list[deque[int]] = [deque() for _ in range(relay.lanes)]
        self._at_work = [False] * relay.lanes
        self._unsent: deque[int] = deque()
        self._state = _State()
        self._word_messages: deque[float] = deque()
        self._idle_word_workers = words.consumers
        self._words_late_until = 0.0

    def run(self, marks_each_second: Iterable[float], *, then_seconds: float = 600) -> Told:
        """So many marks in each second, on the average, and then time in which nothing new comes."""
        moment = 0.0
        for mean in marks_each_second:
            for tick in range(round(1 / _TICK)):
                self._at(moment + tick * _TICK, self._arrive(mean * _TICK))
            moment += 1
        for number in range(1, int((moment + then_seconds) // self._relay.sweep_every) + 1):
            self._at(number * self._relay.sweep_every, self._sweep)
        while self._events:
            when, _, act = heapq.heappop(self._events)
            act(when)
        return self._told()

    def _at(self, when: float, act: Act) -> None:
        self._order += 1
        heapq.heappush(self._events, (when, self._order, act))

    def _arrive(self, mean: float) -> Act:
        def act(now: float) -> None:
            for _ in range(arrivals(self._chance, mean)):
                mark, lane = self._state.arrive(now), self._chance.randrange(len(self._lanes))
                self._unsent.append(mark)
                self._lanes[lane].append(mark)
                if not self._at_work[lane]:
                    self._at_work[lane] = True
                    self._at(now + self._chance.random() * self._relay.idle_poll_seconds, self._take(lane))

        return act

    def _take(self, lane: int) -> Act:
        def act(now: float) -> None:
            waiting = self._lanes[lane]
            batch = [waiting.popleft() for _ in range(min(self._relay.batch, len(waiting)))]
            if not batch:
                self._at_work[lane] = False
                return
            self._portion(lane, batch, now, taken_at=now)

        return act

    def _portion(self, lane: int, batch: list[int], now: float, *, taken_at: float) -> None:
        """The next marks of a batch that go together; after the last, the lane looks again.

        What is due is decided by when the batch was taken.
        """
        if not batch:
            self._at(now, self._take(lane))
            return
        relay, state = self._relay, self._state
        portion, rest = batch[: relay.together], batch[relay.together :]
        begins = now
        if any(state.written[mark] + relay.due_after <= taken_at for mark in portion):
            portion = [mark for mark in portion if not state.is_gone[mark]]
            begins += relay.reading_seconds
        ends = begins + (relay.portion_seconds if portion else 0.0)

        def done(moment: float) -> None:
            self._send(portion, moment)
            self._portion(lane, rest, moment, taken_at=taken_at)

        self._at(ends, done)

    def _send(self, marks: list[int], now: float) -> None:
        for mark in marks:
            self._state.tell(mark, now)
            self._state.is_gone[mark] = 1
            if self._chance.random() < self._words.share:
                self._word_messages.append(now)
        self._wake_words(now)

    def _sweep(self, now: float) -> None:
        relay, state = self._relay, self._state
        while self._unsent and state.is_gone[self._unsent[0]]:
            self._unsent.popleft()
        due: list[int] = []
        for mark in self._unsent:
            if state.written[mark] + relay.due_after > now or len(due) == relay.sweep_most:
                break
            if not state.is_gone[mark]:
                due.append(mark)
        self._sweep_next(due, now, until=now + relay.sweep_lasts)

    def _sweep_next(self, due: list[int], now: float, *, until: float) -> None:
        """One after the other: each is read again, and sent if it is still there."""
        if not due or now >= until:
            return
        mark, rest = due[0], due[1:]
        was_there = not self._state.is_gone[mark]
        lasts = self._relay.sweep_mark_seconds if was_there else self._relay.reading_seconds

        def done(moment: float) -> None:
            if was_there:
                self._state.sent_by_sweep += 1
                self._send([mark], moment)
            self._sweep_next(rest, moment, until=until)

        self._at(now + lasts, done)

    def _wake_words(self, now: float) -> None:
        while self._idle_word_workers and self._word_messages:
            self._idle_word_workers -= 1
            taken = min(self._words.batch, len(self._word_messages))
            oldest, *_ = [self._word_messages.popleft() for _ in range(taken)]
            self._at(now + taken * self._words.message_seconds, self._words_done(oldest))

    def _words_done(self, told_at: float) -> Act:
        def act(now: float) -> None:
            self._idle_word_workers += 1
            if now - told_at > SOON:
                self._words_late_until = now
            self._wake_words(now)

        return act

    def _told(self) -> Told:
        sent = self._state.sent
        return Told(
            marks=len(sent),
            sent_once=sum(times == 1 for times in sent),
            sent_again=sum(times > 1 for times in sent),
            never_sent=sum(times == 0 for times in sent),
            longest_lag=self._state.longest_lag,
            lag_gone_at=self._state.lag_gone_at,
            words_late_until=self._words_late_until,
            sent_by_sweep=self._state.sent_by_sweep,
        )
