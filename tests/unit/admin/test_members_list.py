"""Members are listed in the order in which they came."""

from tests.unit.office import Office


def test_a_workspace_begins_with_its_owner(office: Office) -> None:
    (owner,) = office.rows("members.list")

    assert owner == {
        "id": owner["id"],
        "email": f"owner@{office.workspace.slug}.example",
        "name": "Owner",
        "handle": "owner",
        "role": "OWNER",
        "timezone": None,
        "createdAt": owner["createdAt"],
    }


def test_the_first_member_comes_first(office: Office) -> None:
    added = []
    for role in ("MEMBER", "ADMIN", "GUEST"):
        office.world.clock.advance(seconds=1)
        added.append(office.a_colleague(role).id)

    assert [row["id"] for row in office.rows("members.list")][1:] == added


def test_who_left_is_not_listed(office: Office) -> None:
    colleague = office.a_colleague()
    office.call("members.remove", {"userId": colleague.id})

    assert [row["handle"] for row in office.rows("members.list")] == ["owner"]


def test_an_admin_sees_the_members_too(office: Office) -> None:
    admin = office.a_colleague("ADMIN")

    assert office.rows("members.list", key=admin.key) == office.rows("members.list")


def test_members_of_other_workspaces_are_not_listed(office: Office, other_office: Office) -> None:
    theirs = other_office.a_colleague()

    assert theirs.id not in {row["id"] for row in office.rows("members.list")}


def test_an_argument_is_refused_by_name(tableless_office: Office) -> None:
    assert tableless_office.refused("members.list", {"role": "OWNER"}) == (400, "invalid_input", {"role"})
