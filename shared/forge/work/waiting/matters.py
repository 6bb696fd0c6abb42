"""What can be waited for, by kind."""

from forge.work.orchestration.awaited_approvals import PlanApproval
from forge.work.orchestration.awaited_verdicts import StepJudging
from forge.work.waiting.tending import Matters
from forge.work.waiting.waits import WaitKind

MATTERS: Matters = {
    WaitKind.PLAN_APPROVAL: PlanApproval(),
    WaitKind.STEP_JUDGING: StepJudging(),
}
