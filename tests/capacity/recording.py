"""Plays tasks of an agent, and writes down what they cost and whom: what the model of scale is made of."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace

from forge.clock import system_now
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.charges import Charge
from forge.testing.clock import FakeIds
from forge.testing.world import World
from forge.work.background.deliveries import consuming
from forge.work.background.sweep import outbox
from forge.work.workspace.workers import Worker
from tests.capacity.meter import CountedQueues, Meter
from tests.capacity.task import play
from tests.workshop.events import relay, settle_words, unsent
from tests.workshop.office import Office

TASKS = 5
RELAY, WORDS, DISPATCH = "relay", "worker of words", "worker of dispatch"
WORKERS = (RELAY, WORDS, DISPATCH)


class LongIds(FakeIds):
    """As long as real ones: ULIDs, and the request ids of API Gateway."""

    def __init__(self) -> None:
        super().__init__(26)

    def __call__(self, prefix: str) -> str:
        return super().__call__(prefix) if prefix != "req" else super().__call__(prefix)[-16:]


@dataclass(slots=True)
class Played:
    """What everything cost, by the call that it was for, and by the task."""

    charges: dict[str, list[Charge]] = field(default_factory=lambda: defaultdict(list))
    by_task: list[list[Charge]] = field(default_factory=list)
    requests: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    calls: Counter[str] = field(default_factory=Counter)
    messages: Counter[str] = field(default_factory=Counter)
    marks: int = 0

    def add(self, name: str, meter: Meter) -> None:
        taken = meter.taken()
        self.charges[name] += taken
        self.by_task[-1] += taken
        self.requests[name] += meter.asked()
        self.calls[name] += 1


def played(connections: Connections, *, name: str = "capacity") -> Played:
    """Each task has a person and an agent of its own: what all of them share is the workspace's."""
    meter, store, queues = metered(connections, name)
    office = Office(World(store=store, ids=LongIds()))
    people = [office.a_colleague().key for _ in range(TASKS)]
    agents = [office.an_agents_key(office.an_agent(f"worker{n}")["id"]) for n in range(TASKS)]
    for key in agents:
        office.call("agents.heartbeat", {"status": "BUSY"}, key=key)
    relay(store, office.workspace.id)
    _dispatch(store)
    meter.forget()
    queues.sent.clear()
    found = Played(messages=queues.sent)
    for number in range(TASKS):
        found.by_task.append([])
        for tool in play(office, agents[number], number, person_key=people[number]):
            found.add(tool, meter)
        _settle(found, meter, office, store)
    return found


def _settle(found: Played, meter: Meter, office: Office, store: Store) -> None:
    """What nobody waits for."""
    marks = unsent(store, office.workspace.id)
    # The relay does not look for them: the stream shows it.
    meter.forget()
    found.marks += len(marks)
    outbox.relay(store, marks)
    found.add(RELAY, meter)
    settle_words(store)
    found.add(WORDS, meter)
    _dispatch(store)
    found.add(DISPATCH, meter)


def metered(connections: Connections, name: str) -> tuple[Meter, Store, CountedQueues]:
    meter = Meter(connections)
    store = provision(meter.connections, name)
    queues = CountedQueues(store.queues)
    return meter, replace(store, queues=queues), queues


def _dispatch(store: Store) -> None:
    worker = Worker(store, system_now)
    while waiting := store.queues.receive("dispatch", most=10):
        for message in waiting:
            consuming.consume(worker, message.body)
            store.queues.delete("dispatch", message)
