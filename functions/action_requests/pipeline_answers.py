"""A yes or a no to a request that a pipeline has raised is the answer that the pipeline waits for."""

from forge.context import Context
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.store.transactions import Transaction
from forge.work.pipelines.actions import Action
from forge.work.pipelines.announcements import PIPELINE
from forge.work.pipelines.desk import saving
from forge.work.pipelines.desk.opening import Texts
from forge.work.pipelines.engine import answering, engine
from forge.work.pipelines.engine.progress import Surroundings
from forge.work.pipelines.pipelines import PipelineItem
from forge.work.plans.requests.requests import RequestItem


def keys_of(request: RequestItem) -> list[Key]:
    if request.source_type != PIPELINE or request.source_id is None:
        return []
    workspace_id, name = request.workspace_id, request.source_id
    return [PipelineItem.at(workspace_id, name), saving.row_of(workspace_id, name)]


def waiting_for(readings: Readings, request: RequestItem) -> tuple[PipelineItem, Action] | None:
    """The pipeline that raised this request, and its action; None where the request only names it."""
    keys = keys_of(request)
    state = readings.find_named(PipelineItem, keys[0]) if keys else None
    if state and state.question_id == request.id and state.action:
        return state, state.action
    return None


def state_of(readings: Readings, request: RequestItem) -> str:
    """The id of the action that the pipeline waits with; empty once it waits no more."""
    waiting = waiting_for(readings, request)
    return waiting[1].id if waiting else ""


def settle(
    ctx: Context,
    tx: Transaction,
    request: RequestItem,
    readings: Readings,
    *,
    is_yes: bool,
    words: str | None,
) -> None:
    """In the transaction that decides the request; what is due then, whoever drives the pipeline is told."""
    waiting = waiting_for(readings, request)
    if waiting is None:
        return
    state, asked = waiting
    option = answering.yes_to(asked) if is_yes else answering.no_to(asked)
    around = Surroundings(Texts(state, ctx.services.store.blobs), ctx.now())
    progress = engine.answer_only(state, around, option, words)
    progress.set(question_id=None)
    readings.fetch(saving.needs(progress))
    saving.write(ctx, tx, progress, readings=readings)
