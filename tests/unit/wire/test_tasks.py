"""Messages about tasks: who may send them, what they have to say, and what they cost."""

import json

import pytest

from forge.wire.polling import UNCOUNTED
from forge.wire.protocol import TASKS, TASKS_GET
from tests.unit.wire.answers import result_of, rpc_error
from tests.workshop import issues
from tests.workshop.office import Office
from tests.workshop.tasks import Client

METHODS = (TASKS_GET, "tasks/update", "tasks/cancel")
UNKNOWN = ("slp_999999.1.ws_000001", "ar_1.4.ws_2", "run_1", "", "slp_1#.1.ws_1", "nothing.1.ws_1")


@pytest.fixture
def key(office: Office) -> str:
    return office.an_agents_key()


@pytest.fixture
def client(office: Office, key: str) -> Client:
    return Client(office, key)


@pytest.fixture
def task_id(client: Client) -> str:
    return str(client.call("issues.claim", {"waitSeconds": 3600})["taskId"])


@pytest.mark.parametrize("method", METHODS)
def test_who_does_not_declare_the_extension_is_told_to(
    office: Office, key: str, task_id: str, method: str
) -> None:
    answer = Client(office, key, capabilities={}).send(method, {"taskId": task_id, "inputResponses": {}})

    error = rpc_error(answer)
    assert (answer.status, error["code"]) == (400, -32021)
    assert error["data"]["requiredCapabilities"] == {"extensions": {TASKS: {}}}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [None, "slp_other.1.ws_1"])
def test_the_name_of_a_task_stands_in_the_header(
    client: Client, task_id: str, method: str, name: str | None
) -> None:
    headers = {"mcp-name": name or ""}

    assert rpc_error(client.send(method, {"taskId": task_id}, headers=headers))["code"] == -32020


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("unknown", UNKNOWN)
def test_what_there_is_not_is_unknown(client: Client, method: str, unknown: str) -> None:
    assert client.refused(method, unknown) == -32602


@pytest.mark.parametrize("method", METHODS)
def test_somebody_elses_is_as_unknown(
    office: Office, other_office: Office, task_id: str, method: str
) -> None:
    colleague = Client(office, office.an_agents_key(office.an_agent("other")["id"]))
    stranger = Client(other_office, other_office.owner_key)

    for client in (colleague, Client(office, office.owner_key), stranger):
        assert client.refused(method, task_id) == -32602


def test_another_key_of_the_same_agent_finds_it(office: Office) -> None:
    agent = office.an_agent()["id"]
    first, second = (Client(office, office.an_agents_key(agent)) for _ in range(2))

    task = first.call("issues.claim", {"waitSeconds": 3600})

    assert second.get(task["taskId"])["status"] == "working"


def test_the_key_of_a_run_finds_what_its_run_waits_for_and_nothing_else(office: Office, key: str) -> None:
    agent, issue_ids = Client(office, key), [issues.an_issue(office) for _ in range(2)]
    run_ids = [office.call("issues.claim", {"issueId": one}, key=key)["runId"] for one in issue_ids]
    runs_key = office.call("agents.sessionKey", {"runId": run_ids[0]}, key=key)["rawKey"]
    asked = [{"title": "Which?", "issueId": one, "wait": True} for one in issue_ids]
    waiting = [{"runId": one, "reason": "Which?", "wait": True} for one in run_ids]
    own, others = (
        [
            agent.call("actionRequests.create", asked[place])["taskId"],
            agent.call("runs.setWaiting", waiting[place])["taskId"],
        ]
        for place in range(2)
    )

    of_run = Client(office, runs_key)

    assert [of_run.get(one)["status"] for one in own] == ["working", "working"]
    assert [of_run.refused(TASKS_GET, one) for one in others] == [-32602, -32602]


@pytest.mark.parametrize("method", [*METHODS, "tasks/result", "tasks/list"])
def test_the_legacy_era_has_none(office: Office, key: str, task_id: str, method: str) -> None:
    params = {"taskId": task_id}

    for headers in ({}, {"mcp-protocol-version": "2025-11-25", "mcp-method": method, "mcp-name": task_id}):
        answer = office.world.legacy(method, params, key=key, headers=headers)
        assert rpc_error(answer)["code"] == -32601


@pytest.mark.parametrize("method", ["tasks/result", "tasks/list"])
def test_what_the_extension_has_left_out_is_no_method(client: Client, task_id: str, method: str) -> None:
    answer = client.send(method, {"taskId": task_id})

    assert (answer.status, rpc_error(answer)["code"]) == (404, -32601)


def test_a_client_of_the_legacy_era_is_answered_at_once(office: Office, key: str) -> None:
    arguments = {"waitSeconds": 0}
    meta: dict[str, object] = {"io.modelcontextprotocol/clientCapabilities": {"extensions": {TASKS: {}}}}

    params = {"name": "issues_claim", "arguments": arguments, "_meta": meta}
    result = result_of(office.world.legacy("tools/call", params, key=key))

    assert result["structuredContent"] == {"claimed": None, "reason": "nothing-queued"}


def test_a_call_through_the_catalog_becomes_a_task_too(client: Client) -> None:
    called = {"name": "issues.claim", "arguments": {"waitSeconds": 3600}}

    assert client.call("catalog.call", called)["resultType"] == "task"


def test_whatever_only_looks_like_a_wait_is_an_answer(office: Office, client: Client) -> None:
    result = client.call("notes.create", {"title": "n", "body": '{"waits":{"id":"slp_1"}}'})

    assert result["resultType"] == "complete"


def test_asking_is_neither_counted_nor_stamped(office: Office, client: Client, task_id: str) -> None:
    used = office.counted()

    client.get(task_id)

    assert [one.operation for one in used.sent] == ["BatchGetItem"]
    assert used.sent[0].parameters["RequestItems"].popitem()[1]["ConsistentRead"] is False


def test_who_asks_all_the_time_is_counted_like_anybody(office: Office, client: Client, task_id: str) -> None:
    for _ in range(UNCOUNTED):
        client.get(task_id)
    used = office.counted()

    client.get(task_id)

    assert "UpdateItem" in {one.operation for one in used.sent}


def test_no_other_spelling_of_a_key_looks_for_nothing(
    office: Office, client: Client, key: str, task_id: str
) -> None:
    for _ in range(UNCOUNTED):
        client.get(task_id)
    used = office.counted()

    for spelling in (f"bearer {key}", f"Bearer   {key} ", f"BEARER {key}"):
        client.send(TASKS_GET, {"taskId": task_id}, headers={"authorization": spelling})

    assert [one.operation for one in used.sent].count("UpdateItem") == 3


def test_a_key_whose_window_is_used_up_has_to_wait(office: Office) -> None:
    client = Client(office, office.an_agents_key())
    task_id = client.call("issues.claim", {"waitSeconds": 3600})["taskId"]
    office.world.clock.advance(minutes=1)
    while client.send("ping", {}).status != 429:
        pass

    assert client.send(TASKS_GET, {"taskId": task_id}).status == 429


def test_no_header_makes_another_call_uncounted(office: Office, key: str, task_id: str) -> None:
    used = office.counted()
    headers = {"mcp-method": TASKS_GET, "mcp-name": task_id, "mcp-protocol-version": "2025-11-25"}

    office.world.legacy("tools/call", {"name": "agents_me"}, key=key, headers=headers)

    assert [one.operation for one in used.sent if one.is_authentication] == ["UpdateItem"]


@pytest.mark.parametrize(
    ("seconds", "interval"),
    [(0, 1), (0.9, 1), (1, 2), (3, 4), (7, 8), (15, 16), (30, 16), (31, 30), (3000, 30)],
)
def test_who_waits_long_looks_seldom(
    office: Office, client: Client, task_id: str, seconds: float, interval: int
) -> None:
    office.world.clock.advance(seconds=seconds)

    assert client.get(task_id)["pollIntervalMs"] == interval * 1000


def test_a_revoked_key_is_refused_as_ever(office: Office, key: str, client: Client, task_id: str) -> None:
    office.world.revoke(key)

    answer = client.send(TASKS_GET, {"taskId": task_id})

    assert answer.status == 401
    assert "revoked" in json.loads(answer.body)["error"]["message"]


def test_an_expired_key_is_refused(office: Office) -> None:
    order = {"kind": "AGENT", "linkedAgentId": office.an_agent()["id"], "expiresInDays": 1}
    client = Client(office, str(office.a_key(**order)["rawKey"]))
    task_id = client.call("issues.claim", {"waitSeconds": 86_400})["taskId"]

    office.world.clock.advance(days=1)

    assert client.send(TASKS_GET, {"taskId": task_id}).status == 401
