"""What is told of a run while its agent works: log, figures, where it stands; and what Forge answers."""

from collections.abc import Callable
from math import inf
from threading import Event, Lock, Thread
from typing import NamedTuple

from forge.cli.calls import say
from forge.cli.worker.agents.protocol import Began, Counted, Did, Said, Stepped
from forge.cli.worker.agents.protocol import Event as Heard
from forge.cli.worker.limits import Limits, Usage, Used, reason_to_stop
from forge.cli.worker.runs.engagements import Engagement
from forge.cli.worker.runs.logs import LogBook
from forge.cli.worker.runs.masks import Mask
from forge.cli.worker.runs.reins import Halt, Progress, Reins, Why
from forge.cli.worker.runs.states import status_of
from forge.cli.worker.server.client import PATIENCE, Refused, Server, Stopping, Unreachable
from forge.cli.worker.settings.settings import Price

LOG_SECONDS = 0.5
_LONGEST_STEP = 120
_MILLION = 1_000_000
_PLAN, _TOKENS = "plan", "tokens"
"""Reasons to stop that only Forge knows of."""


class Between(NamedTuple):
    """Seconds from one to the next."""

    log: float
    usage: float
    status: float


def seconds_between(crowd: int) -> Between:
    """All runs of a worker share a key, whose calls are counted by the minute: many tell more seldom."""
    return Between(LOG_SECONDS if crowd <= 1 else 0.7 * crowd, max(10.0, 3.0 * crowd), max(30.0, 6.0 * crowd))


class Watch:
    """Hears one stretch of work, and stops it when it must not go on."""

    def __init__(
        self,
        run: Engagement,
        server: Server,
        log: LogBook,
        mask: Mask,
        reins: Reins,
        *,
        limits: Limits,
        silence_seconds: float,
        tick: Callable[[], float],
        price: Price | None = None,
        crowd: Callable[[], int] = lambda: 1,
        tell: Callable[[str], None] = say,
    ) -> None:
        self._run = run
        self._server = server
        self._log = log
        self._mask = mask
        self._reins = reins
        self._limits = limits
        self._silence = silence_seconds
        self._tick = tick
        self._price = price
        self._crowd = crowd
        self._tell = tell
        self._trouble = ""
        self._before = run.used
        self._lock = Lock()
        self._began = self._heard_at = tick()
        self._usage = Usage()
        self._total = Usage()
        self._turns = 0
        self._told = Used().arguments()
        self._told_at = self._status_at = tick()
        self._at = self._step = self._told_step = ""
        self._over = Event()

    def started(self, stop: Callable[[], None]) -> None:
        """What stops the child; it may be too late for it to begin."""

        def stop_beside(_: Halt) -> None:
            Thread(target=stop, daemon=True).start()

        self._reins.listen(stop_beside)

    def hear(self, heard: Heard) -> None:
        self._heard_at = self._tick()
        match heard:
            case Said(text):
                self._log.write(text, self._mask)
            case Did(what, detail):
                self._log.write(f"· {what} {detail}".rstrip(), self._mask)
                self._at = self._mask(what)
                self._step = self._step or self._at
            case Stepped(step):
                self._at = self._step = self._mask(step)
                self._log.write(f"· {step}", self._mask)
            case Began(session):
                self._run.journal.note(session=session, is_begun=True)
            case Counted(usage, total, turns):
                with self._lock:
                    self._usage = usage.at_least(self._usage)
                    self._total = total.at_least(self._total)
                    self._turns = max(turns, self._turns)
                self.guard()

    @property
    def used(self) -> Used:
        """In all: what was used before, and the larger of what was counted and what the agent says."""
        before = self._before
        session = Usage(*self._run.journal.fact("session_used", Usage()))
        with self._lock:
            counted = before.usage.plus(self._priced(self._usage)).at_least(
                session.plus(self._priced(self._total))
            )
            minutes = before.minutes + (self._tick() - self._began) / 60
            return Used(counted, before.turns + self._turns, minutes)

    def progress(self) -> Progress:
        return Progress(self._at, self.used)

    def guard(self) -> None:
        """Stop what must not go on, whoever can be told of it."""
        if reason := reason_to_stop(self.used, self._limits):
            self._reins.pull(Halt(Why.LIMIT, reason))
        if self._tick() - self._heard_at >= self._silence:
            self._reins.pull(
                Halt(Why.SILENCE, f"Nothing was heard of it for {self._silence / 60:.0f} minutes.")
            )

    def look(self) -> None:
        """Once in a while: tell what is new, of what Forge keeps such things of."""
        if not self._run.is_run:
            return
        now = self._tick()
        try:
            stop = self._log.flush()
            between = seconds_between(self._crowd())
            if now - self._told_at >= between.usage:
                stop = self.tell_usage() or stop
            if now - self._status_at >= between.status:
                self._tell_step(now)
        except Refused as refused:
            if refused.is_taken_over:
                self._reins.pull(Halt(Why.TAKEN_OVER, str(refused)))
            return
        except (Unreachable, Stopping):
            return
        if stop and not self._is_let(stop):
            self._reins.pull(Halt(Why.LIMIT, stop))

    def _is_let(self, passed: str) -> bool:
        """Whether a person has let it go on beyond this limit of its workspace; how far, is counted here."""
        if not self._run.extended or passed == _PLAN:
            return False
        return passed != _TOKENS or self.used.usage.tokens < self._run.journal.fact("most_tokens", 0)

    def tell_usage(self) -> str:
        """Why it has to stop, if Forge says so."""
        self._told_at, used = self._tick(), self.used
        arguments = used.arguments()
        if arguments == self._told:
            return ""
        answer = self._server.call("runs.recordUsage", {"runId": self._run.run_id, **arguments})
        self._told = arguments
        return str((answer.get("stop") or {}).get("reason", ""))

    def _tell_step(self, now: float) -> None:
        self._status_at = now
        if not self._step or self._step == self._told_step:
            return
        # A status of one that waits would end the waiting, and of one that is over begin another.
        if status_of(self._server, self._run.run_id, patience=PATIENCE) == "ACTIVE":
            step = self._step[:_LONGEST_STEP]
            body = f"{step}\n\n{self.used.turns} turns, {self.used.minutes:.0f} minutes."
            arguments = {"issueId": self._run.identifier, "body": body, "currentStep": step}
            self._server.call("comments.upsertStatus", arguments)
            self._told_step, self._step = self._step, ""

    def _priced(self, usage: Usage) -> Usage:
        """With what its tokens cost, where the agent says no cost."""
        price = self._price
        if price is None or usage.cost_usd is not None or usage == Usage():
            return usage
        fresh = usage.tokens_in - usage.tokens_cached
        cost = fresh * price.input + usage.tokens_cached * price.cached + usage.tokens_out * price.output
        return usage._replace(cost_usd=cost / _MILLION)

    def start(self) -> None:
        """Two threads: who tells may wait for an answer, and who guards must not."""
        for look, every in ((self.guard, lambda: LOG_SECONDS), (self.look, self._pace)):
            Thread(target=self._keep, args=(look, every), daemon=True).start()

    def stop(self) -> None:
        self._over.set()
        self._reins.listen(None)
        self._told_at = -inf
        # Whatever can't be told, how the work ended must not be lost by that.
        self._try(self.look)

    def _pace(self) -> float:
        return seconds_between(self._crowd()).log

    def _keep(self, look: Callable[[], None], every: Callable[[], float]) -> None:
        while not self._over.wait(every()):
            self._try(look)

    def _try(self, look: Callable[[], None]) -> None:
        try:
            look()
        except Exception as mistake:  # noqa: BLE001 - ours, or a full disk: there must be a next look; it is told
            trouble = f"{self._run.identifier} can't be told of: {type(mistake).__name__}: {mistake}"
            if trouble != self._trouble:
                self._tell(trouble)
            self._trouble = trouble

    def __enter__(self) -> "Watch":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
