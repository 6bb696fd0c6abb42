"""An owner founds a workspace that is usable at once, and apart from every other."""

import pytest

from tests.unit.admin.founding import an_order, found
from tests.workshop.office import Office


def test_a_workspace_is_founded_with_its_owners_key(office: Office) -> None:
    order = an_order(office)

    founded = office.call("workspaces.create", order)

    assert set(founded) == {"workspace", "rawKey"}
    workspace, key = founded["workspace"], founded["rawKey"]
    assert {name: workspace[name] for name in order} == order
    assert office.call("workspaces.get", key=key) == workspace
    assert office.call("workspace.get", key=key)["id"] == workspace["id"] != office.workspace.id


def test_settings_begin_with_their_defaults(office: Office) -> None:
    workspace, _ = found(office)

    own = office.call("workspaces.get")
    identity = {"id", "slug", "key", "name", "createdAt"}
    assert set(workspace) == set(own)
    assert {name: workspace[name] for name in set(own) - identity} == {
        name: own[name] for name in set(own) - identity
    }


def test_the_founder_owns_it_as_the_same_person(office: Office) -> None:
    office.call("members.update", {"userId": office.owner_id, "name": "Ada", "timezone": "Asia/Tokyo"})
    (here,) = office.rows("members.list")

    _, key = found(office)

    (there,) = office.rows("members.list", key=key)
    assert {**there, "createdAt": ""} == {**here, "createdAt": ""}
    assert there["role"] == "OWNER"


def test_the_owners_key_is_listed_there_and_counts_like_any_other(office: Office) -> None:
    _, key = found(office)

    (row,) = office.rows("keys.list", key=key)
    assert (row["kind"], row["prefix"], row["expiresAt"]) == ("PERSONAL", key[:17], None)
    office.call("keys.revoke", {"id": row["id"]}, key=key)
    assert office.refused("labels.list", key=key) == (401, "unauthorized", set())


def test_losing_a_role_here_costs_none_there(office: Office) -> None:
    second = office.a_colleague("OWNER")
    _, key = found(office)

    office.call("members.remove", {"userId": office.owner_id}, key=second.key)

    assert office.refused("labels.list") == (403, "forbidden", set())
    assert office.send("members.list", key=key).status == 200


@pytest.mark.parametrize("field", ["slug", "key"])
def test_a_slug_or_key_that_is_taken_is_a_conflict(office: Office, field: str) -> None:
    workspace, _ = found(office)

    refused = office.refused("workspaces.create", an_order(office, **{field: workspace[field]}))

    assert refused == (409, "conflict", {field})


def test_only_an_owner_founds_workspaces(office: Office) -> None:
    admin, member = office.a_colleague("ADMIN"), office.a_colleague("MEMBER")
    order = an_order(office)

    assert office.refused("workspaces.create", order, key=admin.key) == (403, "forbidden", set())
    assert office.refused("workspaces.create", order, key=member.key) == (403, "forbidden", set())
    assert office.call("workspaces.create", order)["workspace"]["slug"] == order["slug"]
