"""A backlog that others look at from elsewhere, and one whose table has too much to do."""

import json
from dataclasses import replace

import pytest

from forge.contract.catalog import load_catalog
from forge.store.connections import Connections
from forge.store.store import Store
from forge.store.table import Table
from forge.testing.faults import Fault, FaultAt
from forge.testing.instruments import SkippedTime, watched
from forge.testing.world import World
from forge.wire.edge import Backend, Edge, Options
from forge.work.workspace.people.authentication import TableKeys
from tests.workshop.backlog import CONFIRMED, Session, a_repository, backlog, filed
from tests.workshop.interference import COMMIT, Interference, let_pass, only
from tests.workshop.office import Body, Office

FOREVER = 1_000_000


def another_process(office: Office, connections: Connections) -> World:
    """The same deployment, reached by connections of its own."""
    store = office.world.services.store
    table = Table(store.table.name, connections.tables)
    services = office.world.services._replace(store=replace(store, table=table))
    world = World()
    backend = Backend(TableKeys(table), services)
    world.edge = Edge(load_catalog(), backend, Options(write_log=world.log.append))
    return world


def test_what_was_just_selected_is_seen_by_another_process(store: Store, connections: Connections) -> None:
    office = Office(World(store=store))
    a_repository(office)
    number, here = filed(office), Session(office, "a")
    there = Session(Office(another_process(office, connections), office.workspace), "a", office.owner_key)

    for _ in range(10):
        here.taken()
        (status,) = there.status(number)
        assert (status["currentPhase"], status["lockedByMe"]) == ("selection", True)
        there.release(number, "abandoned")
        assert here.status(number) == []


CODES = {"select_next_issue": "LOCK_ACQUISITION_FAILED", "force_claim": "LOCK_WRITE_FAILED"}


@pytest.mark.parametrize("tool", [*CODES, "release_lock"])
def test_what_a_busy_table_does_not_take_is_told_to_be_tried_again_and_left_no_trace(
    store: Store, tool: str
) -> None:
    interference = Interference()
    office = Office(World(store=watched(store, interference, SkippedTime())))
    a_repository(office)
    number, session = filed(office), Session(office, "a")
    orders = {
        "release_lock": {"issueNumber": number, "reason": "merged"},
        "force_claim": {"issueNumber": number, "confirmation": CONFIRMED},
    }
    order: Body = orders.get(tool, {})
    if tool == "release_lock":
        session.taken()
    before = (backlog(office), session.status())
    interference.handle = only(COMMIT, FaultAt(Fault.THROTTLED, position=0, times=FOREVER))

    answer = office.world.rest(tool, order, key=office.owner_key, headers={"x-forge-session": session.id})
    interference.handle = let_pass

    assert answer.status == 503
    told = json.loads(answer.body)
    assert told.get("details", told)["retryable"] is True
    assert told.get("code") == CODES.get(tool)
    assert told.get("reason") == ("lock_failed" if tool in CODES else None)
    assert (backlog(office), session.status()) == before
    assert session.call(tool, **order)["success"] is True
