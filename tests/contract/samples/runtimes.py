"""Calls of the runtimes' tools."""

from tests.contract.stage import Arguments, Stage, sample

A_TOKEN = "never-to-be-seen-anywhere"


def _two_runtimes(stage: Stage) -> Arguments:
    for _ in range(2):
        stage.a_runtime()
    return {"kind": "LOCAL_DAEMON", "limit": 1}


def _quiet_for_a_minute(stage: Stage) -> Arguments:
    runtime_id = stage.a_runtime()
    stage.world.clock.advance(minutes=1)
    return {"runtimeId": runtime_id}


SAMPLES = (
    sample(
        "runtimes.register",
        lambda stage: {
            "name": "build-box",
            "kind": "LOCAL_DAEMON",
            "endpoint": "https://build.example.com:8443/agents",
            "providersAvailable": ["CLAUDE", "CODEX"],
        },
    ),
    sample("runtimes.heartbeat", _quiet_for_a_minute),
    sample("runtimes.list", _two_runtimes),
    sample(
        "runtimes.configure",
        lambda stage: {
            "runtimeId": stage.a_runtime(),
            "config": {"workspaceRoot": "/srv/work", "localWorkspaceTools": True, "apiToken": A_TOKEN},
            "merge": False,
        },
    ),
)

PHRASES = {
    "runtimes.register": (
        "register a runtime",
        "add a new machine that agents run on",
        "connect my local daemon",
    ),
    "runtimes.heartbeat": (
        "heartbeat of a runtime",
        "the daemon is still alive",
        "say that the runtime is online",
    ),
    "runtimes.list": ("list the runtimes", "which runtimes are there", "show all machines for agents"),
    "runtimes.configure": (
        "configure a runtime",
        "change the settings of a runtime",
        "set the workspace root of a daemon",
    ),
}
