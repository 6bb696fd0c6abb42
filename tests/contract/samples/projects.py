"""Calls of the projects' tools."""

from tests.contract.stage import Arguments, Stage, sample


def _of_two_projects(stage: Stage, arguments: Arguments) -> Arguments:
    stage.a_project()
    stage.a_project()
    return arguments


SAMPLES = (
    sample("projects.archive", lambda stage: {"id": stage.a_project(stage.an_initiative())}),
    sample(
        "projects.create",
        lambda stage: {"key": "SITE", "name": "Website", "initiativeId": stage.an_initiative()},
    ),
    sample("projects.list", lambda stage: _of_two_projects(stage, {"limit": 1, "includeArchived": True})),
    sample(
        "projects.update",
        lambda stage: {"id": stage.a_project(stage.an_initiative()), "initiativeId": stage.an_initiative()},
    ),
)
