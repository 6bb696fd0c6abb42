"""Calls of the analytics' tools."""

from datetime import timedelta

from forge.work.background.watchdogs import counted_days
from forge.work.workspace.reading_on import ReadUpToItem
from forge.work.workspace.workers import Worker
from tests.contract.samples.issues import an_issue
from tests.contract.samples.runs import a_run
from tests.contract.stage import Arguments, Stage, sample


def _with_issues(stage: Stage) -> Arguments:
    an_issue(stage)
    done = an_issue(stage)
    stage.call("issues.transition", {"id": done, "statusId": "Done"})
    return {}


def _with_figures(stage: Stage) -> Arguments:
    """What an agent did and spent today, as the sweep has counted it."""
    issue_id = an_issue(stage)
    key = stage.agent_key(stage.acting_agent)
    used = {"runId": a_run(stage, issue_id), "tokensIn": 48210, "tokensOut": 3120, "costUsd": 0.27}
    stage.call("runs.recordUsage", used, key=key)
    stage.call("issues.transition", {"id": issue_id, "statusId": "Done"})
    store, later = stage.world.services.store, stage.world.clock() + timedelta(hours=1)
    counted_days.begin_where_missing(Worker(store, stage.world.clock, stage.world.ids), [stage.workspace.id])
    counted_days.look(Worker(store, lambda: later, stage.world.ids), ReadUpToItem.at(stage.workspace.id))
    return {"since": str(stage.world.clock().date())}


SAMPLES = (
    sample("analytics.summary", _with_issues),
    sample("analytics.cost", lambda stage: {**_with_figures(stage), "by": "AGENT"}),
    sample("analytics.flow", _with_figures),
)

PHRASES = {
    "analytics.cost": (
        "how much did we pay for our agents in November",
        "is one agent more expensive than the others",
        "the price of a change that was accepted",
    ),
    "analytics.flow": (
        "are we getting faster at finishing issues",
        "how many issues get done per day",
        "how often do reviewers send work back",
    ),
}
