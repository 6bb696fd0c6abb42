"""Calls of the pins' tools."""

from tests.contract.samples.issues import an_issue
from tests.contract.stage import Arguments, Stage, sample


def _with_pins(stage: Stage, *, key: str | None = None) -> Arguments:
    stage.call("pins.set", {"issueIds": [an_issue(stage), an_issue(stage)]}, key=key)
    return {}


def _replacing(stage: Stage) -> Arguments:
    _with_pins(stage)
    return {"issueIds": [an_issue(stage), an_issue(stage), an_issue(stage)]}


SAMPLES = (
    sample("pins.list", _with_pins),
    sample(
        "pins.list",
        lambda stage: _with_pins(stage, key=stage.agent_key(stage.acting_agent)),
        variant="of an agent",
        as_agent=True,
    ),
    sample("pins.set", _replacing),
    sample("pins.set", lambda stage: {"issueIds": [an_issue(stage)]}, variant="for the first time"),
)
