"""A workspace whose events go out: everything between a tool's change and a receiver on this machine."""

from dataclasses import dataclass, field, replace
from typing import Any

from forge.jsontext import encode
from forge.store.store import Store
from forge.testing.world import World
from forge.work.background.deliveries.consuming import consume
from forge.work.background.deliveries.deliveries import DELIVERIES, DeliveryItem
from forge.work.workspace.workers import Worker
from tests.unit.outbound.sites import Page, Site
from tests.unit.work.messages import waiting_messages
from tests.workshop.events import relay
from tests.workshop.office import Office
from tests.workshop.runs import Engagement, engaged

HOOK = "/hook"
SECRET = "a-secret-of-the-receiver"
TAKEN: Page = (200, {}, b"thanks")
DOWN: Page = (503, {}, b"later")

_LOCAL = "127.0.0.1"


@dataclass(slots=True)
class Mailroom:
    store: Store
    office: Office = field(init=False)
    dispatch: Worker = field(init=False)

    def __post_init__(self) -> None:
        world = World(store=self.store, own_machine=True)
        self.office = Office(world)
        self.dispatch = Worker(
            self.store, world.clock, world.ids, "dispatch", own_machine=True, chance=lambda: 0.0
        )

    def url_of(self, site: Site) -> str:
        return f"http://{_LOCAL}:{site.port}{HOOK}"

    def a_webhook(self, site: Site, **more: object) -> dict[str, Any]:
        return self.office.call("webhooks.create", {"url": self.url_of(site), "secret": SECRET, **more})

    def a_woken_agent(self, site: Site) -> Engagement:
        """One that was given an issue, and whose message is on its way."""
        agent = self.office.an_agent("woken", webhookUrl=self.url_of(site), webhookSecret=SECRET)
        return engaged(self.office, agent_id=agent["id"])

    def relay(self) -> None:
        relay(self.store, self.office.workspace.id)

    def forget(self) -> None:
        """What has happened until now is told to nobody."""
        self.relay()
        waiting_messages(self.store)

    def drain(self) -> list[DeliveryItem]:
        """Act on everything that waits on the queue; the deliveries that were tried."""
        tried: list[DeliveryItem | None] = []
        while waiting := waiting_messages(self.store):
            tried += [consume(self.dispatch, encode(message)) for message in waiting]
        return [one for one in tried if one is not None]

    def pump(self) -> list[DeliveryItem]:
        self.relay()
        return self.drain()

    def later(self, **duration: float) -> list[DeliveryItem]:
        """What the sweep finds due then, tried."""
        self.office.world.clock.advance(**duration)
        self.office.sweep()
        return self.drain()

    def rows(self) -> list[DeliveryItem]:
        partition = DELIVERIES(self.office.workspace.id)
        return self.store.table.query_all(partition, most=100).of(DeliveryItem)

    def on(self, store: Store, **more: Any) -> Worker:
        """The same dispatch over another way to the table, or with something else about it."""
        return replace(self.dispatch, store=store, **more)
