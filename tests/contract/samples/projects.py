"""Calls of the projects' tools."""

from forge.work.planning import planning_keys
from forge.work.workspaces.founding import setup_transaction
from tests.contract.stage import Arguments, Stage, sample


def _of_two_projects(stage: Stage, arguments: Arguments) -> Arguments:
    stage.a_project()
    stage.a_project()
    return arguments


def _an_initiative(stage: Stage) -> str:
    """Only its count, which is all that projects touch: no tool makes initiatives yet."""
    world, workspace_id, initiative_id = stage.world, stage.workspace.id, stage.world.ids("ini")
    tx = setup_transaction(world.services.store, workspace_id, now=world.clock(), new_id=world.ids)
    place = planning_keys.initiative_count(workspace_id, initiative_id)
    tx.adjust(place, add={"projects": 0}, must_exist=False)
    world.services.store.commit(tx)
    return initiative_id


SAMPLES = (
    sample("projects.archive", lambda stage: {"id": stage.a_project(_an_initiative(stage))}),
    sample(
        "projects.create",
        lambda stage: {"key": "SITE", "name": "Website", "initiativeId": _an_initiative(stage)},
    ),
    sample("projects.list", lambda stage: _of_two_projects(stage, {"limit": 1, "includeArchived": True})),
    sample(
        "projects.update",
        lambda stage: {"id": stage.a_project(_an_initiative(stage)), "initiativeId": _an_initiative(stage)},
    ),
)
