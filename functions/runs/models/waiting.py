"""What a run waits for, and how it goes on."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from forge.contract.awaiting import Waits
from forge.contract.fields import Id
from forge.contract.models import Model, Omittable
from forge.work.issues.runs.runs import RunStatus
from functions.runs.models.reporting import RunId

Step = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]


class ResumeBy(Model):
    agent: Annotated[str, Field(min_length=1, max_length=60, description="The program, e.g. claude.")]
    session_id: Annotated[str, Field(min_length=1, max_length=500, description="Its session.")]
    runtime_id: Annotated[str | None, Field(max_length=60, description="Where that is kept.")] = None


class SetWaiting(Model, rare=["wait", "request_id", "resume"]):
    run_id: RunId
    reason: Annotated[
        str | None,
        StringConstraints(strip_whitespace=True, max_length=500),
        Field(description="What you wait for."),
    ] = None
    blocking: Annotated[bool, Field(description="Nothing can go on.")] = False
    wait: Annotated[bool, Field(description="Answer when it is over, where tasks are taken.")] = False
    request_id: Annotated[
        Id | None,
        Field(description="Your open action request about the issue: until its answer your claim holds."),
    ] = None
    resume: Annotated[
        ResumeBy | None, Field(description="How you go on then; the bundle shows it to you in currentRun.")
    ] = None


class ResumeWork(Model, rare=["only_if_called"]):
    run_id: RunId
    current_step: Annotated[
        Step | None,
        Field(description="What you do now, in a few words; left out, it stays, unless you waited."),
    ] = None
    only_if_called: Annotated[
        bool, Field(description="Only while it is in your inbox: another worker of yours may be first.")
    ] = False


class RunState(Model):
    id: str
    status: RunStatus
    current_step: str | None
    last_event_at: datetime


class WaitingRun(RunState):
    waits: Omittable[Waits] = None
