"""The runs of a plan on its issue: of whoever carries out a step, judges it, or makes the plan."""

from collections.abc import Collection
from typing import NamedTuple

from forge.contract.terms import EngagementMode
from forge.store.transactions import Transaction
from forge.work.issues.changes import IssueChange
from forge.work.issues.inbox.rows import Duty
from forge.work.issues.issues import IssueItem, LiveRun
from forge.work.issues.runs import signs, silence
from forge.work.issues.runs.runs import EngagementSource, RunItem, RunStatus
from forge.work.issues.runs.signs import Touched
from forge.work.plans.plans import PlanItem, Step, StepStatus
from forge.work.record.log.kinds import EventKind
from forge.work.workspace.people.agents import AgentItem


class StepDuty(NamedTuple):
    """What a run is for."""

    plan_id: str
    title: str
    step_id: str | None = None
    duty: Duty | None = None
    mode: EngagementMode = EngagementMode.EXECUTE
    trigger_kind: EventKind = EventKind.EXECUTION_STEP_READY

    def is_of(self, live: LiveRun) -> bool:
        is_same_plan = self.step_id is not None or live.plan_id == self.plan_id
        return (live.step_id, live.duty) == (self.step_id, self.duty) and is_same_plan


def judging(plan: PlanItem, step: Step) -> StepDuty:
    return StepDuty(plan.id, f"Judge: {step.title}", step.id, Duty.JUDGE, EngagementMode.REVIEW)


def planning(plan: PlanItem) -> StepDuty:
    kind = EventKind.ISSUE_UPDATED
    return StepDuty(plan.id, plan.title, None, Duty.PLAN, EngagementMode.RESEARCH, kind)


def begin(change: IssueChange, agent: AgentItem, job: StepDuty, *, event_id: str) -> str | None:
    """The run that the agent does the job in; none where the issue is closed, or has no room."""
    if not change.issue.is_open:
        return None
    trigger: dict[str, object] = {
        "trigger_event_id": event_id,
        "trigger_kind": job.trigger_kind,
        "called_at": change.now,
        "current_step": job.title,
    }
    live = next((one for one in change.issue.live_runs_of(agent.id) if job.is_of(one)), None)
    if live is not None:
        key = RunItem.at(change.issue.workspace_id, live.run_id)
        anew = silence.given_anew(key, change.desk.workspace, change.now, duty=job.duty)
        change.touched.append(Touched(live, trigger | anew))
        return live.run_id
    if not change.issue.has_room:
        return None
    run = signs.new_run(
        change.desk,
        agent,
        (job.mode, EngagementSource.SURFACE_DEFAULT),
        execution_step_id=job.step_id,
        plan_id=job.plan_id,
        duty=job.duty,
        **trigger,
    )
    change.start(run)
    return run.id


def end(change: IssueChange, step: Step, live: list[LiveRun]) -> None:
    """The step is over, or nobody's for now, and so is the work on it."""
    status = RunStatus.COMPLETED if step.status is StepStatus.DONE else RunStatus.ABANDONED
    change.end_runs(live, lambda _: (status, f"Its step of the plan is {step.status}."))


def end_owed(change: IssueChange, live: LiveRun, summary: str) -> None:
    """What was owed in it is given, or wanted no more; it is complete where its own agent gave it."""
    is_given = change.caller_agent_id == live.agent_id
    status = RunStatus.COMPLETED if is_given else RunStatus.ABANDONED
    change.end_runs([live], lambda _: (status, summary))


def end_unowed(change: IssueChange, plan: PlanItem, *, besides: Collection[str] = ()) -> None:
    """End the runs of those who owe the plan nothing any more; what is `besides` is not looked at."""
    for live in [one for one in owed_of(change.issue, plan) if one.step_id not in besides]:
        step = plan.step(live.step_id) if live.step_id else None
        is_owed = step.judge_agent_id == live.agent_id if step else plan.planner_called_at is not None
        if not is_owed:
            end_owed(change, live, f"Its step is {step.status}." if step else f"Its plan is {plan.status}.")


def live_of(change: IssueChange, step_id: str) -> list[LiveRun]:
    """Of those who carry the step out."""
    return [one for one in change.issue.live_runs if one.step_id == step_id and one.duty is None]


def owed_of(issue: IssueItem, plan: PlanItem) -> list[LiveRun]:
    """The runs in which somebody owes the plan something."""
    return [one for one in issue.live_runs if one.duty is not None and one.plan_id == plan.id]


def see(tx: Transaction, issue: IssueItem, plan: PlanItem) -> None:
    """A sign of life in the run of the agent that makes this plan, if the caller is that agent."""
    own = [one for one in owed_of(issue, plan) if one.agent_id == tx.origin.caller.agent_id]
    signs.see(tx, next((one for one in own if one.duty is Duty.PLAN), None))
