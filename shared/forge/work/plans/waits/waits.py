"""A wait: something is asked of a person or an agent, and what is done for as long as nobody answers.

Whether somebody answered is never written here: the thing that is waited for says so. Step Functions counts
the time and says when a stage is reached; the sweep does where that was not heard of.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from forge.store.keys import At
from forge.store.places import KeptFor
from forge.store.transactions import Transaction
from forge.work.record.log import events
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.workspace.jobs import Job

GRACE = timedelta(minutes=1)
"""What Step Functions may be late before the sweep does without it."""
KEPT = timedelta(days=60)
SUBJECT = "wait"


class WaitKind(StrEnum):
    PLAN_APPROVAL = "PLAN_APPROVAL"
    STEP_JUDGING = "STEP_JUDGING"

    @property
    def machine(self) -> str:
        return self.value.lower()


class Stage(StrEnum):
    ASKED = "ASKED"
    REMINDED = "REMINDED"
    TIMED_OUT = "TIMED_OUT"
    REDISPATCHED = "REDISPATCHED"
    ESCALATED = "ESCALATED"


class Leg(NamedTuple):
    stage: Stage
    lasts: timedelta
    """How long it is waited in this stage, before the next one."""


class Course(NamedTuple):
    """The stages of a wait in their order; with the last one it is over."""

    legs: tuple[Leg, ...]
    end: Stage

    @property
    def stages(self) -> tuple[Stage, ...]:
        return (*(leg.stage for leg in self.legs), self.end)

    def after(self, stage: Stage) -> Stage:
        return self.stages[self.stages.index(stage) + 1]

    def lasts(self, stage: Stage) -> timedelta:
        return next(leg.lasts for leg in self.legs if leg.stage is stage)

    def is_later(self, stage: Stage, than: Stage) -> bool:
        return self.stages.index(stage) > self.stages.index(than)


COURSES: Mapping[WaitKind, Course] = {
    WaitKind.PLAN_APPROVAL: Course(
        (Leg(Stage.ASKED, timedelta(days=1)), Leg(Stage.REMINDED, timedelta(days=6))), Stage.TIMED_OUT
    ),
    WaitKind.STEP_JUDGING: Course(
        (Leg(Stage.ASKED, timedelta(minutes=30)), Leg(Stage.REDISPATCHED, timedelta(minutes=30))),
        Stage.ESCALATED,
    ),
}
"""The definitions in `infra/statemachines` wait as long; a test compares them."""


class WaitItem(Job):
    stored = At("WS#{workspace_id}#WAIT#{id}", "META")
    kept = KeptFor(KEPT, since="created_at")
    queue, named, again_after = "waits", "waitId", timedelta(minutes=10)

    id: str
    kind: WaitKind
    subject_id: str
    """What somebody has to decide about: the request, or the step."""
    plan_id: str
    stage: Stage = Stage.ASKED
    reached_at: datetime
    created_at: datetime
    token: str | None = None
    """By which the execution that waits now is told that there is no need to."""
    executions: int = 0
    """How many were started; more than one where some were lost."""
    outcome: str | None = None
    """What it came to, as the execution was told; None while it waits."""

    @property
    def called(self) -> str:
        return self.id

    @property
    def course(self) -> Course:
        return COURSES[self.kind]

    @property
    def over_at(self) -> datetime:
        """When its stage is over, at the latest."""
        return self.reached_at + self.course.lasts(self.stage) + GRACE

    def overdue(self, now: datetime) -> Stage | None:
        """The stage that should have been reached by now, if nobody said so."""
        return self.course.after(self.stage) if now >= self.over_at else None

    def reaching(self, stage: Stage, now: datetime) -> "WaitItem":
        """In a later stage; whoever waited in the one before waits there no more."""
        there = self.changed(stage=stage, reached_at=now, token=None)
        return there.over(stage) if stage is self.course.end else there.changed(look_at=there.over_at)

    def over(self, outcome: str) -> "WaitItem":
        return self.changed(outcome=outcome, token=None, look_at=None)


def wait_id(subject_id: str, turn: int) -> str:
    """The same for the same question: a step is judged again after each try."""
    return f"{subject_id}-{turn}"


def begin(tx: Transaction, kind: WaitKind, *, subject_id: str, plan_id: str, turn: int = 1) -> WaitItem:
    """Wait for an answer."""
    now = tx.origin.now
    wait = WaitItem(
        workspace_id=tx.origin.caller.workspace_id,
        id=wait_id(subject_id, turn),
        kind=kind,
        subject_id=subject_id,
        plan_id=plan_id,
        reached_at=now,
        created_at=now,
        look_at=now + UNSENT_AFTER,
    )
    tx.create(wait)
    events.record_waits(tx, SUBJECT, wait.id, [wait.id])
    return wait


def settled(tx: Transaction, waits: Sequence[str]) -> None:
    """Something was decided that may have been waited for: whoever still waits is told."""
    if waits:
        events.record_waits(tx, SUBJECT, waits[0], waits)
