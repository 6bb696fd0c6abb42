"""Writing changes of plans: all of it goes into the one transaction of the call."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from forge.store.followers import follow
from forge.store.transactions import Transaction, overtaken
from forge.work.issues import saving as issue_saving
from forge.work.issues.changes import IssueChange
from forge.work.plans.announcements import GOAL_MOVED, PLAN_STALLED, GoalMoved
from forge.work.plans.budgets import limits
from forge.work.plans.changes import PlanChange
from forge.work.plans.goals import gates
from forge.work.plans.goals.crew_loads import CrewLoadItem
from forge.work.plans.goals.goals import GoalItem
from forge.work.plans.goals.owed import follows
from forge.work.plans.plans import SETTLED, PlanItem, StepStatus
from forge.work.plans.requests.deciding import settle_alone
from forge.work.plans.waits import waits
from forge.work.plans.waits.waits import WaitKind
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationKind
from forge.work.record.log.events import record

DECIDED_ELSEWHERE = "It went on before anybody answered."


class Settled(NamedTuple):
    """Changes of plans that are decided: all that follows is in them, and nothing is left to be read."""

    changes: tuple[PlanChange, ...]
    loads: Mapping[str, CrewLoadItem]
    """Of their crews."""


def settled(*changes: PlanChange) -> Settled:
    """Work out what follows from changes, on what has to be read for that: a request for each at most.

    A crew that several of them share gets its places back once.
    """
    loads: dict[str, CrewLoadItem] = {}
    for change in changes:
        if change.load is not None:
            change.load = loads.get(change.load.crew_id, change.load)
        change.settle()
        change.desk.readings.fetch(change.needs())
        if change.issue:
            change.issue.desk.fetch(change.needs_of_issue())
        change.follow()
        if change.load is not None:
            loads[change.load.crew_id] = change.load
    return Settled(changes, loads)


def save(tx: Transaction, settled: Settled) -> None:
    """Write everything."""
    changes = settled.changes
    for change in changes:
        _write(tx, change)
    stored = {one.desk.load.crew_id: one for one in changes if one.desk.load}
    for crew_id, load in settled.loads.items():
        _write_load(tx, stored[crew_id].desk.stored_load, load)
    for plan_id in dict.fromkeys(plan_id for change in changes for plan_id in change.go_on):
        continuations.begin(tx, ContinuationKind.PLAN_GOES_ON, plan_id)
    _reap(tx, [change.plan for change in changes if change.is_canceled_now])


def save_goal(
    tx: Transaction, before: GoalItem, after: GoalItem, *, action: str, reason: str | None = None
) -> None:
    """A goal that changes by itself; a status that is another one is told."""
    tx.replace(after.changed(updated_at=tx.origin.now))
    if before.status is after.status:
        return
    said = {"reason": reason} if reason else {}
    told = GoalMoved(from_=before.status, to=after.status, **said)
    record(
        tx,
        GOAL_MOVED,
        told,
        subject_id=after.id,
        action=action,
        before=before,
        after=after,
        issue_id=after.issue_id,
    )


def _write(tx: Transaction, change: PlanChange) -> None:
    if change.is_changed:
        change.set(updated_at=tx.origin.now)
        if any(event.emission is PLAN_STALLED for event in change.announced):
            change.set(stalled_at=tx.origin.now)
        change.set(look_at=limits.next_look(change.plan, change.goal, tx.origin.now))
        tx.replace(change.plan)
        follow(tx, follows(change.before), follows(change.plan))
    else:
        # What follows from it all the same must follow from how it is.
        tx.check(change.plan)
    if change.goal is not None and change.goal != change.desk.goal:
        tx.replace(change.goal.changed(updated_at=tx.origin.now))
    for text in change.texts.values():
        tx.replace(text)
    for gate in change.closed_gates:
        gates.close_gate(tx, gate, reason=DECIDED_ELSEWHERE)
    for gate in change.gates:
        gates.open_gate(tx, gate)
    if (asked := change.answered) is not None:
        settle_alone(tx, asked.request, asked.texts, asked.status, resolution=asked.reason)
    change.record(tx, change.plan.id, issue_id=change.plan.issue_id)
    for step in change.awaited:
        kind, plan_id = WaitKind.STEP_JUDGING, change.plan.id
        waits.begin(tx, kind, subject_id=step.id, plan_id=plan_id, turn=step.reviews)
    waits.settled(
        tx,
        [
            waits.wait_id(step.id, step.reviews)
            for step in change.moved()
            if change.was.get(step.id) is StepStatus.REVIEW
        ],
    )
    if change.issue is not None:
        save_issue(tx, change.issue)


def save_issue(tx: Transaction, issue: IssueChange) -> None:
    """Plans of one issue may change in one transaction, which can write its head only once."""
    is_touched = issue.announced or issue.begun or issue.ended or issue.heard or issue.touched
    if is_touched and not issue.is_settled:
        issue_saving.save(tx, issue)


def _write_load(tx: Transaction, before: CrewLoadItem | None, after: CrewLoadItem) -> None:
    if before is None:
        tx.create(after, refusal=overtaken)
    elif after != before:
        tx.replace(after)
    else:
        tx.check(after)


def _reap(tx: Transaction, canceled: Sequence[PlanItem]) -> None:
    """Steps and runs of plans that were canceled end afterwards, a few at a time."""
    unsettled = [one.id for one in canceled if any(step.status not in SETTLED for step in one.steps)]
    if unsettled:
        continuations.begin(tx, ContinuationKind.PLANS_CANCELED, unsettled[0], words=unsettled)
