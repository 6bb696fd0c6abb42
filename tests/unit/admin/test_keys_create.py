"""Keys are made for people and agents, with exactly the power that was ordered."""

import re

import pytest

from tests.workshop.office import Body, Office

AN_ORDER = {"name": "laptop", "scopes": ["READ_ISSUES"]}
A_PROJECT = {"key": "SITE", "name": "Website"}


def works(office: Office, key: str) -> bool:
    return office.send("labels.list", key=key).status == 200


def test_a_key_is_shown_once_with_everything_about_it(office: Office) -> None:
    key = office.call("keys.create", {"name": "laptop", "scopes": ["WRITE_ISSUES", "READ_ISSUES"]})

    raw = key["rawKey"]
    assert re.fullmatch(r"forge_sk_[A-Za-z0-9_-]{43}", raw)
    assert (key["prefix"], key["userId"]) == (raw[:17], office.owner_id)
    assert key["scopes"] == ["READ_ISSUES", "WRITE_ISSUES"]
    assert works(office, raw)


def test_a_scope_that_is_named_twice_is_there_once(office: Office) -> None:
    assert office.a_key(scopes=["ADMIN", "ADMIN"])["scopes"] == ["ADMIN"]


@pytest.mark.parametrize(
    ("order", "field"),
    [
        ({"kind": "SESSION", "expiresInDays": 1}, "expiresInDays"),
        ({"kind": "PERSONAL", "ttlHours": 1}, "ttlHours"),
        ({"kind": "AGENT", "ttlHours": 1}, "ttlHours"),
        ({"kind": "AGENT", "userId": "usr_000001"}, "userId"),
    ],
)
def test_each_kind_says_in_its_own_way_how_long_and_whose(office: Office, order: Body, field: str) -> None:
    refused = office.refused("keys.create", {**AN_ORDER, **order})

    assert refused == (400, "invalid_input", {field})


def test_an_agents_key_stands_for_its_agent_and_for_no_person(office: Office) -> None:
    agent = office.an_agent()

    key = office.a_key(kind="AGENT", linkedAgentId=agent["id"])

    assert (key["linkedAgentId"], key["userId"]) == (agent["id"], None)
    assert office.call("agents.me", key=key["rawKey"])["id"] == agent["id"]


def test_a_key_can_be_made_for_somebody_else(office: Office) -> None:
    colleague = office.a_colleague("GUEST")

    key = office.a_key(userId=colleague.id)

    assert key["userId"] == colleague.id
    assert works(office, key["rawKey"])
    # Whatever scopes it lists, its owner is no admin.
    assert office.refused("members.list", key=key["rawKey"]) == (403, "forbidden", set())


def test_what_a_key_is_narrowed_to_is_shown_in_order_and_once(office: Office) -> None:
    first, second = (
        office.call("projects.create", {"key": key, "name": key})["id"] for key in ("ONE", "TWO")
    )
    initiative_id = office.an_initiative("Growth")["id"]

    key = office.a_key(projectIds=[second, first, second], initiativeIds=["growth", initiative_id])

    row = office.rows("keys.list")[0]
    for shown in (key, row):
        assert (shown["projectIds"], shown["initiativeIds"]) == ([first, second], [initiative_id])


def test_an_archived_project_can_be_narrowed_to(office: Office) -> None:
    project = office.call("projects.create", A_PROJECT)
    office.call("projects.archive", {"id": project["id"]})

    assert office.a_key(projectIds=[project["id"]])["projectIds"] == [project["id"]]
