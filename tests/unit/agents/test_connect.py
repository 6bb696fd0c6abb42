"""An agent connects what it runs on, keeps it and its runs alive, and is told which runs to stop."""

import pytest

from forge.work.workspace.people.runtimes import AGENT_COUNT, RuntimeItem
from tests.workshop import issues
from tests.workshop.office import Body, Office

BOX = {"instanceId": "box-1", "name": "build-box", "providersAvailable": ["CLAUDE"]}


class Machine:
    """An agent's worker on one machine: its session is its installation."""

    def __init__(self, office: Office, key: str, instance: str = "box-1") -> None:
        self._office, self.key, self.instance = office, key, instance
        self.id = self.connect()["id"]

    def connect(self, **more: object) -> Body:
        return self.call("agents.connect", {**BOX, "instanceId": self.instance, **more})

    def call(self, tool: str, arguments: Body | None = None) -> Body:
        return self._office.call(tool, arguments, key=self.key, session=self.instance)

    def beat(self, *runs: str, **more: object) -> Body:
        return self.call("agents.heartbeat", {"runtimeId": self.id, "runs": [*runs], **more})

    def claim(self, **more: object) -> Body:
        return self.call("issues.claim", more)


@pytest.fixture
def machine(office: Office) -> Machine:
    return Machine(office, office.an_agents_key())


def stored(office: Office, runtime_id: str) -> RuntimeItem:
    table = office.world.services.store.table
    found = table.find(RuntimeItem, RuntimeItem.at(office.workspace.id, runtime_id))
    assert found is not None
    return found


def test_an_installation_has_one_runtime_however_often_it_connects(office: Office, machine: Machine) -> None:
    again = machine.connect(name="another name", providersAvailable=["CODEX"], config={"workspaceRoot": "/w"})

    (row,) = office.rows("runtimes.list")
    assert (again["id"], again["restored"]) == (machine.id, True)
    assert (row["name"], row["providersAvailable"]) == ("build-box", ["CODEX"])
    assert (row["config"], row["adapterKey"]) == ({"workspaceRoot": "/w"}, "codex")


def test_two_installations_and_two_agents_have_runtimes_of_their_own(
    office: Office, machine: Machine
) -> None:
    other = Machine(office, machine.key, "box-2")
    stranger = Machine(office, office.an_agents_key(office.an_agent("other")["id"]))

    assert len({machine.id, other.id, stranger.id}) == 3
    assert office.refused("agents.heartbeat", {"runtimeId": machine.id}, key=stranger.key)[0] == 404


def test_a_heartbeat_tells_admins_what_the_runtime_is_at(office: Office, machine: Machine) -> None:
    issues.a_queued_issue(office)
    run_id = machine.claim()["runId"]

    beat = machine.beat(
        run_id, slots={"total": 4, "busy": 1}, versions={"claude": "2.1"}, draining=True, status="BUSY"
    )

    (row,) = office.rows("runtimes.list")
    assert (beat["status"], beat["stop"], beat["drain"]) == ("BUSY", [], False)
    assert row["slots"] == {"total": 4, "busy": 1}
    assert (row["runIds"], row["versions"], row["draining"]) == ([run_id], {"claude": "2.1"}, True)


def test_who_works_is_asked_to_beat_more_often(office: Office, machine: Machine) -> None:
    issues.a_queued_issue(office)
    idle = machine.beat()
    busy = machine.beat(machine.claim()["runId"])

    assert idle["intervalSeconds"] > busy["intervalSeconds"]


def test_an_unknown_runtime_is_not_found_and_connecting_makes_it_anew(
    office: Office, machine: Machine
) -> None:
    gone = stored(office, machine.id)
    tx = office.begin()
    tx.delete(gone)
    tx.forget(AGENT_COUNT(office.workspace.id, gone.id))
    office.commit(tx)

    assert office.refused("agents.heartbeat", {"runtimeId": machine.id}, key=machine.key)[0] == 404
    assert machine.connect()["restored"] is False
    assert machine.beat()["runtimeId"] == machine.id


def test_what_tells_of_a_runtime_names_it(office: Office, machine: Machine) -> None:
    refused = office.refused("agents.heartbeat", {"runs": ["run_1"]}, key=machine.key)

    assert refused == (400, "invalid_input", {"runtimeId"})


def test_an_admin_can_have_a_runtime_take_no_more_work(office: Office, machine: Machine) -> None:
    office.call("runtimes.configure", {"runtimeId": machine.id, "config": {"drain": True}})

    assert machine.beat()["drain"] is True
    assert machine.connect()["drain"] is True


def test_runs_that_are_beaten_for_neither_stall_nor_wait_in_the_inbox(
    office: Office, machine: Machine
) -> None:
    issue_id = issues.a_queued_issue(office)
    run_id = machine.claim()["runId"]

    for _ in range(90):
        office.world.clock.advance(minutes=1)
        beat = machine.beat(run_id)
        office.sweep()

    assert beat["waiting"]["runs"] == 0
    assert issues.run(office, run_id).is_live
    assert issues.head(office, issue_id).is_claimed(office.world.clock())


def test_a_run_is_written_once_in_two_minutes_however_often_it_is_beaten_for(
    office: Office, machine: Machine
) -> None:
    issues.a_queued_issue(office)
    run_id = machine.claim()["runId"]
    office.world.clock.advance(minutes=2)
    machine.beat(run_id)
    before = issues.run(office, run_id)

    office.world.clock.advance(seconds=30)
    machine.beat(run_id)

    assert issues.run(office, run_id) == before
    assert stored(office, machine.id).heartbeat_at == office.world.clock()


def test_a_worker_is_told_which_runs_to_stop_and_why(office: Office, machine: Machine) -> None:
    first, second = (issues.a_queued_issue(office) for _ in range(2))
    ended, taken = (machine.claim(issueId=one)["runId"] for one in (first, second))
    machine.call("runs.complete", {"runId": ended, "summary": "Done."})
    other = Machine(office, machine.key, "box-2")
    other.claim(issueId=second)

    stop = machine.beat(ended, taken, "run_unknown")["stop"]

    assert {one["runId"]: one["reason"] for one in stop} == {
        ended: "ended",
        taken: "taken-over",
        "run_unknown": "unknown",
    }


def test_what_a_lost_machine_had_is_free_for_the_agents_others_after_two_heartbeats(
    office: Office, machine: Machine
) -> None:
    issue_id = issues.a_queued_issue(office)
    run_id = machine.claim()["runId"]
    interval = machine.beat(run_id)["intervalSeconds"]
    other = Machine(office, machine.key, "box-2")

    office.world.clock.advance(seconds=2 * interval - 1)
    assert other.claim()["claimed"] is None
    office.world.clock.advance(seconds=1)
    found = other.claim()

    assert (found["claimed"]["id"], found["resumed"], found["runId"]) == (issue_id, True, run_id)
    assert machine.beat(run_id)["stop"] == [{"runId": run_id, "reason": "taken-over"}]
