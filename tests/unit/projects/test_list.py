"""Projects are listed by their last change, and only those that a key may see."""

import pytest

from tests.workshop.office import Body, Office
from tests.workshop.projects import a_project


def three_projects(office: Office) -> list[Body]:
    """A minute apart, oldest first."""
    made = []
    for key in ("ONE", "TWO", "THREE"):
        made.append(a_project(office, key))
        office.world.clock.advance(minutes=1)
    return made


def keys_of(rows: list[Body]) -> list[str]:
    return [row["key"] for row in rows]


def test_the_project_that_changed_last_comes_first(office: Office) -> None:
    one, two, _ = three_projects(office)
    office.call("projects.update", {"id": one["id"], "name": "Another name"})
    office.world.clock.advance(minutes=1)
    office.call("projects.archive", {"id": two["id"]})

    rows = office.rows("projects.list", {"includeArchived": True})

    assert keys_of(rows) == ["TWO", "ONE", "THREE"]


def test_archived_projects_are_shown_to_who_asks(office: Office) -> None:
    _, two, _ = three_projects(office)
    archived = office.call("projects.archive", {"id": two["id"]})

    assert keys_of(office.rows("projects.list")) == ["THREE", "ONE"]
    assert archived in office.rows("projects.list", {"includeArchived": True})


def test_a_key_sees_the_projects_that_it_is_narrowed_to(office: Office) -> None:
    one, two, three = three_projects(office)
    office.call("projects.archive", {"id": two["id"]})
    narrowed = office.a_narrowed_key(project_ids=[one["id"], two["id"], "prj_unknown"])

    assert keys_of(office.rows("projects.list", key=narrowed)) == ["ONE"]
    everything = office.call("projects.list", {"includeArchived": True, "limit": 2}, key=narrowed)
    assert keys_of(everything["data"]) == ["TWO", "ONE"]
    # Not even that there are others shows.
    assert "nextCursor" not in office.call("projects.list", {"limit": 100}, key=narrowed)
    assert three["id"] not in str(everything)


@pytest.mark.parametrize("ids", [{"label_ids": ["lbl_1"]}, {"initiative_ids": ["ini_1"]}])
def test_labels_and_initiatives_narrow_no_projects(office: Office, ids: dict[str, list[str]]) -> None:
    three_projects(office)

    assert len(office.rows("projects.list", key=office.a_narrowed_key(**ids))) == 3
