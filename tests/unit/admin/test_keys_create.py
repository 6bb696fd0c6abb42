"""Keys are made for people and agents, with exactly the power that was ordered."""

import re
from typing import Any

import pytest

from forge.work.workspace.labels import LabelItem
from forge.work.workspace.projects.projects import ProjectItem
from tests.unit.office import ALL_SCOPES, Body, Office

AN_ORDER = {"name": "laptop", "scopes": ["READ_ISSUES"]}
A_PROJECT = {"key": "SITE", "name": "Website"}


def works(office: Office, key: str) -> bool:
    return office.send("labels.list", key=key).status == 200


def test_a_key_is_shown_once_with_everything_about_it(office: Office) -> None:
    key = office.call("keys.create", {"name": "laptop", "scopes": ["WRITE_ISSUES", "READ_ISSUES"]})

    raw = key["rawKey"]
    assert re.fullmatch(r"forge_sk_[A-Za-z0-9_-]{43}", raw)
    assert key == {
        "id": key["id"],
        "name": "laptop",
        "prefix": raw[:17],
        "kind": "PERSONAL",
        "scopes": ["READ_ISSUES", "WRITE_ISSUES"],
        "userId": office.owner_id,
        "linkedAgentId": None,
        "projectIds": [],
        "labelIds": [],
        "initiativeIds": [],
        "createdAt": office.world.clock().isoformat().replace("+00:00", "Z"),
        "expiresAt": None,
        "revokedAt": None,
        "lastUsedAt": None,
        "rawKey": raw,
    }
    assert works(office, raw)


def test_a_key_can_do_what_its_scopes_say_and_no_more(office: Office) -> None:
    raw = office.a_key(scopes=["ADMIN"])["rawKey"]

    assert office.call("labels.create", {"name": "bug"}, key=raw)["name"] == "bug"
    # ADMIN implies no other scope.
    assert office.refused("labels.list", key=raw) == (403, "scope_required", set())


def test_a_scope_that_is_named_twice_is_there_once(office: Office) -> None:
    assert office.a_key(scopes=["ADMIN", "ADMIN"])["scopes"] == ["ADMIN"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "n" * 81}, "name"),
        ({"name": None}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["WRITE_USERS"]}, "scopes.0"),
        ({"scopes": ["READ_ISSUES", "root"]}, "scopes.1"),
        ({"kind": "PLUGIN"}, "kind"),
        ({"expiresInDays": 0}, "expiresInDays"),
        ({"expiresInDays": 366}, "expiresInDays"),
        ({"kind": "SESSION", "ttlHours": 0}, "ttlHours"),
        ({"kind": "SESSION", "ttlHours": 169}, "ttlHours"),
        ({"kind": "AGENT", "userId": "usr_000001"}, "userId"),
        ({"labelIds": [f"lbl_{number}" for number in range(51)]}, "labelIds"),
        ({"userId": "u" * 121}, "userId"),
        ({"role": "OWNER"}, "role"),
        ({"workspaceId": "ws_1"}, "workspaceId"),
    ],
)
def test_a_wrong_field_is_named(tableless_office: Office, wrong: dict[str, Any], field: str) -> None:
    refused = tableless_office.refused("keys.create", {**AN_ORDER, **wrong})

    assert refused == (400, "invalid_input", {field})


@pytest.mark.parametrize(
    ("order", "hours"),
    [
        ({"kind": "SESSION"}, 24),
        ({"kind": "SESSION", "ttlHours": 1}, 1),
        ({"kind": "SESSION", "ttlHours": 168}, 168),
        ({"kind": "PERSONAL", "expiresInDays": 1}, 24),
        ({"kind": "AGENT", "expiresInDays": 365}, 365 * 24),
    ],
)
def test_a_key_lives_exactly_as_long_as_ordered(office: Office, order: Body, hours: int) -> None:
    raw, clock = office.a_key(**order)["rawKey"], office.world.clock
    clock.advance(hours=hours, seconds=-1)
    assert works(office, raw)

    clock.advance(seconds=1)

    assert office.refused("labels.list", key=raw) == (401, "unauthorized", set())


@pytest.mark.parametrize("kind", ["PERSONAL", "AGENT"])
def test_without_a_lifetime_a_key_never_expires(office: Office, kind: str) -> None:
    key = office.a_key(kind=kind)
    office.world.clock.advance(days=3650)

    assert key["expiresAt"] is None
    assert works(office, key["rawKey"])


@pytest.mark.parametrize(
    ("order", "field"),
    [
        ({"kind": "SESSION", "expiresInDays": 1}, "expiresInDays"),
        ({"kind": "PERSONAL", "ttlHours": 1}, "ttlHours"),
        ({"kind": "AGENT", "ttlHours": 1}, "ttlHours"),
    ],
)
def test_each_kind_has_its_own_way_to_say_how_long(office: Office, order: Body, field: str) -> None:
    refused = office.refused("keys.create", {**AN_ORDER, **order})

    assert refused == (400, "invalid_input", {field})


def test_an_agents_key_stands_for_its_agent_and_for_no_person(office: Office) -> None:
    agent = office.an_agent()

    key = office.a_key(kind="AGENT", linkedAgentId=agent["id"])

    assert (key["linkedAgentId"], key["userId"]) == (agent["id"], None)
    assert office.call("agents.me", key=key["rawKey"])["id"] == agent["id"]


@pytest.mark.parametrize("kind", ["PERSONAL", "SESSION"])
def test_a_persons_key_is_linked_to_no_agent(office: Office, kind: str) -> None:
    order = {**AN_ORDER, "kind": kind, "linkedAgentId": office.an_agent()["id"]}

    assert office.refused("keys.create", order) == (400, "invalid_input", {"linkedAgentId"})


def test_the_agent_must_be_one_of_the_workspace(office: Office, other_office: Office) -> None:
    for agent_id in ("agt_unknown", other_office.an_agent()["id"]):
        refused = office.refused("keys.create", {**AN_ORDER, "kind": "AGENT", "linkedAgentId": agent_id})

        assert refused == (400, "invalid_input", {"linkedAgentId"})


def test_an_archived_agent_gets_no_new_key(office: Office) -> None:
    agent = office.an_agent()
    office.call("agents.archive", {"id": agent["id"]})

    refused = office.refused("keys.create", {**AN_ORDER, "kind": "AGENT", "linkedAgentId": agent["id"]})

    assert refused == (409, "conflict", set())


def test_the_user_must_be_a_member_of_the_workspace(office: Office, other_office: Office) -> None:
    for user_id in ("usr_unknown", other_office.owner_id):
        refused = office.refused("keys.create", {**AN_ORDER, "userId": user_id})

        assert refused == (400, "invalid_input", {"userId"})


def test_a_key_can_be_made_for_somebody_else(office: Office) -> None:
    colleague = office.a_colleague("GUEST")

    key = office.a_key(userId=colleague.id)

    assert key["userId"] == colleague.id
    assert works(office, key["rawKey"])
    # Whatever scopes it lists, its owner is no admin.
    assert office.refused("members.list", key=key["rawKey"]) == (403, "forbidden", set())


def test_an_admin_makes_keys_for_everybody_but_owners(office: Office) -> None:
    admin, member = office.a_colleague("ADMIN"), office.a_colleague("MEMBER")

    assert office.a_key(by=admin.key)["userId"] == admin.id
    assert office.a_key(by=admin.key, userId=member.id)["userId"] == member.id
    refused = office.refused("keys.create", {**AN_ORDER, "userId": office.owner_id}, key=admin.key)
    assert refused == (403, "forbidden", set())


def test_a_key_can_be_narrowed(office: Office) -> None:
    label = office.a_label()
    office.an_agent()

    key = office.a_key(labelIds=[label["id"]])

    assert key["labelIds"] == [label["id"]]
    assert office.rows("events.recent", key=key["rawKey"]) == []


def test_what_a_key_is_narrowed_to_is_shown_in_order_and_once(office: Office) -> None:
    first, second = (
        office.call("projects.create", {"key": key, "name": key})["id"] for key in ("ONE", "TWO")
    )
    initiative_id = office.an_initiative("Growth")["id"]

    key = office.a_key(projectIds=[second, first, second], initiativeIds=["growth", initiative_id])

    row = office.rows("keys.list")[0]
    for shown in (key, row):
        assert (shown["projectIds"], shown["initiativeIds"]) == ([first, second], [initiative_id])


def test_an_unknown_label_narrows_nothing(office: Office, other_office: Office) -> None:
    known = office.a_label()["id"]
    for unknown in ("lbl_unknown", other_office.a_label()["id"]):
        refused = office.refused("keys.create", {**AN_ORDER, "labelIds": [known, unknown]})

        assert refused == (400, "invalid_input", {"labelIds"})


def test_an_unknown_project_narrows_nothing(office: Office, other_office: Office) -> None:
    known, foreign = (one.call("projects.create", A_PROJECT)["id"] for one in (office, other_office))
    label = office.a_label()["id"]
    for unknown in ("prj_unknown", foreign, label):
        refused = office.refused("keys.create", {**AN_ORDER, "projectIds": [known, unknown]})

        assert refused == (400, "invalid_input", {"projectIds"})
    refused = office.refused("keys.create", {**AN_ORDER, "projectIds": [known], "labelIds": [known]})
    assert refused == (400, "invalid_input", {"labelIds"})


def test_an_unknown_initiative_narrows_nothing(office: Office, other_office: Office) -> None:
    known, foreign = (one.an_initiative()["id"] for one in (office, other_office))

    for unknown in ("Nothing", "ini_999999", foreign):
        refused = office.refused("keys.create", {**AN_ORDER, "initiativeIds": [known, unknown]})

        assert refused == (400, "invalid_input", {"initiativeIds"})


def test_a_key_narrowed_to_a_project_sees_no_other(office: Office) -> None:
    project = office.call("projects.create", A_PROJECT)
    office.call("projects.create", {"key": "OTHER", "name": "Another"})

    key = office.a_key(projectIds=[project["id"]])["rawKey"]

    assert office.rows("projects.list", key=key) == [project]


def test_an_archived_project_can_be_narrowed_to(office: Office) -> None:
    project = office.call("projects.create", A_PROJECT)
    office.call("projects.archive", {"id": project["id"]})

    assert office.a_key(projectIds=[project["id"]])["projectIds"] == [project["id"]]


def test_a_key_is_narrowed_to_at_most_fifty_ids_in_all(office: Office) -> None:
    workspace_id, now = office.workspace.id, office.world.clock()
    projects = [
        ProjectItem(
            workspace_id=workspace_id,
            id=f"prj_{number}",
            project_key=f"P{number}",
            name="A project",
            created_at=now,
            updated_at=now,
        )
        for number in range(26)
    ]
    labels = [
        LabelItem(workspace_id=workspace_id, id=f"lbl_{number}", name=f"label {number}", color="#64748b")
        for number in range(25)
    ]
    office.put(*projects, *labels)
    ids = {"projectIds": [one.id for one in projects], "labelIds": [one.id for one in labels]}

    assert office.refused("keys.create", {**AN_ORDER, **ids}) == (400, "invalid_input", {"projectIds"})
    ids["projectIds"].pop()
    assert len(office.call("keys.create", {**AN_ORDER, **ids})["projectIds"]) == 25


def test_neither_the_key_nor_its_hash_is_logged(office: Office) -> None:
    raw = office.a_key()["rawKey"]

    row = office.log()[-1]
    assert (row.kind, row.action, row.subject_type) == (None, "create", "key")
    assert row.after is not None
    assert not {"key_hash", "live_keys"} & set(row.after)
    assert raw not in row.model_dump_json()


def test_a_repeated_call_makes_one_key_and_does_not_show_it_again(office: Office) -> None:
    first = office.call("keys.create", AN_ORDER, idempotency_key="once")

    again = office.call("keys.create", AN_ORDER, idempotency_key="once")

    assert {**again, "rawKey": ""} == {**first, "rawKey": ""}
    assert first["rawKey"] not in str(again)
    assert [row["name"] for row in office.rows("keys.list")] == ["laptop", "Owner"]


def test_who_lists_every_scope_has_them_all(office: Office) -> None:
    assert office.a_key(scopes=ALL_SCOPES)["scopes"] == ALL_SCOPES
