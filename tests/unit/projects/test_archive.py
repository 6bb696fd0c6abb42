"""An archived project is out of the way, and can come back."""

import pytest

from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from tests.unit.office import Office
from tests.unit.projects.portfolio import a_project, an_initiative, announced, projects_of
from tests.unit.store.interference import COMMIT, Interference, once_before


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


def test_two_who_archive_it_at_once_archive_it_once(store: Store) -> None:
    interference = Interference()
    office = Office(World(store=watched(store, interference)))
    project = a_project(office)
    archive = {"id": project["id"]}
    interference.handle = once_before(COMMIT, lambda: office.call("projects.archive", archive))

    office.call("projects.archive", archive)

    assert announced(office, project["id"])[1:] == [("PROJECT_UPDATED", {"archived": True})]


def test_a_repeated_call_does_not_archive_what_came_back(office: Office) -> None:
    project = a_project(office)
    first = office.call("projects.archive", {"id": project["id"]}, idempotency_key="once")
    back = office.call("projects.update", {"id": project["id"], "archived": False})

    assert office.call("projects.archive", {"id": project["id"]}, idempotency_key="once") == first
    assert office.rows("projects.list") == [back]


def test_it_stays_with_its_initiative(office: Office) -> None:
    initiative_id = an_initiative(office)
    project = a_project(office, initiativeId=initiative_id)

    office.call("projects.archive", {"id": project["id"]})

    assert projects_of(office, initiative_id) == [project["id"]]


def test_an_unknown_project_is_not_found(office: Office, other_office: Office) -> None:
    own, foreign = a_project(office), a_project(other_office)
    narrowed = office.a_narrowed_key(project_ids=[own["id"]])

    for project_id in ("prj_unknown", foreign["id"], "Nothing"):
        for key in (office.owner_key, narrowed):
            refused = office.refused("projects.archive", {"id": project_id}, key=key)

            assert refused == (404, "not_found", set())
    assert other_office.rows("projects.list") == [foreign]


def test_a_key_narrowed_to_other_projects_is_refused(office: Office) -> None:
    mine, other = a_project(office, "MINE"), a_project(office, "OTHER")
    narrowed = office.a_narrowed_key(project_ids=[mine["id"]])

    assert office.refused("projects.archive", {"id": other["id"]}, key=narrowed) == (403, "forbidden", set())
    assert office.mcp_error("projects_archive", {"id": other["id"]}, key=narrowed) == "forbidden"
    assert office.call("projects.archive", {"id": mine["id"]}, key=narrowed)["archived"]
    assert office.rows("projects.list") == [other]


@pytest.mark.parametrize("project_id", ["", "p" * 121, None, 5])
def test_an_id_that_can_not_be_one_is_refused(tableless_office: Office, project_id: object) -> None:
    assert tableless_office.refused("projects.archive", {"id": project_id}) == (400, "invalid_input", {"id"})


def test_only_the_scope_write_projects_archives_them(office: Office) -> None:
    project = a_project(office)
    key = office.a_key(scopes=["READ_PROJECTS", "WRITE_ISSUES", "ADMIN"])["rawKey"]

    refused = office.refused("projects.archive", {"id": project["id"]}, key=key)

    assert refused == (403, "scope_required", set())


def test_a_project_can_be_archived_over_mcp(office: Office) -> None:
    project = a_project(office)

    assert office.mcp("projects_archive", {"id": project["id"]})["archived"] is True
    assert office.mcp_error("projects_archive", {"id": "prj_unknown"}) == "not_found"
