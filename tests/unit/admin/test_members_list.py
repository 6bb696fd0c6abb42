"""Members are listed in the order in which they came."""

from tests.workshop.office import Office


def test_the_first_member_comes_first(office: Office) -> None:
    added = []
    for role in ("MEMBER", "ADMIN", "GUEST"):
        office.world.clock.advance(seconds=1)
        added.append(office.a_colleague(role).id)

    assert [row["id"] for row in office.rows("members.list")][1:] == added


def test_an_admin_sees_the_members_too(office: Office) -> None:
    admin = office.a_colleague("ADMIN")

    assert office.rows("members.list", key=admin.key) == office.rows("members.list")
