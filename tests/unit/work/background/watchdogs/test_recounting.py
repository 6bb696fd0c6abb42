"""The weekly recount of what agents have to do."""

from datetime import timedelta

import pytest

from forge.work.background.watchdogs.recounting import AGAIN, Recount, decide
from forge.work.workspace.people.agents import LOAD, RECOUNTED_EVERY, LoadItem
from forge.work.workspace.workers import Worker
from tests.unit.work.background.watchdogs.offices import later, set_up
from tests.workshop.issues import an_issue, assign, load, move
from tests.workshop.office import Office


def a_load(count: int, *, suspected: int = 0) -> LoadItem:
    return LoadItem(workspace_id="ws_1", agent_id="agt_1", open=count, suspected=suspected)


def drift(office: Office, agent_id: str, by: int) -> None:
    """What no tool does."""
    store = office.world.services.store
    tx = Worker(store, office.world.clock, office.world.ids).begin(office.workspace.id)
    tx.tally(LOAD(office.workspace.id, agent_id), "open", by)
    store.commit(tx)


@pytest.mark.parametrize(
    ("known", "counted", "expected"),
    [
        (a_load(3), 3, Recount(0, 0, RECOUNTED_EVERY)),
        (a_load(3), None, Recount(0, 0, RECOUNTED_EVERY)),
        (a_load(3), 2, Recount(0, -1, AGAIN)),
        (a_load(3, suspected=-1), 2, Recount(-1, 0, RECOUNTED_EVERY)),
        (a_load(5, suspected=-1), 4, Recount(-1, 0, RECOUNTED_EVERY)),
        (a_load(3, suspected=-1), 4, Recount(0, 1, AGAIN)),
        (a_load(3, suspected=-1), 3, Recount(0, 0, RECOUNTED_EVERY)),
    ],
)
def test_only_what_two_counts_find_alike_is_put_right(
    known: LoadItem, counted: int | None, expected: Recount
) -> None:
    assert decide(known, counted) == expected


def test_a_number_that_drifted_is_put_right_within_a_week_and_the_log_says_so(office: Office) -> None:
    set_up(office)
    agent_id = str(office.an_agent("worker", maxConcurrent=9)["id"])
    done, *_ = issue_ids = [an_issue(office) for _ in range(3)]
    for issue_id in issue_ids:
        assign(office, issue_id, agent_id)
    move(office, done, "DONE")
    drift(office, agent_id, by=4)

    later(office, seconds=RECOUNTED_EVERY.total_seconds())
    suspected = load(office, agent_id)
    later(office, seconds=AGAIN.total_seconds())

    assert (suspected, load(office, agent_id)) == (6, 2)
    (row,) = office.rows("audit.list", {"entity": "agent-load", "entityId": agent_id})
    assert (row["tool"], row["action"]) == ("sweep", "recount")
    assert (row["before"]["open"], row["after"]["open"]) == (6, 2)


def test_a_number_that_is_right_is_counted_each_week_and_stays(office: Office) -> None:
    set_up(office)
    agent_id = str(office.an_agent()["id"])
    assign(office, an_issue(office), agent_id)

    for _ in range(2):
        later(office, seconds=(RECOUNTED_EVERY + timedelta(minutes=1)).total_seconds())

    assert load(office, agent_id) == 1
    assert office.rows("audit.list", {"entity": "agent-load"}) == []
