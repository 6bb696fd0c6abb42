"""What the sweep tells of: a declaration, as tools have one."""

from forge.contract.effects import Emission
from forge.work.backlog.trackers.announcements import ELSEWHERE_CHANGED
from forge.work.issues.announcements import (
    AGENT_ASSIGNED,
    AGENT_DISPATCHED,
    AGENT_NOT_HEARD,
    ISSUE_RELEASED,
    ISSUE_SLA_BREACHED,
    ISSUE_STALLED,
    TEMPLATE_APPLIED,
)
from forge.work.issues.runs.announcements import RUN_ENDED, RUN_STALLED, RUN_STARTED
from forge.work.plans.announcements import GATE_CHANGED, PLAN_MOVED, PLAN_OVER_BUDGET, PLAN_STALLED
from forge.work.plans.requests.announcements import REQUEST_SETTLED
from forge.work.workspace.people.announcements import AGENT_STATUS_CHANGED

EMITS: tuple[Emission, ...] = (
    AGENT_ASSIGNED,
    AGENT_DISPATCHED,
    AGENT_NOT_HEARD,
    AGENT_STATUS_CHANGED,
    ELSEWHERE_CHANGED,
    GATE_CHANGED,
    ISSUE_RELEASED,
    ISSUE_SLA_BREACHED,
    ISSUE_STALLED,
    PLAN_MOVED,
    PLAN_OVER_BUDGET,
    PLAN_STALLED,
    REQUEST_SETTLED,
    RUN_ENDED,
    RUN_STALLED,
    RUN_STARTED,
    TEMPLATE_APPLIED,
)
