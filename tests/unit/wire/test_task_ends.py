"""What a task comes to: a decision, the end of a wait, the answer of a worker."""

from collections.abc import Mapping
from typing import Any

import pytest

from forge.store.store import Store
from forge.wire.protocol import TASKS
from tests.unit.gateway.test_tasks import Depot
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office
from tests.workshop.plans import a_loop
from tests.workshop.requests import card
from tests.workshop.runs import engaged
from tests.workshop.tasks import Client

ASKS: Mapping[str, Any] = {"extensions": {TASKS: {}}, "elicitation": {"form": {}}}


@pytest.fixture
def key(office: Office) -> str:
    return office.an_agents_key()


@pytest.fixture
def depot(store: Store) -> Depot:
    return Depot(store)


@pytest.fixture
def client(office: Office, key: str) -> Client:
    return Client(office, key)


def begun(client: Client, tool: str, arguments: Body) -> str:
    task = client.call(tool, {**arguments, "wait": True})
    assert (task["resultType"], task["status"], task["ttlMs"]) == ("task", "working", 25 * 3_600_000), task
    return str(task["taskId"])


def end(client: Client, task_id: str) -> Body:
    task = client.get(task_id)
    assert task["status"] == "completed", task
    found: Body = task["result"]["structuredContent"]
    return found


def test_a_request_waits_for_the_decision(office: Office, client: Client) -> None:
    task_id = begun(client, "actionRequests.create", {"title": "Which schema?", "issueId": an_issue(office)})
    assert client.get(task_id)["status"] == "working"
    office.world.clock.advance(minutes=3)

    request_id = task_id.split(".")[0]
    long_answer = "The second one. " * 60
    office.call("actionRequests.accept", {"id": request_id, "resolution": long_answer})

    told = end(client, task_id)
    assert (told["id"], told["status"]) == (request_id, "RESOLVED")
    assert told["resolution"].endswith(long_answer.strip())
    assert told["url"].endswith(request_id)


def test_without_the_extension_it_is_answered_as_ever(office: Office, key: str) -> None:
    plain = Client(office, key, capabilities={})

    result = plain.call("actionRequests.create", {"title": "Which schema?", "wait": True})

    assert result["structuredContent"].keys() == {"id", "url"}


def test_a_request_is_withdrawn_with_its_task(office: Office, client: Client) -> None:
    task_id = begun(client, "actionRequests.create", {"title": "Which schema?"})

    client.cancel(task_id)
    client.cancel(task_id)

    assert client.get(task_id)["status"] == "cancelled"
    assert card(office, task_id.split(".")[0])["status"] == "DISMISSED"


def test_what_a_person_has_decided_stays_decided(office: Office, client: Client) -> None:
    task_id = begun(client, "actionRequests.create", {"title": "Which schema?"})
    office.call("actionRequests.decline", {"id": task_id.split(".")[0], "reason": "Neither."})

    client.cancel(task_id)

    assert end(client, task_id)["status"] == "REJECTED"


def test_no_client_decides_for_a_person(office: Office, key: str) -> None:
    client = Client(office, key, capabilities=ASKS)
    task_id = begun(client, "actionRequests.create", {"title": "Which schema?"})

    client.update(task_id, {"answer": {"action": "accept", "content": {"answer": "yes"}}})

    assert client.get(task_id)["status"] == "working"


def test_what_nobody_decides_in_a_day_is_told_as_it_is(office: Office, client: Client) -> None:
    task_id = begun(client, "actionRequests.create", {"title": "Which schema?"})

    office.world.clock.advance(days=1)

    assert end(client, task_id)["status"] == "OPEN"
    office.world.clock.advance(hours=1)
    assert client.refused("tasks/get", task_id) == -32602


def test_a_plan_waits_for_its_approval(office: Office) -> None:
    loop = a_loop(office)
    planner = Client(office, office.an_agents_key(loop.planner))
    plan_id, _ = loop.plan({"title": "One", "expectedOutput": "It"})

    task_id = begun(planner, "plans.requestApproval", {"planId": plan_id})
    assert begun(planner, "plans.requestApproval", {"planId": plan_id}) == task_id
    office.call("actionRequests.accept", {"id": task_id.split(".")[0]})

    assert end(planner, task_id)["status"] == "RESOLVED"
    assert office.call("executionPlans.get", {"id": plan_id})["status"] == "RUNNING"


def test_somebody_elses_request_for_approval_is_no_task_of_mine(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan({"title": "One", "expectedOutput": "It"})
    begun(Client(office, office.an_agents_key(loop.planner)), "plans.requestApproval", {"planId": plan_id})

    asked = {"planId": plan_id, "wait": True}
    result = Client(office, office.owner_key).call("plans.requestApproval", asked)

    assert result["resultType"] == "complete"


def test_a_run_waits_until_it_goes_on(office: Office) -> None:
    worker = engaged(office)
    client = Client(office, worker.key)
    waiting = {"runId": worker.run_id, "reason": "Which schema?"}

    task_id = begun(client, "runs.setWaiting", waiting)
    office.world.clock.advance(minutes=1)
    assert begun(client, "runs.setWaiting", waiting) == task_id
    assert client.get(task_id)["status"] == "working"
    worker.call("runs.resumeWork", {})

    told = end(client, task_id)
    assert (told["id"], told["status"]) == (worker.run_id, "ACTIVE")


def test_the_people_of_a_client_can_answer_what_a_run_waits_for(office: Office) -> None:
    worker = engaged(office)
    client = Client(office, worker.key, capabilities=ASKS)
    task_id = begun(client, "runs.setWaiting", {"runId": worker.run_id, "reason": "Which schema?"})

    asked = client.get(task_id)
    assert asked["status"] == "input_required"
    assert asked["inputRequests"]["answer"]["params"]["message"] == "Which schema?"
    client.update(task_id, {"other": {"action": "accept"}})
    assert client.get(task_id)["status"] == "input_required"
    client.update(task_id, {"answer": {"action": "accept", "content": {"answer": "The second"}}})

    told = end(client, task_id)
    assert (told["status"], told["currentStep"]) == ("ACTIVE", "The second")


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_who_says_no_is_not_asked_again_and_the_run_waits_on(office: Office, action: str) -> None:
    worker = engaged(office)
    client = Client(office, worker.key, capabilities=ASKS)
    task_id = begun(client, "runs.setWaiting", {"runId": worker.run_id, "reason": "Which schema?"})

    client.update(task_id, {"answer": {"action": action}})

    assert client.get(task_id)["status"] == "working"
    assert worker.run.status == "WAITING"


def test_whoever_cancels_a_waiting_goes_on(office: Office) -> None:
    worker = engaged(office)
    client = Client(office, worker.key)
    task_id = begun(client, "runs.setWaiting", {"runId": worker.run_id, "reason": "Which schema?"})

    client.cancel(task_id)

    assert end(client, task_id)["status"] == "ACTIVE"


def test_a_long_execution_waits_for_its_worker(depot: Depot) -> None:
    office = Office(depot.world)
    client = Client(office, depot.key)
    body = {"intent": "MODIFY", "action": "issues.create", "params": {"title": "From far away"}}

    task = client.call("gateway.execute", body)
    task_id = str(task["taskId"])
    assert client.get(task_id)["status"] == "working"
    assert depot.work() == [True]

    assert end(client, task_id)["result"]["data"]["title"] == "From far away"


def test_a_call_in_the_gateway_does_not_fall_asleep(office: Office, client: Client) -> None:
    body = {"intent": "MODIFY", "action": "issues.claim", "params": {"waitSeconds": 5}}

    result = client.call("gateway.execute", body)

    assert result["structuredContent"]["result"]["data"]["claimed"] is None


def test_a_lost_answer_is_the_same_task(client: Client) -> None:
    asked = {"title": "Which schema?", "wait": True}

    first = client.call("actionRequests.create", asked, idempotency_key="once")
    again = client.call("actionRequests.create", asked, idempotency_key="once")

    assert again["taskId"] == first["taskId"]
