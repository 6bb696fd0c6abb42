"""The runs of steps on the issue of their plan: a step that begins opens one or calls it again."""

from forge.contract.terms import EngagementMode
from forge.store.keys import Key
from forge.work.issues.changes import IssueChange, has_room, keys_of_runs
from forge.work.issues.issues import LiveRun
from forge.work.log.events import EventKind
from forge.work.people.agents import AgentItem
from forge.work.plans.plans import Step, StepStatus
from forge.work.runs import run_keys, silence
from forge.work.runs.runs import EngagementSource, RunItem, RunStatus
from forge.work.runs.signs import Touched


def begin(change: IssueChange, agent: AgentItem, step: Step, *, event_id: str) -> str | None:
    """The run that the agent carries the step out in; none where the issue is closed, or has no room."""
    if not change.issue.is_open:
        return None
    trigger: dict[str, object] = {
        "trigger_event_id": event_id,
        "trigger_kind": EventKind.EXECUTION_STEP_READY,
        "current_step": step.title,
    }
    live = next((one for one in live_of(change, step.id) if one.agent_id == agent.id), None)
    if live is not None:
        key = run_keys.run(change.issue.workspace_id, live.run_id)
        anew = silence.given_anew(key, change.desk.workspace, change.now)
        change.touched.append(Touched(live, trigger | anew))
        return live.run_id
    if not has_room(change.issue):
        return None
    run = silence.watched(_new(change, agent, step).changed(**trigger), change.desk.workspace)
    change.begun.append(run)
    change.set(live_runs=[*change.issue.live_runs, run.as_live], current_run_id=run.id)
    return run.id


def end(change: IssueChange, step: Step, live: list[LiveRun]) -> None:
    """The step is over, or nobody's for now, and so is the work on it."""
    status = RunStatus.COMPLETED if step.status is StepStatus.DONE else RunStatus.ABANDONED
    change.end_runs(live, lambda _: (status, f"Its step of the plan is {step.status}."))


def live_of(change: IssueChange, step_id: str) -> list[LiveRun]:
    return [one for one in change.issue.live_runs if one.step_id == step_id]


def needs(change: IssueChange, step_id: str) -> list[Key]:
    """What has to be read to end the runs of a step."""
    return keys_of_runs(change.issue, live_of(change, step_id))


def _new(change: IssueChange, agent: AgentItem, step: Step) -> RunItem:
    return RunItem(
        workspace_id=change.issue.workspace_id,
        id=change.desk.ctx.new_id("run"),
        issue_id=change.issue.id,
        agent_id=agent.id,
        execution_step_id=step.id,
        engagement_mode=EngagementMode.EXECUTE,
        engagement_source=EngagementSource.SURFACE_DEFAULT,
        started_at=change.now,
        last_event_at=change.now,
    )
