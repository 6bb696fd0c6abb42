"""An archived project is out of the way, and can come back."""

from tests.workshop.office import Office
from tests.workshop.projects import a_project, an_initiative, announced, projects_of


def test_an_archived_project_is_not_listed(office: Office) -> None:
    project = a_project(office)
    office.world.clock.advance(minutes=1)

    archived = office.call("projects.archive", {"id": project["id"]})

    assert archived == {**project, "archived": True, "updatedAt": archived["updatedAt"]}
    assert archived["updatedAt"] > project["updatedAt"]
    assert office.rows("projects.list") == []
    assert office.rows("projects.list", {"includeArchived": True}) == [archived]


def test_it_is_announced_as_an_update(office: Office) -> None:
    project = a_project(office)

    office.call("projects.archive", {"id": project["id"]})

    assert announced(office, project["id"])[1:] == [("PROJECT_UPDATED", {"archived": True})]
    row = office.log()[-1]
    assert (row.tool, row.action) == ("projects.archive", "archive")


def test_archiving_it_again_changes_nothing(office: Office) -> None:
    project = a_project(office)
    archived = office.call("projects.archive", {"id": project["id"]})
    logged = office.log()
    office.world.clock.advance(minutes=1)

    assert office.call("projects.archive", {"id": project["id"]}) == archived
    assert office.log() == logged


def test_two_who_archive_it_at_once_archive_it_once(office: Office) -> None:
    project = a_project(office)
    archive = {"id": project["id"]}
    office.meanwhile(lambda: office.call("projects.archive", archive))

    office.call("projects.archive", archive)

    assert announced(office, project["id"])[1:] == [("PROJECT_UPDATED", {"archived": True})]


def test_it_stays_with_its_initiative(office: Office) -> None:
    initiative_id = an_initiative(office)
    project = a_project(office, initiativeId=initiative_id)

    office.call("projects.archive", {"id": project["id"]})

    assert projects_of(office, initiative_id) == [project["id"]]


def test_a_key_narrowed_to_other_projects_is_refused(office: Office) -> None:
    mine, other = a_project(office, "MINE"), a_project(office, "OTHER")
    narrowed = office.a_narrowed_key(project_ids=[mine["id"]])

    assert office.refused("projects.archive", {"id": other["id"]}, key=narrowed) == (403, "forbidden", set())
    assert office.mcp_error("projects_archive", {"id": other["id"]}, key=narrowed) == "forbidden"
    assert office.call("projects.archive", {"id": mine["id"]}, key=narrowed)["archived"]
    assert office.rows("projects.list") == [other]
