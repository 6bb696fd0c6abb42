"""Calls of the events' tools."""

from tests.contract.stage import Stage, sample


def _eventful(stage: Stage) -> tuple[str, str]:
    return "agent", stage.an_agent_with_history()


SAMPLES = (
    sample("events.recent", lambda stage: {"limit": 1, "subjectType": _eventful(stage)[0]}),
    sample(
        "events.recent",
        lambda stage: dict(zip(("subjectType", "subjectId", "limit"), (*_eventful(stage), 1), strict=True)),
        variant="of one agent",
    ),
)
