"""issues.claim {waitSeconds} of a client that takes tasks: it sleeps until there is something for it."""

import pytest

from tests.workshop.issues import a_queued_issue, an_issue
from tests.workshop.office import Office
from tests.workshop.relations import relate
from tests.workshop.tasks import DAY, Client, asleep, claimed, relay


@pytest.fixture
def client(office: Office) -> Client:
    return Client(office, office.an_agents_key())


def test_what_is_free_is_claimed_at_once(office: Office, client: Client) -> None:
    free = a_queued_issue(office)

    result = client.call("issues.claim", {"waitSeconds": DAY})

    assert result["resultType"] == "complete"
    assert result["structuredContent"]["claimed"]["id"] == free


def test_with_nothing_free_it_becomes_a_task(client: Client) -> None:
    task = client.call("issues.claim", {"waitSeconds": DAY})

    assert {name for name in task if name != "_meta"} == {
        *("resultType", "taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs")
    }
    assert (task["status"], task["ttlMs"], task["pollIntervalMs"]) == ("working", (DAY + 3600) * 1000, 1000)


def test_it_can_be_asked_for_in_the_same_moment(client: Client) -> None:
    task = client.get(asleep(client))

    assert (task["resultType"], task["status"]) == ("complete", "working")


def test_who_puts_an_issue_into_the_queue_wakes_it(office: Office, client: Client) -> None:
    task_id, issue = asleep(client), an_issue(office)
    office.world.clock.advance(minutes=5)

    office.call("issues.queue", {"id": issue})

    assert client.get(task_id)["status"] == "working"
    assert relay(office) == 1
    task = client.get(task_id)
    assert (task["status"], claimed(task)) == ("completed", issue)
    assert task["result"]["structuredContent"]["runId"]


def test_it_is_over_once_and_says_the_same_ever_after(office: Office, client: Client) -> None:
    task_id = asleep(client)
    office.world.clock.advance(minutes=5)
    issue, other = a_queued_issue(office), a_queued_issue(office)
    relay(office)

    first, second = client.get(task_id), client.get(task_id)

    assert claimed(first) == claimed(second) in {issue, other}
    assert office.rows("issues.list", {"queued": True, "fields": ["id"]})


def test_of_many_that_sleep_one_gets_it_and_the_others_sleep_on(office: Office) -> None:
    clients = [Client(office, office.an_agents_key(office.an_agent(f"w{n}")["id"])) for n in range(4)]
    tasks = {asleep(one): one for one in clients}
    office.world.clock.advance(minutes=5)
    a_queued_issue(office)

    assert relay(office) == 4
    statuses = [one.get(task_id)["status"] for task_id, one in tasks.items()]

    assert sorted(statuses) == ["completed", "working", "working", "working"]


def test_who_was_called_in_vain_is_called_again(office: Office, client: Client) -> None:
    task_id, other = asleep(client), Client(office, office.an_agents_key(office.an_agent("fast")["id"]))
    office.world.clock.advance(minutes=5)
    a_queued_issue(office)
    relay(office)
    other.call("issues.claim")
    assert client.get(task_id)["status"] == "working"

    second = a_queued_issue(office)
    relay(office)

    assert claimed(client.get(task_id)) == second


def test_an_issue_that_came_before_anybody_was_known_to_sleep_is_found(
    office: Office, client: Client
) -> None:
    """Whoever queued it read the workspace before the sleeper wrote there, and committed after it."""
    issue = an_issue(office)
    tasks: list[str] = []
    office.meanwhile(lambda: tasks.append(asleep(client)))
    office.call("issues.queue", {"id": issue})
    assert relay(office) == 0

    office.world.clock.advance(seconds=31)

    assert claimed(client.get(tasks[0])) == issue


def test_a_claim_that_lapses_is_taken(office: Office, client: Client) -> None:
    issue = a_queued_issue(office)
    office.call("issues.claim", {"issueId": issue, "claimTtlMinutes": 10})
    task_id = asleep(client)

    office.world.clock.advance(minutes=11)

    assert claimed(client.get(task_id)) == issue


def test_what_is_given_back_wakes_it(office: Office, client: Client) -> None:
    issue = a_queued_issue(office)
    office.call("issues.claim", {"issueId": issue})
    task_id = asleep(client)
    office.world.clock.advance(minutes=5)

    office.call("issues.release", {"id": issue})

    assert relay(office) == 1
    assert claimed(client.get(task_id)) == issue


def test_a_blocker_that_closes_wakes_it(office: Office, client: Client) -> None:
    blocker, issue = an_issue(office), a_queued_issue(office)
    relate(office, blocker, "BLOCKS", issue)
    task_id = asleep(client)
    office.world.clock.advance(minutes=5)

    office.call("issues.transition", {"id": blocker, "statusId": "Done"})

    assert relay(office) == 1
    assert claimed(client.get(task_id)) == issue


def test_another_agents_issue_wakes_nobody_else(office: Office, client: Client) -> None:
    other = office.an_agent("other")["id"]
    asleep(client)
    office.world.clock.advance(minutes=5)

    a_queued_issue(office, assignedAgentId=other)

    assert relay(office) == 0


def test_nobody_is_told_where_nobody_sleeps(office: Office) -> None:
    a_queued_issue(office)

    assert relay(office) == 0


def test_whoever_was_withdrawn_takes_nothing(office: Office, client: Client) -> None:
    task_id, other = asleep(client), Client(office, office.an_agents_key(office.an_agent("other")["id"]))
    office.world.clock.advance(minutes=5)
    issue = a_queued_issue(office)
    relay(office)

    assert client.cancel(task_id).keys() == client.cancel(task_id).keys() == {"resultType", "_meta"}

    assert client.get(task_id)["status"] == "cancelled"
    assert other.call("issues.claim")["structuredContent"]["claimed"]["id"] == issue


def test_a_revoked_key_takes_nothing(office: Office) -> None:
    key = office.an_agents_key()
    client = Client(office, key)
    task_id = asleep(client)
    office.world.clock.advance(minutes=5)
    a_queued_issue(office)
    relay(office)

    office.world.revoke(key)

    assert client.send("tasks/get", {"taskId": task_id}).status == 401
    assert office.call("issues.claim")["claimed"]


def test_it_ends_when_its_time_is_over_and_says_why(office: Office, client: Client) -> None:
    task = client.call("issues.claim", {"waitSeconds": 600})
    office.world.clock.advance(minutes=11)
    a_queued_issue(office)

    ended = client.get(task["taskId"])

    assert (ended["status"], claimed(ended)) == ("completed", None)
    office.world.clock.advance(hours=1)
    assert client.refused("tasks/get", task["taskId"]) == -32602


def test_a_session_that_asks_again_sleeps_on_in_the_same_task(office: Office) -> None:
    client = Client(office, office.an_agents_key(), session="window-1")

    first = client.call("issues.claim", {"waitSeconds": DAY})
    office.world.clock.advance(minutes=1)
    again = client.call("issues.claim", {"waitSeconds": DAY})

    assert (again["taskId"], again["createdAt"]) == (first["taskId"], first["createdAt"])


def test_a_session_that_has_got_something_sleeps_anew(office: Office) -> None:
    client = Client(office, office.an_agents_key(), session="window-1")
    first = asleep(client)
    office.world.clock.advance(minutes=5)
    a_queued_issue(office)
    relay(office)
    run = client.get(first)["result"]["structuredContent"]["runId"]

    second = asleep(client, holding=[run])
    third = asleep(client, holding=[run])

    assert first != second == third


def test_a_lost_answer_is_had_again_with_its_idempotency_key(client: Client) -> None:
    how = {"idempotency_key": "once"}

    first = client.call("issues.claim", {"waitSeconds": DAY}, **how)
    again = client.call("issues.claim", {"waitSeconds": DAY}, **how)

    assert again["taskId"] == first["taskId"]


def test_two_windows_of_one_key_sleep_apart(client: Client) -> None:
    assert asleep(client) != asleep(client)


def test_the_claim_is_of_the_session_that_fell_asleep(office: Office) -> None:
    key = office.an_agents_key()
    task_id = asleep(Client(office, key, session="window-1"))
    office.world.clock.advance(minutes=5)
    issue = a_queued_issue(office)
    relay(office)

    Client(office, key, session="window-2").get(task_id)

    again = office.call("issues.claim", {}, key=key, session="window-1")
    assert (again["claimed"]["id"], again["resumed"]) == (issue, True)


def test_it_comes_with_all_that_was_asked_for(office: Office, client: Client) -> None:
    task_id = asleep(client, include="bundle")
    office.world.clock.advance(minutes=5)
    issue = a_queued_issue(office)
    relay(office)

    first, again = client.get(task_id), client.get(task_id)

    for task in (first, again):
        assert task["result"]["structuredContent"]["bundle"]["issue"]["id"] == issue
