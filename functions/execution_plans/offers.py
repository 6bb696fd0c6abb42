"""What plans of steps offer besides tools: each as a page."""

from forge.context import Context
from forge.contract.contents import Contents, facts, section
from forge.contract.models import Model
from forge.contract.offering import Offering
from forge.contract.terms import Scope
from forge.work.plans.views import StepView
from functions.execution_plans import tools
from functions.execution_plans.models import GetPlan, PlanId

offers = Offering(tools.namespace)

offers.completion("plan", tools.list, "id", also=("title", "status"), arguments={"limit": 100})


class PlanAddress(Model):
    id: PlanId


@offers.resource(
    "forge://plan/{id}",
    title="Plan",
    scopes=[Scope.READ_ISSUES],
    costs=tools.get.costs,
    completes={"id": "plan"},
)
def plan_page(request: PlanAddress, ctx: Context) -> Contents:
    """A plan with its steps in their order: how each stands, what it is to bring, what the judge said."""
    plan = tools.get(GetPlan(id=request.id), ctx)
    known = facts(
        status=plan.status,
        steps=f"{plan.done_steps} of {plan.counts.steps} done, {plan.blocked_steps} blocked",
        goal=plan.goal_id,
        started=plan.started_at,
        cost_in_USD=plan.total_cost_usd,
        open_gate=plan.gate_id,
        more_steps=f"executionPlans.get with offset {plan.next_offset}" if plan.next_offset else None,
    )
    places = {step.id: step.position + 1 for step in plan.steps}
    steps = "\n\n".join(_step(step, places) for step in plan.steps)
    text = f"# {plan.title}\n\n{known}{section('Description', plan.description)}{section('Steps', steps)}"
    return Contents.markdown(text, read_on="executionPlans.get with a stepId shows one step whole.")


def _step(step: StepView, places: dict[str, int]) -> str:
    judged = step.judge_verdict.verdict if step.judge_verdict else None
    known = facts(
        id=step.id,
        status=step.status,
        agent=step.assigned_agent_id,
        role=step.assigned_role,
        after=", ".join(f"step {places[one]}" for one in step.depends_on_step_ids if one in places),
        verdict=judged,
        feedback=step.last_feedback,
        brings=step.expected_output,
        cut="executionPlans.get with this stepId has the whole texts" if step.truncated else None,
    )
    return f"### {step.position + 1}. {step.title}\n\n{known}" + (f"\n\n{step.body}" if step.body else "")
