"""What is told of pipelines: of each call one event, with all that happened in it."""

from forge.contract.effects import Emission, Told
from forge.contract.models import Model
from forge.work.record.log.kinds import EventKind

PIPELINE = "pipeline"

GRAVITY = (
    "pipeline-complete",
    "abandon",
    "pipeline-init",
    "phase-fail",
    "revision-required",
    "checkpoint",
    "phase-complete",
    "phase-start",
    "agent-dispatch",
    "action-complete",
)
"""Which of several is the news."""


class PipelineStep(Model):
    event: str
    phase: str
    outcome: str
    detail: str


class PipelineMoved(Told):
    """The gravest of what happened; `steps` has all of it in order."""

    event: str
    phase: str
    outcome: str
    spec_name: str
    workspace: str
    current_phase: str
    status: str
    steps: list[PipelineStep]


PIPELINE_MOVED = Emission(EventKind.ISSUE_UPDATED, PIPELINE, PipelineMoved)
