"""A change of one plan, as a value: its spine as it becomes, what is told of it, and what begins or ends.

Every change of the status of a plan or of a step goes through here. A rule (`moving`) puts in what shall
happen; `settle` works out what follows from that: steps that may begin, places that get free, whether the
plan is done; `follow` calls whoever has to work or to judge, and `saving` writes all of it. Whoever has to
know that a step came to its review or left it looks at `moved`, and at how it `was`.
"""

from collections.abc import Iterable

from forge.contract.effects import Emission, Told
from forge.store.keys import Key
from forge.work.issues.changes import IssueChange, keys_of_runs
from forge.work.plans import rules, step_runs
from forge.work.plans.announcements import (
    GOAL_MOVED,
    PLAN,
    PLAN_MOVED,
    STEP,
    STEP_READY,
    GoalMoved,
    PlanMoved,
    StepReady,
)
from forge.work.plans.goals import deciders, gates, owed, roles
from forge.work.plans.goals.deciders import Answered
from forge.work.plans.goals.gates import GateItem, GateStatus
from forge.work.plans.goals.goals import GoalItem, GoalStatus
from forge.work.plans.opening import PlanDesk
from forge.work.plans.plans import PlanItem, PlanStatus, Step, StepStatus, StepTextItem
from forge.work.plans.requests.requests import find_whole, keys_of_request
from forge.work.plans.step_runs import StepDuty
from forge.work.record import texts
from forge.work.record.changes import About, Announcement, Change
from forge.work.record.log.rows import Wake
from forge.work.record.texts import KeptText
from forge.work.workspace.people.agents import AgentItem

TOLD_OF_TEXT = 1_000
"""Characters of a text that an event carries: executionPlans.get has all of it."""
_IDLE = frozenset(StepStatus) - {StepStatus.READY, StepStatus.RUNNING, StepStatus.REVIEW}
"""Where nobody works on a step any more."""
_DECIDED_ON = frozenset({StepStatus.REVIEW, StepStatus.BLOCKED})


class PlanChange(Change[PlanItem]):
    """What happens to a plan. `issue` is the change of its issue, where that happens in the same call."""

    def __init__(self, desk: PlanDesk, issue: IssueChange | None = None) -> None:
        super().__init__(desk.plan)
        self.desk = desk
        self.was: dict[str, StepStatus | None] = {one.id: one.status for one in desk.plan.steps}
        """The status that each step had."""
        self.now, self.caller = desk.ctx.now(), desk.ctx.caller
        self.goal: GoalItem | None = desk.goal
        self.load = desk.load
        self.issue = issue or (IssueChange(desk.anchor) if desk.anchor else None)
        self.texts: dict[str, StepTextItem] = {}
        """The texts of steps that change along."""
        self.gates: list[GateItem] = []
        self.closed_gates: list[GateItem] = []
        self.handed_over: set[str] = set()
        """Steps that somebody else is to begin with, whatever status they had."""
        self.answered: Answered | None = None
        """People are asked no more to let the plan run."""
        self.stopped: dict[str, str] = {}
        """Steps that people have to look at, with what they are asked."""
        self.awaited: list[Step] = []
        """Steps whose verdict is waited for from now on."""
        self.go_on: list[str] = []
        """Plans that have to be looked at once more: see `rules`."""

    @property
    def plan(self) -> PlanItem:
        """The plan with the changes made so far."""
        return self.after

    def set_step(self, step_id: str, **fields: object) -> None:
        self.after = self.plan.with_step(step_id, **fields)

    def announce(
        self, emission: Emission, told: Told, *, action: str, subject_id: str, wakes: Iterable[Wake] = ()
    ) -> Announcement:
        about = None if subject_id == self.plan.id else About(subject_id)
        return self.tell(self.desk.ctx, emission, told, action=action, about=about, wakes=wakes)

    def move(self, status: PlanStatus, *, action: str) -> None:
        """The plan is in another status, and that is told."""
        told = PlanMoved(from_=self.plan.status, to=status, goal_id=self.plan.goal_id)
        self.set(status=status)
        self.announce(PLAN_MOVED, told, action=action, subject_id=self.plan.id)

    def move_goal(self, status: GoalStatus, **fields: object) -> None:
        if self.goal is None or self.goal.status is status:
            return
        told = GoalMoved(from_=self.goal.status, to=status, plan_id=self.plan.id)
        self.goal = self.goal.changed(status=status, **fields)
        self.announce(GOAL_MOVED, told, action="move", subject_id=self.goal.id)

    def settle(self) -> None:
        """Work out what follows for the spine and for the crew."""
        found = rules.settled(self.plan, self.load, max_parallel=self.desk.max_parallel)
        self.load, self.go_on = found.load, found.go_on
        is_done = found.plan.status is not self.plan.status
        self.after = found.plan.changed(status=self.plan.status)
        if is_done:
            self.move(PlanStatus.COMPLETED, action="complete")
            if self.plan.is_active_attempt and self.goal and not self.goal.is_over:
                self.move_goal(GoalStatus.ACHIEVED, achieved_at=self.now)

    @property
    def begun(self) -> list[Step]:
        """The steps that begin with this change, for which an agent has to be called."""
        if self.plan.status is not PlanStatus.RUNNING:
            return []
        ready, known = StepStatus.READY, self.was | dict.fromkeys(self.handed_over)
        return [one for one in self.plan.steps if one.status is ready is not known.get(one.id)]

    def moved(self, *into: StepStatus) -> list[Step]:
        """The steps whose status changed; if some are given, to one of these."""
        wanted, was = into or frozenset(StepStatus), self.was
        return [one for one in self.plan.steps if one.status in wanted and was.get(one.id) is not one.status]

    @property
    def is_canceled_now(self) -> bool:
        return self.plan.status is PlanStatus.CANCELED and self.before.status is not PlanStatus.CANCELED

    def needs(self) -> list[Key]:
        """What has to be read to call whoever works or judges, and to end what is over; one request."""
        workspace_id, wanted = self.plan.workspace_id, []
        called = [*self.begun, *self.moved(StepStatus.REVIEW)]
        if called:
            wanted += self.desk.keys_of_crew()
        for step in called:
            wanted += self.keys_to_call(step)
        for step in self.moved(*_IDLE):
            issue = self.issue
            wanted += keys_of_runs(issue.issue, step_runs.live_of(issue, step.id)) if issue else []
        wanted += self.needs_of_issue()
        if self.plan.approval_id is not None:
            wanted += keys_of_request(workspace_id, self.plan.approval_id)
            wanted += deciders.watch_of(self.caller, self.plan)
        settled = [*self._gates_to_close(), *self._gates_given_up()]
        return wanted + [GateItem.at(workspace_id, one) for one in settled]

    def needs_of_issue(self) -> list[Key]:
        """What its desk must hold, which is another one than the plan's where the issue changes by itself."""
        issue = self.issue.issue if self.issue else None
        return keys_of_runs(issue, step_runs.owed_of(issue, self.plan)) if issue else []

    def keys_to_call(self, step: Step) -> list[Key]:
        """What is told of a step, and who does it."""
        workspace_id, agent_id = self.plan.workspace_id, step.assigned_agent_id
        text = StepTextItem.at(workspace_id, step.id)
        return [text, AgentItem.at(workspace_id, agent_id)] if agent_id else [text]

    def follow(self) -> None:
        """End what is over, and call whoever has to work or to judge."""
        self.after = owed.released(self.plan, self.moved())
        # Before others begin, who may need the room; of steps that are judged anew, once that is known.
        if self.issue:
            judged = [step.id for step in self.moved(StepStatus.REVIEW)]
            step_runs.end_unowed(self.issue, self.plan, besides=judged)
        for step in self.moved(*_IDLE):
            if self.issue and (live := step_runs.live_of(self.issue, step.id)):
                step_runs.end(self.issue, step, live)
        self._close_gates()
        self._settle_approval()
        for step in self.begun:
            self._call_worker(step)
        for step in self.moved(StepStatus.REVIEW):
            judge_id = roles.judge_of(self.plan, step, self.desk.crew, self.desk.agent)
            self.set_step(step.id, reviews=step.reviews + 1)
            if judge_id is not None:
                self.awaited.append(self.plan.step(step.id))
            self.call_judge(step, judge_id)
        for step_id, prompt in self.stopped.items():
            self.open_gate(self.plan.step(step_id), prompt)
        if self.issue:
            step_runs.end_unowed(self.issue, self.plan)

    def call_judge(self, step: Step, judge_id: str | None) -> None:
        """Whoever judges is woken; where nobody does, a gate opens for people."""
        if judge_id is None:
            self.open_gate(step, f"Step {step.title!r} waits for somebody to judge it.")
            return
        asked = {"phase": "judge", "judge_agent_id": judge_id, "prompt": rules.prompt_to_judge(step)}
        told = self._told_of(step, step.assigned_agent_id).model_copy(update=asked)
        event = self.announce(STEP_READY, told, action="judge", subject_id=step.id)
        agent = self.desk.agent(judge_id)
        self.set_step(step.id, judge_agent_id=agent.id if agent else None, judge_called_at=self.now)
        if agent is not None:
            self._wake(agent, step_runs.judging(self.plan, step), event)

    def open_gate(self, step: Step, prompt: str) -> None:
        """One at a time for a step."""
        if step.gate_id is None:
            gate = gates.new_gate(self.desk.ctx, STEP, step.id, prompt, **self.plan.as_of_gate)
            self.gates.append(gate)
            self.set_step(step.id, gate_id=gate.id)

    def open_plan_gate(self, prompt: str) -> None:
        """Open a review gate for the whole plan, unless one is open already."""
        if self.plan.gate_id is None:
            gate = gates.new_gate(self.desk.ctx, PLAN, self.plan.id, prompt, **self.plan.as_of_gate)
            self.gates.append(gate)
            self.set(gate_id=gate.id)

    def text_of(self, step_id: str) -> StepTextItem:
        if step_id in self.texts:
            return self.texts[step_id]
        key = StepTextItem.at(self.plan.workspace_id, step_id)
        return self.desk.readings.get(StepTextItem, key)

    def _call_worker(self, step: Step) -> None:
        worker_id = roles.worker_of(step, self.desk.crew, self.desk.agent)
        if worker_id != step.assigned_agent_id:
            self.set_step(step.id, assigned_agent_id=worker_id)
        told = self._told_of(step, worker_id)
        event = self.announce(STEP_READY, told, action="ready", subject_id=step.id)
        agent = self.desk.agent(worker_id) if worker_id else None
        if agent is not None:
            self._wake(agent, StepDuty(self.plan.id, step.title, step.id), event)

    def _wake(self, agent: AgentItem, job: StepDuty, event: Announcement) -> None:
        """In a run, where the plan has an issue."""
        run_id = step_runs.begin(self.issue, agent, job, event_id=event.id) if self.issue else None
        event.wakes.append(Wake(agent_id=agent.id, run_id=run_id))

    def _told_of(self, step: Step, worker_id: str | None) -> StepReady:
        text = self.text_of(step.id)
        return StepReady(
            plan_id=self.plan.id,
            step_id=step.id,
            title=step.title,
            body=self._beginning(text.body),
            expected_output=self._beginning(text.expected_output),
            verification=[one.label for one in text.verification if one.label],
            assigned_agent_id=worker_id,
            last_feedback=self._beginning(text.last_feedback),
            retry_count=step.retry_count,
        )

    def _beginning(self, kept: KeptText | None) -> str | None:
        return texts.read(self.desk.ctx.services.store.blobs, kept)[:TOLD_OF_TEXT] if kept else None

    def _close_gates(self) -> None:
        for gate_id in self._gates_given_up():
            deciders.require_may_close(self._gate(gate_id), self.caller, self.desk.crew)
        for gate_id in self._gates_to_close():
            gate = self._gate(gate_id)
            deciders.require_may_close(gate, self.caller, self.desk.crew)
            if gate is not None and gate.status is GateStatus.PENDING:
                self.closed_gates.append(gate)
        for step in self.moved():
            if self.was.get(step.id) in _DECIDED_ON and step.gate_id is not None:
                self.set_step(step.id, gate_id=None)
        if self._goes_on() and self.plan.gate_id is not None:
            self.set(gate_id=None)

    def _gate(self, gate_id: str) -> GateItem | None:
        return self.desk.readings.find(GateItem, GateItem.at(self.plan.workspace_id, gate_id))

    def _gates_given_up(self) -> list[str]:
        """Of the steps of a plan that is canceled now: they close with the steps, afterwards."""
        return [one.gate_id for one in self.plan.steps if one.gate_id] if self.is_canceled_now else []

    def _settle_approval(self) -> None:
        """Nobody has to decide any more about a plan that runs, or never will."""
        plan, caller = self.plan, self.caller
        if plan.approval_id is None:
            return
        found = find_whole(self.desk.readings, plan.workspace_id, plan.approval_id)
        is_touched = plan.status is not self.before.status or not plan.can_begin
        if found is not None and found[0].is_waiting and is_touched:
            is_watching = any(map(self.desk.readings.has, deciders.watch_of(caller, plan)))
            self.answered = deciders.answered(*found, plan, caller, is_watching=is_watching)
        if not plan.can_begin:
            self.set(approval_id=None)

    def _gates_to_close(self) -> list[str]:
        """Of what was decided on elsewhere."""
        moved = self.moved()
        found = [one.gate_id for one in moved if one.gate_id and self.was.get(one.id) in _DECIDED_ON]
        return [*found, self.plan.gate_id] if self._goes_on() and self.plan.gate_id else found

    def _goes_on(self) -> bool:
        """Whether all of it was stopped before, and is not any more."""
        return self.before.status is PlanStatus.BLOCKED and self.plan.status is not PlanStatus.BLOCKED
