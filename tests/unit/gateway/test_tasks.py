"""What may take longer than anybody waits: put off, carried out by a worker, and asked for afterwards."""

from typing import Any

import pytest

from forge.contract.catalog import Catalog, load_catalog
from forge.store.queues import Received
from forge.store.store import Store
from forge.testing.faults import ProcessDied
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.wire import tasking
from forge.wire.http import Response
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.workspace.jobs import Unreadable
from forge.work.workspace.workers import Worker
from tests.unit.gateway.test_gates import dies_at
from tests.unit.wire.answers import body_of
from tests.workshop.interference import COMMIT, Interference, only

Body = dict[str, Any]
LONG = {"intent": "MODIFY", "action": "issues.create", "params": {"title": "From far away"}}


class Depot:
    """A world in which making an issue takes long."""

    def __init__(self, store: Store) -> None:
        self.interference = Interference()
        tools = [
            tool._replace(is_long=tool.name == "issues.create")
            for tool in load_catalog().tools
            if tool.namespace in ("issues", "gateway")
        ]
        self.world = World(store=watched(store, self.interference), catalog=Catalog(tools))
        self.key = self.world.owner_key()

    def send(self, tool: str, body: Body, *, key: str | None = None, **headers: str) -> Response:
        return self.world.rest(tool, body, key=key or self.key, headers=headers)

    def put_off(self, body: Body | None = None, **headers: str) -> str:
        told = body_of(self.send("gateway.execute", body or LONG, **headers))
        task_id = told["meta"]["task_id"]
        ask = {"action": "gateway.result", "params": {"task_id": task_id}}
        assert (told["ok"], told["result"]["data"]) == (True, {"task_id": task_id, "next": ask}), told
        return str(told["meta"]["task_id"])

    def result(self, task_id: str) -> Body:
        found: Body = body_of(self.send("gateway.result", {"task_id": task_id}))
        return found

    def messages(self) -> list[Received]:
        return self.world.services.store.queues.receive(TaskItem.queue, most=10)

    def work(self) -> list[bool]:
        services = self.world.services
        return [tasking.perform(self.world.edge, services, one.body) for one in self.messages()]

    def titles(self) -> list[str]:
        return [row["title"] for row in body_of(self.send("issues.list", {}))["data"]]

    def sweep(self) -> int:
        services = self.world.services
        return sweep.run(Sweep(Worker(services.store, services.now, services.new_id), lambda *failure: None))


@pytest.fixture
def depot(store: Store) -> Depot:
    return Depot(store)


def test_a_long_call_is_carried_out_by_a_worker_and_its_answer_is_asked_for(depot: Depot) -> None:
    task_id = depot.put_off()
    before = depot.result(task_id)

    assert depot.work() == [True]

    after = depot.result(task_id)
    assert (before["meta"]["task_state"], before["result"]["data"]) == ("PENDING", None)
    assert (after["meta"]["task_state"], after["result"]["data"]["title"]) == ("DONE", "From far away")
    assert depot.titles() == ["From far away"]


def test_what_can_be_refused_at_once_is(depot: Depot) -> None:
    told = body_of(depot.send("gateway.execute", {**LONG, "params": {"titel": "No"}}))

    assert told["error"]["type"] == "VALIDATION"
    assert depot.messages() == []


def test_a_failure_is_the_answer_as_well(depot: Depot) -> None:
    task_id = depot.put_off({**LONG, "params": {"title": "No", "projectId": "prj_none"}})

    depot.work()

    assert depot.result(task_id)["error"]["type"] == "VALIDATION"


def test_a_message_that_comes_twice_does_it_once(depot: Depot) -> None:
    depot.put_off()
    (message,) = depot.messages()
    services = depot.world.services

    done = [tasking.perform(depot.world.edge, services, message.body) for _ in range(2)]

    assert done == [True, False]
    assert depot.titles() == ["From far away"]


def test_a_worker_that_dies_is_followed_by_another_and_nothing_happens_twice(depot: Depot) -> None:
    task_id = depot.put_off()
    (message,) = depot.messages()
    depot.interference.handle = only(COMMIT, dies_at(3))
    with pytest.raises(ProcessDied):
        tasking.perform(depot.world.edge, depot.world.services, message.body)
    depot.interference.handle = only(COMMIT, dies_at(99))
    assert depot.result(task_id)["meta"]["task_state"] == "RUNNING"

    depot.world.clock.advance(seconds=TaskItem.lease.total_seconds())
    assert depot.sweep() > 0
    assert depot.work() == [True]

    assert depot.result(task_id)["result"]["data"]["title"] == "From far away"
    assert depot.titles() == ["From far away"]


def test_the_sweep_sends_what_was_not_sent(depot: Depot) -> None:
    task_id = depot.put_off()
    for message in depot.messages():
        depot.world.services.store.queues.delete(TaskItem.queue, message)

    depot.world.clock.advance(seconds=UNSENT_AFTER.total_seconds())
    depot.sweep()

    assert depot.work() == [True]
    assert depot.result(task_id)["meta"]["task_state"] == "DONE"


def test_nobody_else_learns_what_became_of_it(depot: Depot) -> None:
    task_id = depot.put_off()
    stranger = depot.world.a_key()

    answer = depot.send("gateway.result", {"task_id": task_id}, key=stranger)

    assert (answer.status, body_of(answer)["error"]) == (404, "not_found")


@pytest.mark.parametrize("text", ["", "[]", "{}"])
def test_what_is_no_message_about_a_task_is_put_aside(depot: Depot, text: str) -> None:
    with pytest.raises(Unreadable):
        tasking.perform(depot.world.edge, depot.world.services, text)
