"""Many that sleep until there is an issue to claim, and what happens to them all at once."""

from collections.abc import Iterable
from functools import partial

from tests.integration.races.crowds import at_once
from tests.workshop.issues import a_queued_issue, an_issue, head
from tests.workshop.office import Body, Office
from tests.workshop.tasks import Client, relay


def sleeping(office: Office, number: int) -> list[tuple[Client, str]]:
    keys = [office.an_agents_key(office.an_agent(f"agent{place}")["id"]) for place in range(number)]
    clients = [Client(office, key) for key in keys]
    return [(one, str(one.call("issues.claim", {"waitSeconds": 3600})["taskId"])) for one in clients]


def taken(tasks: Iterable[Body]) -> list[str]:
    return sorted(
        task["result"]["structuredContent"]["claimed"]["id"]
        for task in tasks
        if task["status"] == "completed"
    )


def test_of_ten_that_sleep_each_issue_wakes_one(office: Office) -> None:
    asleep = sleeping(office, 10)
    office.world.clock.advance(minutes=5)
    issues = sorted(a_queued_issue(office) for _ in range(3))
    relay(office)

    tasks = at_once(10, lambda place: asleep[place][0].get(asleep[place][1]))

    assert taken(tasks) == issues
    assert sorted(task["status"] for task in tasks) == ["completed"] * 3 + ["working"] * 7
    again = [client.get(task_id) for client, task_id in asleep]
    assert taken(again) == issues


def test_a_task_that_many_ask_for_at_once_claims_once(office: Office) -> None:
    ((client, task_id),) = sleeping(office, 1)
    office.world.clock.advance(minutes=5)
    issues = {a_queued_issue(office) for _ in range(4)}
    relay(office)

    tasks = at_once(6, lambda _: client.get(task_id))

    assert len(set(taken(tasks))) == 1
    assert sum(head(office, issue).claimed_by_agent_id is not None for issue in issues) == 1


def test_a_task_that_is_withdrawn_at_the_same_time_takes_an_issue_or_leaves_it(office: Office) -> None:
    for _ in range(5):
        ((client, task_id),) = _one_asleep(office)
        office.world.clock.advance(minutes=5)
        issue = a_queued_issue(office)
        relay(office)

        at_once(2, partial(_ask_or_cancel, client, task_id))

        status = client.get(task_id)["status"]
        held = head(office, issue).claimed_by_agent_id is not None
        assert (status, held) in {("completed", True), ("cancelled", False)}
        office.call("issues.setQueued", {"id": issue, "queued": False})


def test_an_issue_that_comes_while_it_falls_asleep_is_not_missed(office: Office) -> None:
    key = office.an_agents_key()
    client, issues = Client(office, key), [an_issue(office) for _ in range(5)]
    for issue in issues:
        told, _ = at_once(2, partial(_sleep_or_queue, office, client, issue))
        relay(office)
        if told["resultType"] == "task":
            office.world.clock.advance(seconds=31)
            told = client.get(told["taskId"])

        found = told.get("result", told)["structuredContent"]["claimed"]
        assert found["id"] == issue


def _one_asleep(office: Office) -> list[tuple[Client, str]]:
    client = Client(office, office.an_agents_key(office.an_agent(office.world.ids("agent"))["id"]))
    return [(client, str(client.call("issues.claim", {"waitSeconds": 3600})["taskId"]))]


def _ask_or_cancel(client: Client, task_id: str, place: int) -> Body:
    return client.get(task_id) if place else client.cancel(task_id)


def _sleep_or_queue(office: Office, client: Client, issue: str, place: int) -> Body:
    if place:
        return office.call("issues.queue", {"id": issue})
    return client.call("issues.claim", {"waitSeconds": 3600})
