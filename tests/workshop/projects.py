"""A portfolio: projects, and the initiatives that they serve."""

from typing import Any

from forge.work.record.log.kinds import EventKind
from forge.work.workspace.projects.projects import PROJECT_COUNT, PROJECTS_OF_INITIATIVE
from tests.workshop.office import Body, Office

PROJECT_EVENTS = (EventKind.PROJECT_CREATED, EventKind.PROJECT_UPDATED)


def a_project(office: Office, key: str = "SITE", **more: object) -> Body:
    return office.call("projects.create", {"key": key, "name": "Website", **more})


def an_initiative(office: Office) -> str:
    return str(office.an_initiative()["id"])


def projects_of(office: Office, initiative_id: str) -> list[str]:
    """The ids of an initiative's projects as its list finds them; the count must say the same."""
    table = office.world.services.store.table
    siblings = PROJECTS_OF_INITIATIVE(office.workspace.id, initiative_id)
    found = table.query(siblings, index="subject", limit=100, is_descending=True).rows
    assert project_count(office, initiative_id) == len(found)
    return [row["id"]["S"] for row in found]


def project_count(office: Office, initiative_id: str) -> int:
    place = PROJECT_COUNT(office.workspace.id, initiative_id)
    return int(office.world.services.store.table.find_rows([place])[place]["projects"]["N"])


def announced(office: Office, project_id: str) -> list[tuple[str, dict[str, Any]]]:
    """Every event about a project with its payload, oldest first."""
    return [
        (row.kind.value, row.payload)
        for row in office.log()
        if row.kind in PROJECT_EVENTS and (row.subject_type, row.subject_id) == ("project", project_id)
    ]
