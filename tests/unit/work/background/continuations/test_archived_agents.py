"""Archiving an agent with much to do: whatever dies on the way, all of it is done once."""

from collections import Counter as Histogram
from typing import Any, NamedTuple

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import Parameters, Send, watched
from forge.testing.world import World
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.issues.claims.rows import ClaimItem
from forge.work.issues.inbox.rows import OF_AGENT
from forge.work.issues.issues import IssueItem
from forge.work.record.continuations.continuations import CHUNK, LATECOMERS, ContinuationItem
from forge.work.record.log.kinds import EventKind
from forge.work.workspace.people.agents import LOAD, LoadItem
from forge.work.workspace.workers import Worker
from tests.workshop.interference import COMMIT, Handle, Tally, once_before, only
from tests.workshop.office import Office

ISSUES = 60
FATAL = (Fault.CRASHED, Fault.CRASHED_AFTER)


class Leaving(NamedTuple):
    """An agent that has so many issues, each with a live run and a claim, and a colleague with one."""

    office: Office
    agent_id: str
    key: str
    issue_ids: list[str]

    def heads(self) -> list[IssueItem]:
        table, workspace_id = self.office.world.services.store.table, self.office.workspace.id
        found = [f"WS#{workspace_id}#ISSUE#{issue_id}" for issue_id in self.issue_ids]
        rows = [table.query_all(place, most=50) for place in found]
        return [row.of(IssueItem)[0] for row in rows]

    def is_left(self) -> bool:
        heads = self.heads()
        return all(not one.live_runs and not one.claimant_id and not one.assigned_agent_id for one in heads)

    def events(self) -> Histogram[EventKind | None]:
        own = {run["id"] for run in self.office.rows("runs.list", {"agentId": self.agent_id, "limit": 100})}
        rows = [row for row in self.office.log() if row.subject_id in {*self.issue_ids, *own}]
        return Histogram(row.kind for row in rows)


def a_leaving_agent(world: World, *, issues: int = ISSUES) -> Leaving:
    office = Office(world)
    agent_id = office.an_agent(maxConcurrent=0)["id"]
    key = office.an_agents_key(agent_id)
    issue_ids = []
    for number in range(issues):
        # So that no key makes too many calls in one minute.
        world.clock.advance(seconds=5)
        issue_id = str(office.call("issues.create", {"title": f"Number {number}"})["id"])
        office.call("issues.assign", {"issueId": issue_id, "agentId": agent_id})
        assert office.call("issues.claim", {"issueId": issue_id}, key=key)["claimed"]
        issue_ids.append(issue_id)
    return Leaving(office, agent_id, key, issue_ids)


def sweep_continuations(store: Store, world: World) -> bool:
    """What a sweep does about continuations, and about nothing else; whether that was anything."""
    place = ContinuationItem.stored.partition(world.workspace.id)
    task = Sweep(Worker(store, world.clock, world.ids), lambda *failure: None)
    settled = [sweep.settle(task, due) for due in sweep.look(task).due if due.key.partition == place]
    return any(settled)


def always_overtaken(store: Store) -> Handle:
    """Somebody else changes an issue each time just before it is written."""

    def overtake(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        writes = [one for write in parameters["TransactItems"] for one in write.values()]
        heads = [one["Item"] for one in writes if one.get("Item", {}).get("sk") == {"S": "X#META"}]
        for head in heads:
            store.table.client.ask(
                "UpdateItem",
                {
                    "TableName": store.table.name,
                    "Key": {"pk": head["pk"], "sk": head["sk"]},
                    "UpdateExpression": "ADD version :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}},
                },
            )
        return send(**parameters)

    return only(COMMIT, overtake)


def unfinished(store: Store, world: World) -> int:
    return len(store.table.query_all(ContinuationItem.stored.partition(world.workspace.id), most=10))


def test_everything_it_had_is_free_and_its_runs_are_over(store: Store, stored_world: World) -> None:
    leaving = a_leaving_agent(stored_world)
    before = leaving.events()

    leaving.office.call("agents.archive", {"id": leaving.agent_id})
    assert not leaving.is_left()
    sweep_continuations(store, stored_world)

    assert leaving.is_left()
    runs = leaving.office.rows("runs.list", {"agentId": leaving.agent_id, "limit": 100})
    assert {run["status"] for run in runs} == {"ABANDONED"}
    told = leaving.events()
    told.subtract(before)
    assert told[EventKind.AGENT_RUN_COMPLETED] == ISSUES
    assert told[EventKind.AGENT_ASSIGNED] == ISSUES
    assert told[EventKind.ISSUE_UPDATED] == ISSUES
    load = LOAD(stored_world.workspace.id, leaving.agent_id)
    found = store.table.find(LoadItem, load)
    assert found is not None
    assert found.open == 0
    own = OF_AGENT(stored_world.workspace.id, leaving.agent_id)
    assert len(store.table.query_all(own, most=10)) == 0


def test_the_log_says_who_archived_it(store: Store, stored_world: World) -> None:
    leaving = a_leaving_agent(stored_world, issues=1)
    leaving.office.call("agents.archive", {"id": leaving.agent_id})

    sweep_continuations(store, stored_world)

    row = leaving.office.log()[-1]
    assert (row.actor_user_id, row.tool) == (leaving.office.owner_id, "agents.archive")


def test_it_is_done_in_chunks_whose_place_is_written_down(store: Store, stored_world: World) -> None:
    leaving = a_leaving_agent(stored_world)
    leaving.office.call("agents.archive", {"id": leaving.agent_id})
    tally = Tally()

    sweep_continuations(watched(store, tally), stored_world)

    # One for each issue, one after each full chunk, one for the end of each of three lists.
    assert tally.tried.count(COMMIT) == ISSUES + ISSUES // CHUNK + 3


DEATHS = [
    (ISSUES, 30, Fault.CRASHED),
    (ISSUES, 30, Fault.CRASHED_AFTER),
    *((CHUNK + 2, place, fault) for place in (0, CHUNK, CHUNK + 1) for fault in FATAL),
]


@pytest.mark.parametrize(("issues", "dies_at", "fault"), DEATHS)
def test_killed_half_way_and_resumed_it_is_done_once(
    issues: int, dies_at: int, fault: Fault, store: Store, stored_world: World
) -> None:
    leaving = a_leaving_agent(stored_world, issues=issues)
    before = leaving.events()
    leaving.office.call("agents.archive", {"id": leaving.agent_id})
    dying = FaultAt(fault, dies_at)

    with pytest.raises(ProcessDied):
        sweep_continuations(watched(store, only(COMMIT, dying)), stored_world)
    assert not leaving.is_left()
    sweep_continuations(store, stored_world)

    assert leaving.is_left()
    told = leaving.events()
    told.subtract(before)
    assert told[EventKind.AGENT_RUN_COMPLETED] == issues
    assert told[EventKind.AGENT_ASSIGNED] == issues


def test_two_at_once_do_everything_once(store: Store, stored_world: World) -> None:
    leaving = a_leaving_agent(stored_world, issues=5)
    before = leaving.events()
    leaving.office.call("agents.archive", {"id": leaving.agent_id})
    other = once_before(COMMIT, lambda: sweep_continuations(store, stored_world))

    sweep_continuations(watched(store, other), stored_world)

    assert leaving.is_left()
    told = leaving.events()
    told.subtract(before)
    assert told[EventKind.AGENT_RUN_COMPLETED] == 5


def test_it_looks_once_more_for_latecomers_and_is_then_gone(store: Store, stored_world: World) -> None:
    leaving = a_leaving_agent(stored_world, issues=1)
    leaving.office.call("agents.archive", {"id": leaving.agent_id})
    sweep_continuations(store, stored_world)
    late = leaving.heads()[0]
    tx = leaving.office.begin()
    # As a call leaves it that had begun before the agent was archived.
    tx.replace(late.changed(claimed_by_agent_id=leaving.agent_id, claimed_at=stored_world.clock()))
    claim = ClaimItem(workspace_id=late.workspace_id, agent_id=leaving.agent_id, issue_id=late.id)
    tx.create(claim)
    leaving.office.commit(tx)

    assert sweep_continuations(store, stored_world) is False
    assert unfinished(store, stored_world) == 1
    stored_world.clock.advance(seconds=LATECOMERS.total_seconds())
    assert sweep_continuations(store, stored_world) is True

    assert leaving.is_left()
    assert unfinished(store, stored_world) == 0
    logged = len(leaving.office.log())
    assert sweep_continuations(store, stored_world) is False
    assert len(leaving.office.log()) == logged


def test_what_others_are_changing_is_found_by_a_later_walk(store: Store, stored_world: World) -> None:
    leaving = a_leaving_agent(stored_world, issues=1)
    leaving.office.call("agents.archive", {"id": leaving.agent_id})

    sweep_continuations(watched(store, always_overtaken(store)), stored_world)
    assert not leaving.is_left()
    assert unfinished(store, stored_world) == 1
    stored_world.clock.advance(minutes=5)
    sweep_continuations(store, stored_world)

    assert leaving.is_left()
