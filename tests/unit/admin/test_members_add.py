"""People are known by their e-mail address, and belong to a workspace once."""

from typing import Any

import pytest

from tests.workshop.office import Office


def an_address(office: Office) -> str:
    """One that nobody in the deployment has."""
    return f"ada@{office.workspace.slug}.example"


@pytest.mark.parametrize("rest", [{}, {"name": None, "handle": None, "role": None, "timezone": None}])
def test_an_address_is_enough(office: Office, rest: dict[str, Any]) -> None:
    member = office.call("members.add", {"email": an_address(office), **rest})

    assert (member["role"], member["name"], member["handle"], member["timezone"]) == (
        "MEMBER",
        None,
        None,
        None,
    )


def test_who_is_a_member_already_is_a_conflict_however_the_address_is_written(office: Office) -> None:
    office.call("members.add", {"email": an_address(office)})

    for address in (an_address(office), an_address(office).upper()):
        assert office.refused("members.add", {"email": address}) == (409, "conflict", set())
    assert len(office.rows("members.list")) == 2


def test_a_person_of_another_workspace_is_the_same_user(office: Office, other_office: Office) -> None:
    there = other_office.call("members.add", {"email": an_address(office), "name": "A.", "role": "OWNER"})

    here = office.call("members.add", {"email": an_address(office).upper(), "name": "Ada"})

    assert here["id"] == there["id"]
    assert (here["name"], here["role"]) == ("Ada", "MEMBER")
    assert other_office.rows("members.list")[-1] == there


def test_a_handle_that_is_taken_is_a_conflict_whatever_the_case(office: Office) -> None:
    office.a_colleague(handle="ada")

    for handle in ("ada", "ADA"):
        refused = office.refused("members.add", {"email": an_address(office), "handle": handle})

        assert refused == (409, "conflict", {"handle"})
    assert len(office.rows("members.list")) == 2


@pytest.mark.parametrize("zone", ["Mars/Olympus", "europe/lisbon"])
def test_a_time_zone_is_one_that_there_is(tableless_office: Office, zone: str) -> None:
    for tool, who in (("members.add", {"email": "ada@example.com"}), ("members.update", {"userId": "usr_1"})):
        refused = tableless_office.refused(tool, {**who, "timezone": zone})

        assert refused == (400, "invalid_input", {"timezone"})
