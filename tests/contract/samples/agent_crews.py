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

PHRASES = {
    "agentCrews.addMember": (
        "add an agent to the crew",
        "make this agent a member of a crew",
        "the crew needs one more worker",
    ),
    "agentCrews.archive": ("archive a crew", "disband the crew", "retire a crew of agents"),
    "agentCrews.create": (
        "create a crew",
        "set up a crew of agents",
        "new crew with a planner and a reviewer",
    ),
    "agentCrews.list": ("show all crews", "which crews exist", "list the crews and their members"),
    "agentCrews.removeMember": (
        "remove an agent from the crew",
        "kick a member out of the crew",
        "drop somebody from a crew",
    ),
    "agentCrews.setMemberRole": (
        "change the role of a crew member",
        "turn the worker of the crew into a reviewer",
        "set the role of a member in the crew",
    ),
    "agentCrews.update": (
        "change the crew's name",
        "edit the description of a crew",
        "how many steps may the crew do in parallel",
    ),
}
