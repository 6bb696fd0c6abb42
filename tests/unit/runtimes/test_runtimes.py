"""Runtimes are registered, heard of, listed and configured; agents run on them."""

import json
from typing import Any

import pytest

from forge.work.workspace.people.runtimes import MAX_CONFIG, RuntimeItem
from tests.workshop.office import Body, Office

SECRET = "never to be seen by anybody"


def a_runtime(office: Office, name: str = "build-box", kind: str = "LOCAL_DAEMON", **more: object) -> Body:
    return office.call("runtimes.register", {"name": name, "kind": kind, **more})


def change(office: Office, runtime_id: str, **fields: object) -> None:
    """As no tool does."""
    table = office.world.services.store.table
    runtime = table.find(RuntimeItem, RuntimeItem.at(office.workspace.id, runtime_id))
    assert runtime
    tx = office.begin()
    tx.replace(runtime.changed(**fields))
    office.commit(tx)


def row_of(office: Office, runtime_id: str) -> Body:
    rows = office.rows("runtimes.list", {"includeArchived": True})
    (found,) = [row for row in rows if row["id"] == runtime_id]
    return found


def agents_on(office: Office, runtime_id: str) -> int:
    return int(row_of(office, runtime_id)["_count"]["agents"])


def test_others_are_not_and_registering_again_makes_another(office: Office) -> None:
    remote = [a_runtime(office, "cloud", "CLOUD", endpoint="https://a.example/x") for _ in range(2)]

    assert {(one["connectedAt"], one["heartbeatAt"]) for one in remote} == {(None, None)}
    assert len({one["id"] for one in remote}) == 2


def test_an_agents_key_owns_no_runtime(office: Office) -> None:
    key = office.an_agents_key()

    runtime = office.call("runtimes.register", {"name": "box", "kind": "CLOUD"}, key=key)

    assert runtime["ownerId"] is None
    assert row_of(office, runtime["id"])["owner"] is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("endpoint", "ftp://a.example"),
    ],
)
def test_a_wrong_field_is_named(tableless_office: Office, field: str, value: object) -> None:
    order = {"name": "box", "kind": "CLOUD", field: value}

    assert tableless_office.refused("runtimes.register", order) == (400, "invalid_input", {field})


def test_a_heartbeat_is_kept_and_what_is_not_there_is_not_found(office: Office, other_office: Office) -> None:
    runtime = a_runtime(office, "Build Box")
    office.world.clock.advance(minutes=5)
    rows = len(office.log())

    beat = office.call("runtimes.heartbeat", {"runtimeId": "build box"})

    now = office.world.clock().isoformat().replace("+00:00", "Z")
    assert beat == {"id": runtime["id"], "heartbeatAt": now}
    shown = row_of(office, runtime["id"])
    assert (shown["heartbeatAt"], shown["connectedAt"]) == (now, runtime["connectedAt"])
    assert len(office.log()) == rows
    foreign = a_runtime(other_office)["id"]
    for unknown in (foreign, "rt_unknown", "no such box"):
        assert office.refused("runtimes.heartbeat", {"runtimeId": unknown}) == (404, "not_found", set())


def test_an_archived_runtime_is_refused_and_listed_only_when_asked_for(office: Office) -> None:
    runtime_id = a_runtime(office)["id"]
    change(office, runtime_id, archived_at=office.world.clock())

    beaten = office.refused("runtimes.heartbeat", {"runtimeId": runtime_id})
    configured = office.refused("runtimes.configure", {"runtimeId": runtime_id, "config": {}})
    assert beaten == configured == (409, "conflict", set())
    order = {"profileKey": "worker", "name": "Worker", "runtimeId": runtime_id}
    assert office.refused("agents.create", order) == (409, "conflict", set())
    assert office.rows("runtimes.list") == []
    assert row_of(office, runtime_id)["archivedAt"] is not None


def test_runtimes_are_listed_by_kind_and_name_in_pages(office: Office) -> None:
    for name, kind in (("b", "LOCAL_DAEMON"), ("z", "CLOUD"), ("A", "LOCAL_DAEMON"), ("r", "REMOTE_HTTP")):
        a_runtime(office, name, kind)

    rows = office.rows("runtimes.list")
    first = office.call("runtimes.list", {"kind": "LOCAL_DAEMON", "limit": 1})
    second = office.call("runtimes.list", {"kind": "LOCAL_DAEMON", "limit": 1, "cursor": first["nextCursor"]})

    assert [row["name"] for row in rows] == ["z", "A", "b", "r"]
    assert [row["name"] for row in (*first["data"], *second["data"])] == ["A", "b"]
    assert "nextCursor" not in second


def test_a_row_shows_all_but_the_secret(office: Office) -> None:
    office.call("members.update", {"userId": "me", "name": "Ada"})
    runtime = a_runtime(office, providersAvailable=["CODEX"])
    office.call("runtimes.configure", {"runtimeId": runtime["id"], "config": {"token": SECRET}})

    row = row_of(office, runtime["id"])

    assert row.items() >= runtime.items()
    assert (row["adapterKey"], row["hasSecret"], row["config"]) == ("codex", True, {})
    assert row["owner"]["name"] == "Ada"


def test_what_is_secret_in_a_config_is_kept_but_never_shown_again(office: Office) -> None:
    runtime_id = a_runtime(office)["id"]
    headers = {"Accept": "text/plain", "Authorization": f"Bearer {SECRET}"}

    def configured(config: Body) -> Body:
        order = {"runtimeId": runtime_id, "config": config}
        return office.call("runtimes.configure", order, idempotency_key="-".join(sorted(config)))

    first = configured({"secret": SECRET, "sandbox": {"headers": headers, "size": 1}, "a": 1})
    merged = configured({"a": 2})
    stored = office.world.services.store.table.find(
        RuntimeItem, RuntimeItem.at(office.workspace.id, runtime_id)
    )
    replayed = configured({"a": 2})
    cleared = configured({"secret": None, "sandbox": {"size": 1}})

    shown = {"sandbox": {"headers": {"Accept": "text/plain"}, "size": 1}}
    assert (first["config"], first["hasSecret"]) == (shown | {"a": 1}, True)
    assert (merged["config"], merged["hasSecret"]) == (shown | {"a": 2}, True)
    assert replayed == merged
    assert stored
    assert json.loads(stored.secret or "") == {"secret": SECRET, "sandbox": {"headers": headers, "size": 1}}
    assert (cleared["config"], cleared["hasSecret"]) == (
        {"secret": None, "sandbox": {"size": 1}, "a": 2},
        False,
    )
    told = json.dumps([first, merged, cleared, row_of(office, runtime_id), office.rows("audit.list")])
    assert SECRET not in told
    assert SECRET not in " ".join(one.model_dump_json() for one in office.log())


def test_a_config_is_merged_or_replaced(office: Office) -> None:
    runtime_id = a_runtime(office)["id"]
    deep: Any = {"a": 1}
    for _ in range(40):
        deep = {"deeper": deep}

    def configured(config: Body, **more: object) -> Body:
        office.world.clock.advance(seconds=1)
        return office.call("runtimes.configure", {"runtimeId": runtime_id, "config": config, **more})

    first = configured({"workspaceRoot": "/srv", "sandbox": deep})
    merged = configured({"workspaceRoot": None, "localWorkspaceTools": True})
    replaced = configured({"modeToolPolicyEnforced": True}, merge=False)
    again = configured({"modeToolPolicyEnforced": True})

    assert first.keys() == {"id", "name", "adapterKey", "hasSecret", "config", "updatedAt"}
    assert not first["hasSecret"]
    assert merged["config"] == {"workspaceRoot": None, "sandbox": deep, "localWorkspaceTools": True}
    assert replaced["config"] == row_of(office, runtime_id)["config"] == {"modeToolPolicyEnforced": True}
    assert again == replaced


def test_a_config_that_is_wrong_or_too_long_is_refused(office: Office) -> None:
    order = {"runtimeId": a_runtime(office)["id"]}

    wrong = office.refused("runtimes.configure", {**order, "config": {"workspaceRoot": 1}})
    long = office.refused("runtimes.configure", {**order, "config": {"x": "y" * MAX_CONFIG}})

    assert wrong == (400, "invalid_input", {"config.workspaceRoot"})
    assert long == (400, "invalid_input", {"config"})


def test_a_heartbeat_that_comes_while_it_is_configured_is_not_undone(office: Office) -> None:
    runtime_id = a_runtime(office)["id"]

    def beat() -> None:
        office.world.clock.advance(minutes=1)
        office.call("runtimes.heartbeat", {"runtimeId": runtime_id})

    office.meanwhile(beat)
    office.call("runtimes.configure", {"runtimeId": runtime_id, "config": {"a": 1}})

    row = row_of(office, runtime_id)
    now = office.world.clock().isoformat().replace("+00:00", "Z")
    assert (row["heartbeatAt"], row["config"]) == (now, {"a": 1})


def test_agents_are_counted_where_they_run(office: Office) -> None:
    here, there = (a_runtime(office, name)["id"] for name in ("here", "there"))
    agent = office.an_agent(runtimeId="Here")
    other = office.an_agent("other", runtimeId=here)
    assert (agents_on(office, here), agents_on(office, there)) == (2, 0)

    office.call("agents.update", {"id": agent["id"], "runtimeId": there})
    assert (agents_on(office, here), agents_on(office, there)) == (1, 1)
    office.call("agents.update", {"id": agent["id"], "clear": ["runtimeId"]})
    office.call("agents.archive", {"id": other["id"]})

    assert (agents_on(office, here), agents_on(office, there)) == (0, 0)


def test_a_name_of_two_runtimes_must_be_made_clear(office: Office) -> None:
    twins = [a_runtime(office, "twin")["id"] for _ in range(2)]

    answer = office.send("agents.list", {"runtimeId": "twin"})

    assert answer.status == 400
    assert all(one in json.loads(answer.body)["issues"]["runtimeId"] for one in twins)
