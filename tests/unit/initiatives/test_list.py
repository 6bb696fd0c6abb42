"""Initiatives are listed in their order, with how many projects each has."""

from tests.workshop.office import Office
from tests.workshop.projects import a_project


def test_initiatives_come_in_their_order_with_their_number_of_projects(office: Office) -> None:
    made = [office.an_initiative(name) for name in ("Zeal", "Ardour")]
    a_project(office, initiativeId=made[1]["id"])
    office.world.clock.advance(minutes=1)
    office.call("initiatives.update", {"id": made[0]["id"], "color": "#dc2626"})

    rows = office.rows("initiatives.list")

    assert [(row["name"], row["projectCount"]) for row in rows] == [("Zeal", 0), ("Ardour", 1)]
    assert "description" not in rows[0]


def test_a_status_filters_and_pages_follow_one_another(office: Office) -> None:
    made = [office.an_initiative(name)["id"] for name in ("One", "Two", "Three")]
    for initiative_id in (made[0], made[2]):
        office.call("initiatives.update", {"id": initiative_id, "status": "ACTIVE"})

    first = office.call("initiatives.list", {"status": "ACTIVE", "limit": 1, "fields": ["slug"]})
    second = office.call("initiatives.list", {"status": "ACTIVE", "limit": 1, "cursor": first["nextCursor"]})

    assert first["data"] == [{"id": made[0], "slug": "one"}]
    assert [row["id"] for row in second["data"]] == [made[2]]
    assert "nextCursor" not in second


def test_a_narrowed_key_sees_its_own_alone_and_no_other_tenant_any(
    office: Office, other_office: Office
) -> None:
    mine, _ = (office.an_initiative()["id"] for _ in range(2))
    narrowed = office.a_narrowed_key(initiative_ids=[mine])

    assert [row["id"] for row in office.rows("initiatives.list", key=narrowed)] == [mine]
    assert other_office.rows("initiatives.list") == []
