"""Writing down how a try went, together with what it means for the run that waits and for the agent."""

from datetime import timedelta

from forge.errors import Unavailable
from forge.jsontext import decode
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.store.transactions import Transaction, decided_again
from forge.work.background.deliveries import retries
from forge.work.background.deliveries.deliveries import DeliveryItem, ReceiverType
from forge.work.background.deliveries.retries import Result
from forge.work.content.chat import telling
from forge.work.issues.runs import waking
from forge.work.issues.runs.runs import RunItem
from forge.work.record.log import events
from forge.work.workspace.people.agents import AgentItem, AgentStatus, PulseItem
from forge.work.workspace.people.announcements import AGENT_STATUS_CHANGED, AgentStatusChanged
from forge.work.workspace.workers import Worker
from forge.work.workspace.workspaces import WorkspaceItem

_MOST_COMMITS = 5


class Overtaken(Exception):
    """The lease was over before the try was, and somebody else has begun another."""


def record(worker: Worker, delivery: DeliveryItem, result: Result, workspace: WorkspaceItem) -> DeliveryItem:
    """The delivery as it became; run and agent are read anew, because a try may take long."""
    became = retries.settled(delivery, result, now=worker.now, chance=worker.chance())

    def write() -> None:
        tx = worker.begin(delivery.workspace_id)
        tx.replace(became, refusal=lambda _: Overtaken())
        if delivery.target_type is ReceiverType.AGENT:
            known = worker.store.table.read(_places(delivery))
            _note_on_run(tx, known, became, result, workspace)
            payload = decode(became.body)["payload"]
            telling.note(tx, worker.store.table, became.event_kind, payload, delivery_id=became.id)
            if result.is_success:
                _hear_of_agent(tx, known, became, workspace)
        worker.store.commit(tx)

    spent = Unavailable("The run or the agent changes too fast to be written to.")
    decided_again(write, tries=_MOST_COMMITS, spent=spent)
    return became


def _places(delivery: DeliveryItem) -> list[Key]:
    workspace_id, agent_id = delivery.workspace_id, delivery.target_id
    places = [AgentItem.at(workspace_id, agent_id), PulseItem.at(workspace_id, agent_id)]
    return [*places, RunItem.at(workspace_id, delivery.run_id)] if delivery.run_id else places


def _note_on_run(
    tx: Transaction, known: Readings, delivery: DeliveryItem, result: Result, workspace: WorkspaceItem
) -> None:
    if delivery.run_id is None:
        return
    run = known.find(RunItem, RunItem.at(delivery.workspace_id, delivery.run_id))
    if run is not None:
        wake = waking.WakeTry(delivery.id, delivery.event_id, delivery.event_kind)
        waking.tried(tx, run, wake, is_delivered=result.is_success, workspace=workspace)


def _hear_of_agent(
    tx: Transaction, known: Readings, delivery: DeliveryItem, workspace: WorkspaceItem
) -> None:
    """Whoever takes a message is there. An agent that was archived meanwhile stays away."""
    agent = known.find(AgentItem, AgentItem.at(delivery.workspace_id, delivery.target_id))
    pulse = known.find(PulseItem, PulseItem.at(delivery.workspace_id, delivery.target_id))
    if agent is None or pulse is None or agent.archived_at is not None:
        return
    is_back = pulse.status is AgentStatus.OFFLINE
    beaten = pulse.beaten(
        AgentStatus.ONLINE if is_back else pulse.status,
        now=tx.origin.now,
        idle_after=timedelta(minutes=workspace.agent_idle_timeout_minutes),
    )
    tx.replace(beaten)
    if is_back:
        told = AgentStatusChanged(profile_key=agent.profile_key, from_=pulse.status, to=beaten.status)
        events.record(tx, AGENT_STATUS_CHANGED, told, subject_id=agent.id, action="deliver")
