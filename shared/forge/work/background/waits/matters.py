"""What can be waited for, by kind."""

from forge.work.background.waits.tending import Matters
from forge.work.plans.goals.awaited_approvals import PlanApproval
from forge.work.plans.goals.awaited_verdicts import StepJudging
from forge.work.plans.waits.waits import WaitKind

MATTERS: Matters = {
    WaitKind.PLAN_APPROVAL: PlanApproval(),
    WaitKind.STEP_JUDGING: StepJudging(),
}
