"""What the sweep tells of: a declaration, as tools have one."""

from forge.contract.effects import Emission
from forge.work.issues.announcements import (
    AGENT_ASSIGNED,
    AGENT_DISPATCHED,
    AGENT_NOT_HEARD,
    ISSUE_RELEASED,
    ISSUE_SLA_BREACHED,
    ISSUE_STALLED,
    TEMPLATE_APPLIED,
)
from forge.work.orchestration.announcements import GATE_CHANGED
from forge.work.people.announcements import AGENT_STATUS_CHANGED
from forge.work.plans.announcements import PLAN_MOVED, PLAN_OVER_BUDGET, PLAN_STALLED
from forge.work.requests.announcements import REQUEST_SETTLED
from forge.work.runs.announcements import RUN_ENDED, RUN_STALLED, RUN_STARTED
from forge.work.tracking.announcements import ELSEWHERE_CHANGED

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
