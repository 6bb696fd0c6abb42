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
