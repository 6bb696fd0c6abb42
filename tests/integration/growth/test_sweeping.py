"""What a sweep asks of the table follows what is due, and not how many issues there are."""

from typing import NamedTuple

import pytest

from forge.contract.effects import Cost
from forge.store.connections import Connections
from forge.store.keys import DUE_PARTITIONS
from forge.store.provision import provision
from forge.testing.embedded import embed_tables
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.work.record.log.kinds import EventKind
from tests.integration.growth.crowded import beside
from tests.workshop.issues import an_issue, assign, events, head
from tests.workshop.office import Office

SIZES = (100, 10_000)
DUE = 3
"""So many runs fall silent, and as many issues take longer than promised."""
A_YEAR = 525_600
OF_FIGURES = Cost(reads=6, writes=2)
"""Once in five minutes what was logged is added to the figures of its day, and the place is moved on."""


class Asked(NamedTuple):
    """Requests of a sweep with nothing to do, and of one with something."""

    of_nothing: tuple[int, int]
    of_some: tuple[int, int]


@pytest.fixture(scope="module")
def asked(connections: Connections) -> dict[int, Asked]:
    return {size: _asked_among(connections, size) for size in SIZES}


def _asked_among(connections: Connections, size: int) -> Asked:
    """Every issue of the crowd has a deadline, but only after a year."""
    requests = Counter()
    office = Office(World(store=watched(provision(embed_tables(connections), f"sweeping-{size}"), requests)))
    settings = {"assignmentSlaMinutes": A_YEAR, "slaEnforcementEnabled": True, "agentIdleTimeoutMinutes": 0}
    office.call("workspaces.update", settings)
    _settle(office)
    first, agent_id = an_issue(office), office.an_agent(maxConcurrent=0)["id"]
    assign(office, first, agent_id)
    assert head(office, first).watch_at is not None
    beside(office, first, size)
    office.call("issues.transition", {"id": first, "statusId": "Done"})
    _settle(office)
    of_nothing = _requests(office, requests)
    for _ in range(DUE):
        assign(office, an_issue(office, slaMinutes=28), agent_id)
    office.world.clock.advance(minutes=20)
    office.sweep()
    office.world.clock.advance(minutes=10)
    of_some = _requests(office, requests)
    told = events(office, EventKind.AGENT_RUN_STALLED, EventKind.ISSUE_SLA_BREACH)
    assert [row.kind for row in told].count(EventKind.AGENT_RUN_STALLED) == DUE
    assert len(told) == 2 * DUE
    return Asked(of_nothing, of_some)


def _settle(office: Office) -> None:
    """Whatever the tools have left for the sweep is done."""
    for _ in range(3):
        office.world.clock.advance(minutes=3)
        office.sweep()


def _requests(office: Office, requests: Counter) -> tuple[int, int]:
    requests.reset()
    office.sweep()
    return requests.reads, requests.writes


def test_a_sweep_asks_the_same_among_a_hundred_and_among_ten_thousand_issues(asked: dict[int, Asked]) -> None:
    few, many = (asked[size] for size in SIZES)

    assert few == many
    assert few.of_nothing == (len(DUE_PARTITIONS), 0)


def test_what_is_due_costs_a_few_requests_each(asked: dict[int, Asked]) -> None:
    reads, writes = asked[SIZES[-1]].of_some

    # Of a run that is about to be called silent, the log is asked too.
    assert reads <= len(DUE_PARTITIONS) + (3 + 4) * DUE + OF_FIGURES.reads
    assert writes == 2 * DUE + OF_FIGURES.writes
