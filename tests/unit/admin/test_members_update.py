"""A member's name, handle and time zone can change and be cleared; the role can't, not here."""

from typing import Any

import pytest

from tests.workshop.office import Body, Office

CHANGES: list[dict[str, Any]] = [
    {"name": "Ada Lovelace"},
    {"handle": "lovelace"},
    {"handle": "LOVELACE"},
    {"timezone": "Asia/Tokyo"},
    {"clear": ["name"]},
    {"clear": ["handle"]},
    {"clear": ["timezone"]},
    {"name": "Ada", "handle": "ada"},
    {"clear": ["name"], "handle": "lovelace"},
]
NO_CHANGES: list[dict[str, Any]] = [
    {},
    {"name": "Ada", "handle": "ada"},
    {"name": "null", "handle": "null", "timezone": "null"},
    {"name": None, "handle": None, "timezone": None, "clear": None},
]


def ada(office: Office) -> Body:
    address = f"ada@{office.workspace.slug}.example"
    return office.call(
        "members.add", {"email": address, "name": "Ada", "handle": "ada", "timezone": "Europe/Lisbon"}
    )


def test_what_is_given_changes_and_the_rest_stays(office: Office) -> None:
    member = ada(office)

    for change in CHANGES:
        changed = office.call("members.update", {"userId": member["id"], **change})

        values = {name: value for name, value in change.items() if name != "clear"}
        assert changed == {**member, **values, **dict.fromkeys(change.get("clear", ()))}
        assert office.rows("members.list")[-1] == changed
        member = changed


def test_what_changes_nothing_writes_nothing(office: Office) -> None:
    member = ada(office)
    logged = office.log()

    for change in NO_CHANGES:
        assert office.call("members.update", {"userId": member["id"], **change}) == member
    assert office.log() == logged


def test_a_handle_that_is_taken_is_a_conflict(office: Office) -> None:
    member = ada(office)

    refused = office.refused("members.update", {"userId": member["id"], "handle": "OWNER", "name": "New"})

    assert refused == (409, "conflict", {"handle"})
    assert office.rows("members.list")[-1] == member


@pytest.mark.parametrize("change", [{"handle": "lovelace"}, {"clear": ["handle"]}])
def test_a_change_frees_the_old_handle(office: Office, change: dict[str, Any]) -> None:
    office.call("members.update", {"userId": ada(office)["id"], **change})

    assert office.a_colleague(handle="Ada")


def test_a_new_name_shows_in_what_one_did_before(office: Office) -> None:
    office.an_agent()
    office.call("members.update", {"userId": office.owner_id, "name": "The Boss"})

    assert office.rows("events.recent")[0]["actor"]["name"] == "The Boss"


def test_a_change_leaves_the_members_keys_alone(office: Office) -> None:
    admin = office.a_colleague("ADMIN")

    office.call("members.update", {"userId": admin.id, "name": "Ada"})
    office.call("members.setRole", {"userId": admin.id, "role": "MEMBER"})

    # The membership still knows which keys to tell.
    assert office.refused("members.list", key=admin.key) == (403, "forbidden", set())
