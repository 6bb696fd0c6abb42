"""A new role counts from the very next call; owners are made and unmade by owners alone."""

from typing import Any

from tests.workshop.office import Office

NO_ADMIN = (403, "forbidden", set[str]())


def set_role(office: Office, user_id: str, role: str, *, key: str | None = None) -> dict[str, Any]:
    return office.call("members.setRole", {"userId": user_id, "role": role}, key=key or office.owner_key)


def test_a_new_role_counts_from_the_next_call_on(office: Office) -> None:
    colleague = office.a_colleague("MEMBER")
    assert office.refused("members.list", key=colleague.key) == NO_ADMIN

    set_role(office, colleague.id, "ADMIN")
    assert office.send("members.list", key=colleague.key).status == 200

    set_role(office, colleague.id, "GUEST")
    assert office.refused("members.list", key=colleague.key) == NO_ADMIN
    assert office.refused("labels.create", {"name": "bug"}, key=colleague.key) == NO_ADMIN
    # Only ADMIN is lost with the role: the other scopes are the key's.
    assert office.send("labels.list", key=colleague.key).status == 200


def test_nobody_elses_keys_follow(office: Office) -> None:
    first, second = office.a_colleague("ADMIN"), office.a_colleague("ADMIN")

    set_role(office, first.id, "MEMBER")

    assert office.send("members.list", key=second.key).status == 200


def test_a_role_in_one_workspace_is_none_in_another(office: Office, other_office: Office) -> None:
    address = f"ada@{office.workspace.slug}.example"
    here, there = (one.a_colleague("ADMIN", email=address) for one in (office, other_office))
    assert here.id == there.id

    set_role(office, here.id, "GUEST")

    assert office.refused("members.list", key=here.key) == NO_ADMIN
    assert other_office.send("members.list", key=there.key).status == 200


def test_a_change_is_an_event(office: Office) -> None:
    colleague = office.a_colleague("MEMBER")

    set_role(office, colleague.id, "ADMIN")

    event = office.rows("events.recent")[0]
    assert (event["kind"], event["subjectId"]) == ("MEMBERSHIP_ROLE_CHANGED", colleague.id)
    assert event["payload"] == {"userId": colleague.id, "from": "MEMBER", "to": "ADMIN"}


def test_the_last_owner_stays_owner(office: Office) -> None:
    office.a_colleague("ADMIN")

    for role in ("ADMIN", "MEMBER", "GUEST"):
        refused = office.refused("members.setRole", {"userId": office.owner_id, "role": role})

        assert refused == (409, "conflict", set())


def test_one_of_two_owners_can_be_unmade_and_then_the_other_is_the_last(office: Office) -> None:
    second = office.a_colleague("MEMBER")
    first_id = office.owner_id
    set_role(office, second.id, "OWNER")

    set_role(office, first_id, "MEMBER", key=second.key)

    assert office.refused("members.list") == NO_ADMIN
    refused = office.refused("members.setRole", {"userId": second.id, "role": "ADMIN"}, key=second.key)
    assert refused == (409, "conflict", set())


def test_an_admin_changes_roles_up_to_admin(office: Office) -> None:
    admin, member = office.a_colleague("ADMIN"), office.a_colleague("MEMBER")

    for role in ("ADMIN", "GUEST", "MEMBER"):
        assert set_role(office, member.id, role, key=admin.key)["role"] == role
