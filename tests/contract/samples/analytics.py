"""Calls of the analytics' tools."""

from tests.contract.samples.issues import an_issue
from tests.contract.stage import Arguments, Stage, sample


def _with_issues(stage: Stage) -> Arguments:
    an_issue(stage)
    done = an_issue(stage)
    stage.call("issues.transition", {"id": done, "statusId": "Done"})
    return {}


SAMPLES = (sample("analytics.summary", _with_issues),)
