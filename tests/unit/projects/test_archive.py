"""An archived project is out of the way, and can come back."""

from tests.workshop.office import Office
from tests.workshop.projects import a_project, an_initiative, projects_of


def test_an_archived_project_is_not_listed(office: Office) -> None:
    project = a_project(office)
    office.world.clock.advance(minutes=1)

    archived = office.call("projects.archive", {"id": project["id"]})

    assert archived == {**project, "archived": True, "updatedAt": archived["updatedAt"]}
    assert archived["updatedAt"] > project["updatedAt"]
    assert office.rows("projects.list") == []
    assert office.rows("projects.list", {"includeArchived": True}) == [archived]


def test_it_stays_with_its_initiative(office: Office) -> None:
    initiative_id = an_initiative(office)
    project = a_project(office, initiativeId=initiative_id)

    office.call("projects.archive", {"id": project["id"]})

    assert projects_of(office, initiative_id) == [project["id"]]
