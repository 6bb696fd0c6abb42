"""Work on an issue under a lock: its phases, who does it, and what became of it."""

from datetime import datetime, timedelta
from enum import StrEnum

from forge.store.items import DerivedItem, Item, Part
from forge.store.keys import At, Partition
from forge.store.places import DueAt, KeptFor
from forge.work.backlog.workflows.phases import Advance, Skip, Transition, WorkPhase
from forge.work.issues.backlog_rows.places import BacklogStatus

LEASE = timedelta(minutes=30)
KEPT = timedelta(days=400)
BY_EXPIRY = "lease_expired"
"""What ended work that nobody could go on with; builds before this one ended all of it that way."""
_MOST_ENTRIES = 200


class WorkflowOutcome(StrEnum):
    COMPLETED = "completed"
    MERGED = "merged"
    ABANDONED = "abandoned"


LAST_PHASE = {WorkflowOutcome.MERGED: WorkPhase.MERGED, WorkflowOutcome.ABANDONED: WorkPhase.ABANDONED}
"""Work that is completed stays where it was."""


class Handover(Part):
    from_session: str | None
    to_session: str
    at: datetime


WORKFLOWS = Partition("WS#{workspace_id}#WORKFLOW#{repository_id}")
ARCHIVED = At(WORKFLOWS, "A#{number:010}#{ended_at}", when="ended_at")
LOCKS = Partition("WS#{workspace_id}#LOCKS#{key_id}#{session_id}")
"""What a session of a key holds, wherever it is."""


def lease_name(repository_id: str, number: int) -> str:
    return f"backlog/{repository_id}/{number}"


class WorkflowItem(Item):
    stored = At(WORKFLOWS, "{number:010}")
    instead = (ARCHIVED,)
    indexed = (DueAt("frees_at"),)
    kept = KeptFor(KEPT, since="idle_since")

    workspace_id: str
    repository_id: str
    repository: str
    """Its full name."""
    number: int
    issue_id: str
    title: str
    current_phase: WorkPhase = WorkPhase.SELECTION
    history: list[Transition] = []
    skips: list[Skip] = []
    handovers: list[Handover] = []
    branch_name: str | None = None
    intended_branch: str | None = None
    """The branch that is about to be made: if it is there, this work has made it."""
    tests_passed: bool | None = None
    pr_number: int | None = None
    pr_url: str | None = None
    pr_title: str | None = None
    pr_body: str | None = None
    key_id: str
    session_id: str
    fence: int
    started_at: datetime
    lease_expires_at: datetime
    freed_at: datetime | None = None
    """When its issue was let go because the lease had run out; None again once somebody goes on."""
    ended_at: datetime | None = None
    outcome: WorkflowOutcome | None = None

    @property
    def idle_since(self) -> datetime | None:
        return self.ended_at or self.freed_at

    @property
    def frees_at(self) -> datetime | None:
        """When the lease expires, the sweep frees the issue."""
        return None if self.idle_since else self.lease_expires_at

    @property
    def status(self) -> BacklogStatus:
        """Of its issue, while somebody has it: once there is a pull request, it is in review."""
        return BacklogStatus.IN_PROGRESS if self.pr_number is None else BacklogStatus.IN_REVIEW

    def advanced(
        self, wanted: Advance, skipped: tuple[WorkPhase, ...], *, at: datetime, by: str
    ) -> "WorkflowItem":
        step = Transition(from_phase=self.current_phase, to_phase=wanted.target, at=at, triggered_by=by)
        excused = [
            Skip(phase=phase, justification=str(wanted.reason), at=at, session_id=self.session_id)
            for phase in skipped
        ]
        is_told = wanted.tests_passed is not None
        return self.changed(
            current_phase=wanted.target,
            history=[*self.history, step][-_MOST_ENTRIES:],
            skips=[*self.skips, *excused][-_MOST_ENTRIES:],
            tests_passed=wanted.tests_passed if is_told else self.tests_passed,
        )

    def handed_to(self, session_id: str, *, at: datetime) -> "WorkflowItem":
        """The workflow as another session goes on with it; its phases stay as they are."""
        handover = Handover(from_session=self.session_id, to_session=session_id, at=at)
        return self.changed(
            session_id=session_id, freed_at=None, handovers=[*self.handovers, handover][-_MOST_ENTRIES:]
        )

    def over(self, outcome: WorkflowOutcome, *, at: datetime, by: str) -> "EndedWorkflowItem":
        """As it is kept: with a version of its own, because it is stored anew."""
        last = LAST_PHASE.get(outcome, self.current_phase)
        history = self.history
        if last is not self.current_phase:
            step = Transition(from_phase=self.current_phase, to_phase=last, at=at, triggered_by=by)
            history = [*history, step]
        ended = self.changed(current_phase=last, history=history, outcome=outcome, ended_at=at, version=1)
        return EndedWorkflowItem.from_attributes(ended.attributes())

    @property
    def is_left(self) -> bool:
        """Whether work that is over left its branch and pull request to whoever begins anew."""
        return self.outcome is not WorkflowOutcome.MERGED

    @property
    def is_cut_off(self) -> bool:
        """Whether it is over only because its lease expired: an earlier build ended it."""
        return bool(self.history) and self.history[-1].triggered_by == BY_EXPIRY

    def begun_again(self) -> "WorkflowItem":
        """As it was before it was over, and not stored yet."""
        *before, last = self.history
        return self.changed(
            current_phase=last.from_phase, history=before, outcome=None, ended_at=None, version=0
        )


class EndedWorkflowItem(WorkflowItem, DerivedItem):
    """A workflow that has ended, kept beside later ones on the same issue."""


class LockItem(DerivedItem):
    """Finds what a session holds; written with its workflow."""

    stored = At(LOCKS, "{repository_id}#{number:010}")

    workspace_id: str
    key_id: str
    session_id: str
    repository_id: str
    number: int
