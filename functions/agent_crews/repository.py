"""What follows for the plans of a crew when its limit is raised."""

from forge.context import Context
from forge.store.transactions import Transaction, overtaken
from forge.work.plans.goals.crew_loads import CrewLoadItem
from forge.work.plans.rules import MOST_CALLED
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationKind
from forge.work.workspace.crews.crews import CrewItem


def find_load(ctx: Context, crew: CrewItem) -> CrewLoadItem | None:
    """None where nothing of the crew was ever at work."""
    return ctx.table.find(CrewLoadItem, CrewLoadItem.at(crew.workspace_id, crew.id))


def call_waiting(tx: Transaction, crew: CrewItem, load: CrewLoadItem | None) -> None:
    """Have the plans that wait for a place of the crew look again; those behind them are called by them.

    The load is written even if nobody waits: a plan that is about to wait under the old limit decides anew.
    """
    if load is None:
        tx.create(CrewLoadItem(workspace_id=crew.workspace_id, crew_id=crew.id), refusal=overtaken)
        return
    after, called = load.next_in_line(crew.max_parallel, most=MOST_CALLED)
    tx.replace(after)
    for plan_id in called:
        continuations.begin(tx, ContinuationKind.PLAN_GOES_ON, plan_id)
