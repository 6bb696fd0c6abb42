"""Calls of the initiatives' tools."""

from tests.contract.stage import Arguments, Stage, sample


def _of_two(stage: Stage, arguments: Arguments) -> Arguments:
    stage.an_initiative()
    stage.an_initiative()
    return arguments


def _with_a_project(stage: Stage) -> str:
    initiative_id = stage.an_initiative()
    stage.a_project(initiative_id)
    return initiative_id


SAMPLES = (
    sample(
        "initiatives.create",
        lambda stage: _of_two(
            stage,
            {
                "name": "Initiative 1",
                "description": "Why.",
                "targetDate": "2099-06-30",
                "color": "#DC2626",
            },
        ),
    ),
    sample("initiatives.create", lambda stage: {"name": "Growth", "slug": "growth"}, variant="with a slug"),
    sample("initiatives.get", lambda stage: {"id": _with_a_project(stage)}),
    sample(
        "initiatives.linkProject",
        lambda stage: {
            "initiativeId": stage.an_initiative(),
            "projectId": stage.a_project(stage.an_initiative()),
        },
    ),
    sample("initiatives.list", lambda stage: _of_two(stage, {"limit": 1, "status": "PLANNED"})),
    sample("initiatives.unlinkProject", lambda stage: _out_of(stage, stage.an_initiative())),
    sample(
        "initiatives.update",
        lambda stage: {"id": _with_a_project(stage), "name": "Growth", "status": "ACTIVE"},
    ),
)


def _out_of(stage: Stage, initiative_id: str) -> Arguments:
    return {"projectId": stage.a_project(initiative_id), "initiativeId": initiative_id}
