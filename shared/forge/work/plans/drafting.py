"""Making plans: their steps, which of them wait for which, and the texts that are kept apart."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints
from pydantic.alias_generators import to_camel

from forge.context import Context
from forge.contract.checks import Check
from forge.contract.fields import LongText
from forge.contract.models import Model
from forge.errors import InvalidInput
from forge.store.followers import follow
from forge.store.transactions import Transaction
from forge.work.content.references.naming import ids_of_agents, ids_of_people
from forge.work.issues.issues import ChecklistItem
from forge.work.plans.goals.goals import GoalItem
from forge.work.plans.goals.owed import follows
from forge.work.plans.plans import (
    NOT_BEGUN,
    PlanCostItem,
    PlanItem,
    PlanTextItem,
    Step,
    StepTextItem,
    extended,
)
from forge.work.record import texts
from forge.work.record.texts import KeptText
from forge.work.workspace.crews.announcements import CrewRole

_AT_WORK = "agents.list shows the agents that are at work."
_TEXTS_AT_ONCE = 90
_BYTES_AT_ONCE = 2_000_000
"""A transaction holds four megabytes, and more than these texts."""
_MADE, _AHEAD = "the plan that is made", "texts written ahead"


def _checked(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [Check.model_validate(one).model_dump(mode="json") for one in items]


class StepDraft(Model, rare=["assigned_user_id"]):
    """A step as it is asked for."""

    title: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
        Field(description="One line: what is done."),
    ]
    body: Annotated[LongText | None, Field(description="All that its worker needs, as Markdown.")] = None
    expected_output: Annotated[LongText | None, Field(description="What must come of it.")] = None
    verification: Annotated[
        list[dict[str, Any]],
        # As deep as published schemas go, an item has no fields of its own.
        AfterValidator(_checked),
        Field(max_length=50, description="What its judge checks: [{label, id?, kind?, value?}]."),
    ] = []
    depends_on_step_indexes: Annotated[
        list[Annotated[int, Field(ge=0)]],
        Field(max_length=50, description="Earlier steps of this call that must be done first, from 0."),
    ] = []
    assigned_agent_id: Annotated[
        str | None,
        Field(min_length=1, max_length=120, description="Who does it: an agent's id or profileKey."),
    ] = None
    assigned_user_id: Annotated[
        str | None,
        Field(min_length=1, max_length=120, description="A person who does it: user id or handle."),
    ] = None
    assigned_role: Annotated[
        CrewRole | None, Field(description="Who of the crew does it, instead of a WORKER.")
    ] = None


def with_ids(ctx: Context, drafts: Sequence[StepDraft]) -> list[StepDraft]:
    """With an id wherever a name was said; everybody named is there."""

    def named(field: str) -> dict[str, str]:
        said = ((place, getattr(one, field)) for place, one in enumerate(drafts))
        return {f"steps.{place}.{to_camel(field)}": name for place, name in said if name}

    agents = ids_of_agents(ctx, named("assigned_agent_id"), hint=_AT_WORK)
    people = ids_of_people(ctx, named("assigned_user_id"))
    return [
        one.model_copy(
            update={
                "assigned_agent_id": agents.get(f"steps.{place}.assignedAgentId"),
                "assigned_user_id": people.get(f"steps.{place}.assignedUserId"),
            }
        )
        for place, one in enumerate(drafts)
    ]


def new_plan(ctx: Context, title: str, *, goal: GoalItem | None, **fields: object) -> PlanItem:
    """A plan without steps."""
    now, caller = ctx.now(), ctx.caller
    plan = PlanItem(
        workspace_id=caller.workspace_id,
        # The same when the call decides again, so that texts written ahead are still its own.
        id=ctx.memory.setdefault(_MADE, ctx.new_id("plan")),
        title=title,
        created_by_id=None if caller.agent_id else caller.user_id,
        created_by_agent_id=caller.agent_id,
        created_at=now,
        updated_at=now,
    )
    if goal is not None:
        plan = plan.changed(goal_id=goal.id, **given_by(goal, plan))
    return plan.changed(**fields)


def given_by(goal: GoalItem, plan: PlanItem) -> dict[str, object]:
    """What an attempt that has not begun gets from its goal: whatever it has none of its own of."""
    names = ("issue_id", "crew_id", "max_total_cost_usd", "max_wall_time_minutes")
    missing = [one for one in names if getattr(plan, one) is None]
    return {one: getattr(goal, one) for one in missing} if plan.status in NOT_BEGUN else {}


def with_steps(
    ctx: Context, plan: PlanItem, drafts: Sequence[StepDraft]
) -> tuple[PlanItem, list[StepTextItem]]:
    """The plan with these steps behind all others, and their texts.

    A call that decides again gives its steps the ids that it gave them before.
    """
    dependencies = wired([one.depends_on_step_indexes for one in drafts], first=len(plan.steps))
    ids = ctx.memory.setdefault(f"steps of {plan.id}", [ctx.new_id("step") for _ in drafts])
    steps, written = [], []
    for step_id, draft, depends_on in zip(ids, drafts, dependencies, strict=True):
        step = Step(
            id=step_id,
            title=draft.title,
            depends_on=[*depends_on],
            assigned_agent_id=draft.assigned_agent_id,
            assigned_user_id=draft.assigned_user_id,
            assigned_role=draft.assigned_role,
            texts_digest=hash_of_texts(draft),
        )
        steps.append(step)
        written.append(_text_of(ctx, plan, step, draft))
    return extended(plan, steps), written


def add_texts(ctx: Context, written: Sequence[StepTextItem]) -> Transaction:
    """Store the texts of new steps; the transaction that goes on to take the steps up into the plan.

    All in one where they are few; else the first ones ahead of it, each under an id that nobody knows yet. If
    the transaction never comes, nobody ever finds them; if it has to decide again, they are there already.
    """
    *ahead, last = in_chunks(written)
    there = ctx.memory.setdefault(_AHEAD, set())
    for chunk in ahead:
        if chunk[0].step_id not in there:
            # Not a part of what the call does, so the call can still begin anew.
            store = ctx.services.store
            store.commit(_creating(store.begin(ctx), chunk))
            there.add(chunk[0].step_id)
    return _creating(ctx.plan(), last)


def in_chunks(written: Sequence[StepTextItem]) -> list[list[StepTextItem]]:
    """As many at a time as a transaction holds; at least one chunk, which may be empty."""
    chunks: list[list[StepTextItem]] = [[]]
    size = 0
    for text in written:
        more = sum(len(kept.text.encode()) for kept in (text.body, text.expected_output) if kept)
        if chunks[-1] and (len(chunks[-1]) >= _TEXTS_AT_ONCE or size + more > _BYTES_AT_ONCE):
            chunks.append([])
            size = 0
        chunks[-1].append(text)
        size += more
    return chunks


def add(tx: Transaction, plan: PlanItem, description: KeptText | None = None) -> None:
    """Store a new plan with its costs and text; its event is the caller's to write."""
    tx.create(plan)
    tx.create(PlanCostItem(workspace_id=plan.workspace_id, plan_id=plan.id))
    if description is not None:
        text = PlanTextItem(workspace_id=plan.workspace_id, plan_id=plan.id, description=description)
        tx.create(text)
    follow(tx, (), follows(plan))


def kept(ctx: Context, owner_id: str, text: str | None) -> KeptText | None:
    if not text:
        return None
    name = f"{ctx.caller.workspace_id}/{owner_id}/{ctx.new_id('txt')}"
    return texts.keep(ctx.services.store.blobs, text, name=name)


def _creating(tx: Transaction, written: Sequence[StepTextItem]) -> Transaction:
    for text in written:
        tx.create(text)
    return tx


def hash_of_texts(draft: StepDraft) -> str | None:
    said = [draft.body, draft.expected_output, draft.verification]
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16] if any(said) else None


def _text_of(ctx: Context, plan: PlanItem, step: Step, draft: StepDraft) -> StepTextItem:
    return StepTextItem(
        workspace_id=plan.workspace_id,
        step_id=step.id,
        plan_id=plan.id,
        body=kept(ctx, step.id, draft.body),
        expected_output=kept(ctx, step.id, draft.expected_output),
        verification=[ChecklistItem(**one) for one in draft.verification],
    )


def wired(batch: Sequence[Sequence[int]], *, first: int, field: str = "steps") -> list[list[int]]:
    """For each new step the positions it waits for, the first of the batch being at `first`.

    A step waits for steps before it, so that no circle can be.
    """
    wrong = {place: [one for one in given if one >= place] for place, given in enumerate(batch)}
    issues = {
        f"{field}.{place}.dependsOnStepIndexes": f"{', '.join(map(str, bad))}: {_before(place)}"
        for place, bad in wrong.items()
        if bad
    }
    if issues:
        raise InvalidInput(
            "A step waits only for steps before it, counted from 0 in this call.", issues=issues
        )
    return [[first + one for one in sorted(set(given))] for given in batch]


def _before(place: int) -> str:
    counted = "they count from 0 within this call"
    if place == 0:
        return f"the first step waits for nothing; {counted}."
    return f"only 0 to {place - 1} come before this step; {counted}."
