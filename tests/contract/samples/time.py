"""Calls of the tools that record time, in a workspace that does."""

from tests.contract.stage import Arguments, Stage, sample


def tracking(stage: Stage) -> Stage:
    """The same stage, once its workspace tracks time."""
    stage.call("workspaces.update", {"timeTrackingEnabled": True})
    return stage


def an_issue(stage: Stage) -> str:
    order = {"title": "Fix login timeout", "projectId": tracking(stage).a_project()}
    return str(stage.call("issues.create", order)["id"])


def _work(stage: Stage) -> Arguments:
    return {
        "issueId": an_issue(stage),
        "description": "Reproducing it",
        "billable": True,
        "hourlyRate": 90.5,
    }


def _running(stage: Stage) -> str:
    return str(stage.call("time.start", _work(stage))["id"])


def _nothing_but_a_running_timer(stage: Stage) -> Arguments:
    _running(stage)
    return {}


def _nothing(stage: Stage) -> Arguments:
    tracking(stage)
    return {}


def _two_entries(stage: Stage, **more: object) -> Arguments:
    """Of two issues, so that there is a next page and more than one bucket."""
    for _ in range(2):
        stage.call("time.log", {**_work(stage), "durationMin": 45})
    return {"limit": 1, "from": "2020-01-01", "to": "2999-12-31", "billable": True, **more}


def _of_a_person_on_an_issue(stage: Stage, **more: object) -> Arguments:
    return {"userId": stage.a_member(), "issueId": an_issue(stage), **more}


def _of_an_agent(stage: Stage, **more: object) -> Arguments:
    return {"agentId": tracking(stage).an_agent(), **more}


SAMPLES = (
    sample("time.start", _work),
    sample("time.stop", lambda stage: {"entryId": _running(stage)}),
    sample("time.log", lambda stage: {**_work(stage), "durationMin": 45}),
    sample("time.list", _two_entries),
    sample("time.list", _of_a_person_on_an_issue, variant="of a person on an issue"),
    sample("time.list", _of_an_agent, variant="of an agent"),
    sample("time.summary", lambda stage: _two_entries(stage, groupBy="project")),
    sample(
        "time.summary",
        lambda stage: _of_a_person_on_an_issue(stage, groupBy="user"),
        variant="of a person on an issue",
    ),
    sample("time.summary", _of_an_agent, variant="of an agent"),
    sample("time.running", _nothing_but_a_running_timer),
    sample("time.running", _nothing, variant="when none runs"),
)
