"""Calls of the crews' tools."""

from tests.contract.stage import Arguments, Stage, sample

_ROLES = ("PLANNER", "WORKER", "REVIEWER")


def _of_two(stage: Stage, arguments: Arguments) -> Arguments:
    stage.a_crew(*_ROLES)
    stage.a_crew()
    return arguments


def _full(stage: Stage) -> Arguments:
    members = [{"agentId": stage.an_agent(), "role": "WORKER"} for _ in range(20)]
    return {"name": "Importers", "description": "Bring data in.", "maxParallel": 2, "members": members}


SAMPLES = (
    sample(
        "agentCrews.addMember",
        lambda stage: {
            "crewId": stage.a_crew("WORKER")["id"],
            "agentId": stage.an_agent(),
            "role": "REVIEWER",
        },
    ),
    sample("agentCrews.archive", lambda stage: {"id": stage.a_crew(*_ROLES)["id"]}),
    sample("agentCrews.create", _full),
    sample("agentCrews.list", lambda stage: _of_two(stage, {"limit": 1, "includeArchived": True})),
    sample("agentCrews.removeMember", lambda stage: {"memberId": stage.a_crew("WORKER")["members"][0]["id"]}),
    sample(
        "agentCrews.setMemberRole",
        lambda stage: {"memberId": stage.a_crew("WORKER")["members"][0]["id"], "role": "PLANNER"},
    ),
    sample(
        "agentCrews.update",
        lambda stage: {"id": stage.a_crew("WORKER")["id"], "name": "Importers", "maxParallel": 0},
    ),
)
