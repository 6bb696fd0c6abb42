"""What it costs to sleep until there is an issue to claim: reads by the hour, and no write but the first."""

from datetime import timedelta

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.charges import Charge
from forge.testing.world import World
from tests.capacity.meter import Meter
from tests.workshop.office import Office
from tests.workshop.tasks import Client

HOUR = timedelta(hours=1)
MOST_READ = 130.0


@pytest.fixture(scope="module")
def meter(served_connections: Connections) -> Meter:
    return Meter(served_connections)


@pytest.fixture
def office(meter: Meter) -> Office:
    return Office(World(store=provision(meter.connections, "forge-sleepers")))


def read(charges: list[Charge]) -> float:
    return sum(charge.read for charge in charges)


def written(charges: list[Charge]) -> int:
    return sum(charge.all_written for charge in charges)


def poll_for_an_hour(office: Office, client: Client, task_id: str) -> int:
    """As Claude Code does: at once, and then after each interval that it is told; how often."""
    clock = office.world.clock
    clock.advance(milliseconds=100)
    ends, polls = clock() + HOUR, 0
    while clock() < ends:
        task = client.get(task_id)
        assert task["status"] == "working"
        clock.advance(milliseconds=task["pollIntervalMs"])
        polls += 1
    return polls


def test_an_hour_of_sleep_costs_little_and_writes_nothing(office: Office, meter: Meter) -> None:
    client = Client(office, office.an_agents_key())
    meter.forget()
    task = client.call("issues.claim", {"waitSeconds": 86_400})
    begun = meter.taken()

    polls = poll_for_an_hour(office, client, task["taskId"])

    first_hour = meter.taken()
    poll_for_an_hour(office, client, task["taskId"])
    second_hour = meter.taken()
    assert polls == 124
    assert written(begun) > 0 == written(first_hour) == written(second_hour)
    assert read(begun) + read(first_hour) <= MOST_READ
    assert read(second_hour) <= MOST_READ
