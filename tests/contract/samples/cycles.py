"""Calls of the cycles' tools."""

from tests.contract.samples.issues import an_idle_issue, an_issue
from tests.contract.stage import Arguments, Prepare, Stage, sample


def _cycle_with(stage: Stage, *issue_ids: str) -> str:
    cycle_id = stage.a_cycle()
    if issue_ids:
        stage.call("cycles.plan", {"cycleId": cycle_id, "issueIds": list(issue_ids)})
    return cycle_id


def _two_cycles(stage: Stage) -> Arguments:
    stage.a_cycle()
    stage.a_cycle()
    return {"status": "PLANNED", "limit": 1}


def _active(stage: Stage, *issue_ids: str) -> str:
    cycle_id = _cycle_with(stage, *issue_ids)
    stage.call("cycles.update", {"id": cycle_id, "status": "ACTIVE"})
    return cycle_id


def _under_way(stage: Stage) -> Arguments:
    _active(stage, an_issue(stage))
    return {}


def _other_dates(stage: Stage) -> Arguments:
    return {
        "id": stage.a_cycle(),
        "name": "Another name",
        "startsAt": "2099-01-01T00:00:00Z",
        "endsAt": "2099-02-01T00:00:00Z",
        "status": "ACTIVE",
    }


def _a_plan(stage: Stage) -> Arguments:
    coming, going = an_idle_issue(stage), an_issue(stage)
    _cycle_with(stage, coming)
    return {"cycleId": _cycle_with(stage, going), "issueIds": [coming], "removeIssueIds": [going]}


def _into_another(stage: Stage) -> Arguments:
    source = _active(stage, an_idle_issue(stage), an_issue(stage))
    return {"fromCycleId": source, "targetCycleId": stage.a_cycle(), "activateTarget": True}


def _of_the_current_one(stage: Stage) -> Arguments:
    _active(stage, an_issue(stage))
    return {"completeSource": True}


SAMPLES = (
    sample("cycles.list", _two_cycles),
    sample(
        "cycles.get", lambda stage: {"id": _cycle_with(stage, an_issue(stage), an_issue(stage)), "limit": 1}
    ),
    sample("cycles.current", _under_way),
    sample("cycles.create", lambda stage: {"name": "Sprint 12", "lengthDays": 14, "cooldownDays": 2}),
    sample("cycles.update", _other_dates),
    sample("cycles.plan", _a_plan),
    sample("cycles.rollover", _into_another),
    sample("cycles.rollover", _of_the_current_one, variant="into a new one"),
    sample(
        "cycles.addIssue",
        lambda stage: {**_out_of_its_cycle(stage, an_idle_issue(stage)), "cycleId": stage.a_cycle()},
    ),
    sample("cycles.removeIssue", lambda stage: _out_of_its_cycle(stage, an_idle_issue(stage))),
)


def _out_of_its_cycle(stage: Stage, issue_id: str) -> Arguments:
    return {"cycleId": _cycle_with(stage, issue_id), "issueId": issue_id}


ON_ISSUE: dict[str, Prepare] = {
    "cycles.plan": lambda stage, issue_id: {"cycleId": stage.a_cycle(), "issueIds": [issue_id]},
    "cycles.addIssue": lambda stage, issue_id: {"cycleId": stage.a_cycle(), "issueId": issue_id},
    "cycles.removeIssue": _out_of_its_cycle,
}
