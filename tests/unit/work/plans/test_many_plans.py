"""Whatever the plans of a crew look like and however they are judged, the loop keeps its promises."""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

from forge.work.plans.goals.crew_loads import CrewLoadItem
from forge.work.plans.plans import AT_WORK, PlanItem, PlanStatus, StepStatus
from forge.work.plans.rules import Verdict, is_finished, judged, ready, settled
from tests.unit.work.plans.built import a_load, a_plan

MOST_STEPS = 30


@dataclass
class Crew:
    """Plans of one crew, their steps done and judged one after another."""

    max_parallel: int
    plans: dict[str, PlanItem]
    load: CrewLoadItem = field(default_factory=a_load)
    called: list[str] = field(default_factory=list)

    def settle(self, plan: PlanItem) -> None:
        found = settled(plan, self.load, max_parallel=self.max_parallel)
        assert found.load is not None
        self.load = found.load
        self.plans[plan.id] = found.plan
        self.called += found.go_on
        self.check()

    def check(self) -> None:
        running = [one for one in self.plans.values() if one.status is PlanStatus.RUNNING]
        busy = {step.id for plan in running for step in plan.steps if step.status in AT_WORK}
        assert {one.step_id for one in self.load.holding} == busy
        assert not self.max_parallel or len(busy) <= self.max_parallel
        for plan in self.plans.values():
            for step in plan.steps:
                if step.status is not StepStatus.TODO:
                    assert all(plan.steps[place].status is StepStatus.DONE for place in step.depends_on)

    def moves(self) -> list[tuple[str, str | None]]:
        """What can happen next: a step goes on, or a plan that was called looks for a place."""
        going = {StepStatus.READY, StepStatus.RUNNING, StepStatus.REVIEW}
        steps: list[tuple[str, str | None]] = [
            (plan.id, step.id)
            for plan in self.plans.values()
            if not plan.is_over
            for step in plan.steps
            if step.status in going
        ]
        return [*steps, *((plan_id, None) for plan_id in dict.fromkeys(self.called))]

    def move(self, plan_id: str, step_id: str | None, verdict: Verdict) -> None:
        plan = self.plans[plan_id]
        if step_id is None:
            self.called.remove(plan_id)
            self.settle(plan)
            return
        step = plan.step(step_id)
        following = {StepStatus.READY: StepStatus.RUNNING, StepStatus.RUNNING: StepStatus.REVIEW}
        if step.status in following:
            self.settle(plan.with_step(step_id, status=following[step.status]))
            return
        found = judged(plan, step, verdict)
        self.settle(plan.with_step(step_id, status=found.status, retry_count=found.retry_count))


def graphs() -> SearchStrategy[list[list[int]]]:
    """Of each step, which of the earlier ones it waits for."""
    choices = st.lists(st.integers(0, 2**MOST_STEPS - 1), min_size=1, max_size=MOST_STEPS)
    return choices.map(
        lambda chosen: [
            [place for place in range(number) if bits >> place & 1 and place % 3 == number % 3]
            for number, bits in enumerate(chosen)
        ]
    )


@settings(max_examples=40, deadline=None)
@given(st.data(), st.lists(graphs(), min_size=1, max_size=4), st.integers(0, 4))
def test_plans_of_one_crew_keep_to_their_order_and_to_its_places_and_come_to_an_end(
    data: DataObject, drawn: list[list[list[int]]], max_parallel: int
) -> None:
    plans = {f"plan_{place}": a_plan(*graph, plan_id=f"plan_{place}") for place, graph in enumerate(drawn)}
    chance = data.draw(st.randoms(use_true_random=False))
    crew = Crew(max_parallel, plans)
    for plan in [*plans.values()]:
        crew.settle(plan)

    while moves := crew.moves():
        if chance.random() < 0.005:
            plan = crew.plans[chance.choice(sorted(crew.plans))]
            crew.settle(plan if plan.is_over else plan.changed(status=PlanStatus.CANCELED))
            continue
        verdict = Verdict.FAIL if chance.random() < 0.3 else Verdict.PASS
        crew.move(*chance.choice(moves), verdict)

    for plan in crew.plans.values():
        is_stopped = any(step.status is StepStatus.BLOCKED for step in plan.steps)
        assert plan.is_over or (is_stopped and not is_finished(plan) and not ready(plan))
    assert crew.load.holding == []
