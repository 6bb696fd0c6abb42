"""projects.update as adapters of MCP clients call it: with null for everything that was left out."""

from tests.unit.office import Office
from tests.unit.projects.portfolio import a_project


def test_only_what_is_named_is_cleared_over_mcp_too(office: Office) -> None:
    project = a_project(office, icon="🚀", color="#dc2626", description="Ours.")

    changed = office.mcp(
        "projects_update", {"id": project["id"], "clear": ["icon"], "color": None, "startDate": None}
    )

    assert changed == {**project, "icon": None}
    assert office.mcp_error("projects_update", {"id": "prj_unknown"}) == "not_found"
