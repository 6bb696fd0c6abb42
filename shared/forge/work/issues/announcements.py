"""What issues tell of themselves: the events of an issue, and the payload of each."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.effects import Emission, Told
from forge.contract.terms import EngagementMode
from forge.work.issues.issues import Priority
from forge.work.record.log.kinds import EventKind

ISSUE = "issue"
BY_REQUEST = "action-request"
"""What `via` says where an accepted request did it."""


class IssueCreated(Told):
    """`source`, `repo`, `resourceType` and `externalNumber` where it was made of something elsewhere."""

    number: int
    title: str
    source: str | None = None
    repo: str | None = None
    resource_type: str | None = None
    external_number: int | None = None


class IssueEdited(Told):
    """The fields that changed; of long texts only the beginning, of a checklist its labels."""

    title: str | None = None
    description: str | None = None
    priority: Priority | None = None
    project_id: str | None = None
    cycle_id: str | None = None
    parent_id: str | None = None
    due_date: datetime | None = None
    estimate: float | None = None
    expected_output: str | None = None
    verification_checklist: list[str] | None = None
    artifact_required: bool | None = None
    sla_minutes: int | None = None


class TemplateApplied(Told):
    """The agent's template became the description."""

    from_agent_template: bool = True
    agent_id: str
    profile_key: str
    description: bool = True


class PriorityChanged(Told):
    from_: Annotated[Priority, Field(alias="from")]
    to: Priority


class LabelsChanged(Told):
    add: list[str]
    remove: list[str]


class Queued(Told):
    number: int
    assigned_agent_id: str | None


class Unqueued(Told):
    queued: bool


class StatusChanged(Told):
    """`via` where the completion of a run, an accepted request or GitHub moved it, and the id of that.

    `auto` where that followed by itself: nobody has named the status.
    """

    status_id: str
    status_name: str
    from_: Annotated[str, Field(alias="from")]
    from_name: str
    via: str | None = None
    run_id: str | None = None
    action_request_id: str | None = None
    auto: bool | None = None


class PeopleAssigned(Told):
    """Whose issue it is now, and was before; `via` and `actionRequestId` where a request was accepted."""

    assignee_ids: list[str]
    previous_assignee_ids: list[str]
    via: str | None = None
    action_request_id: str | None = None


class IssueArchived(Told):
    number: int
    title: str
    via: str | None = None
    action_request_id: str | None = None


class Claimed(Told):
    claimed: bool
    claimed_by_id: str | None
    claimed_by_agent_id: str | None
    claim_expires_at: str


class Released(Told):
    claimed: bool


class IssueSnapshot(Told):
    """The issue in a few words, for whoever gets the event without reading the issue."""

    id: str
    number: int
    title: str
    priority: Priority
    status_id: str
    project_id: str | None
    label_names: list[str]


class Assigned(Told):
    """`agentId` is null when the issue was taken back; `modeUpdated` when only the mode is new."""

    agent_id: str | None
    previous_agent_id: str | None
    engagement_mode: EngagementMode | None = None
    mode_updated: bool | None = None
    issue_snapshot: IssueSnapshot | None = None
    auto_transitioned_to: str | None = None


class HandedOver(Told):
    auto: bool
    from_: Annotated[str | None, Field(alias="from")]
    to: str
    reason: str
    rationale: str
    comment_id: str
    issue_snapshot: IssueSnapshot | None = None
    auto_transitioned_to: str | None = None


class DispatchCandidate(Told):
    """`matchCount` where capabilities are compared with labels."""

    agent_id: str
    profile_key: str
    eligible: bool
    match_count: int | None = None


class DispatchChoice(Told):
    agent_id: str
    profile_key: str
    match_count: int | None = None


class DispatchTold(Told):
    """How auto-dispatch chose; of many candidates only some are told."""

    mode: str
    candidates: list[DispatchCandidate]
    chosen: DispatchChoice | None
    reason: str


class AutoAssigned(Told):
    """`ruleId` where a dispatch rule named the agent; `mode` is then RULE."""

    agent_id: str
    previous_agent_id: str | None
    auto: bool
    mode: str
    rule_id: str | None = None
    dispatch: DispatchTold
    engagement_mode: EngagementMode
    issue_snapshot: IssueSnapshot
    auto_transitioned_to: str | None = None


class IssueStalled(Told):
    assigned_agent_id: str
    agent_profile_key: str | None
    sla_minutes: int
    last_update: datetime


class SlaBreached(Told):
    sla_minutes: int
    breached_by_minutes: int
    priority: Priority


class NotAcknowledged(Told):
    agent_id: str
    agent_profile_key: str | None
    required_ack_seconds: int
    original_assigned_event_id: str


class RelationTold(Told):
    id: str
    kind: str
    to_issue_id: str


class Related(Told):
    relation: RelationTold
    added: bool | None = None
    removed: bool | None = None


def _of_issue(kind: EventKind, told: type[Told]) -> Emission:
    return Emission(kind, ISSUE, told)


ISSUE_CREATED = _of_issue(EventKind.ISSUE_CREATED, IssueCreated)
ISSUE_EDITED = _of_issue(EventKind.ISSUE_UPDATED, IssueEdited)
ISSUE_LABELLED = _of_issue(EventKind.ISSUE_UPDATED, LabelsChanged)
ISSUE_PRIORITIZED = _of_issue(EventKind.ISSUE_PRIORITY_CHANGED, PriorityChanged)
ISSUE_QUEUED = _of_issue(EventKind.ISSUE_QUEUED, Queued)
ISSUE_UNQUEUED = _of_issue(EventKind.ISSUE_UPDATED, Unqueued)
ISSUE_MOVED = _of_issue(EventKind.ISSUE_STATUS_CHANGED, StatusChanged)
PEOPLE_ASSIGNED = _of_issue(EventKind.ISSUE_ASSIGNED, PeopleAssigned)
ISSUE_ARCHIVED = _of_issue(EventKind.ISSUE_DELETED, IssueArchived)
ISSUE_CLAIMED = _of_issue(EventKind.ISSUE_UPDATED, Claimed)
ISSUE_RELEASED = _of_issue(EventKind.ISSUE_UPDATED, Released)
ISSUE_RELATED = _of_issue(EventKind.ISSUE_UPDATED, Related)
AGENT_ASSIGNED = _of_issue(EventKind.AGENT_ASSIGNED, Assigned)
AGENT_DISPATCHED = _of_issue(EventKind.AGENT_ASSIGNED, AutoAssigned)
AGENT_NOT_HEARD = _of_issue(EventKind.AGENT_NOACK, NotAcknowledged)
ISSUE_STALLED = _of_issue(EventKind.ISSUE_STALLED, IssueStalled)
ISSUE_SLA_BREACHED = _of_issue(EventKind.ISSUE_SLA_BREACH, SlaBreached)
AGENT_TOOK_OVER = _of_issue(EventKind.AGENT_ASSIGNED, HandedOver)
TEMPLATE_APPLIED = _of_issue(EventKind.ISSUE_UPDATED, TemplateApplied)
