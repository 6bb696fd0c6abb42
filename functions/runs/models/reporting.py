"""Runs as they are reported on and shown."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from forge.contract.fields import (
    SAYS_SOMETHING,
    AgentRef,
    Id,
    IssueId,
    LongText,
    Name,
    PagedRows,
    StatusRef,
    up_to,
)
from forge.contract.models import Model, Omittable, Time
from forge.contract.terms import EngagementMode
from forge.work.content.artifacts.artifacts import ArtifactType
from forge.work.issues.runs.reports import Confidence, RunVerdict
from forge.work.issues.runs.runs import RunStatus
from forge.work.plans.budgets.allowances import Stop

_MOST_TOKENS = 10**12
_HIGHEST_COST = 999_999


RunId = Annotated[Id, Field(description="The run's id.")]
Tokens = Annotated[int, Field(ge=0, le=_MOST_TOKENS)]
Cost = Annotated[float, Field(ge=0, le=_HIGHEST_COST), AfterValidator(lambda amount: round(amount, 4))]


class Usage(Model, rare=["tokens_cached", "turns", "model"]):
    tokens_in: Annotated[Tokens | None, Field(description="Read so far.")] = None
    tokens_out: Annotated[Tokens | None, Field(description="Written so far.")] = None
    tokens_cached: Annotated[Tokens | None, Field(description="Of those, from a cache.")] = None
    cost_usd: Annotated[Cost | None, Field(description="US dollars so far.")] = None
    turns: Annotated[int | None, Field(ge=0, le=_MOST_TOKENS, description="Turns so far.")] = None
    model: Annotated[Name | None, Field(description="The model that it was spent on.")] = None


class RecordUsage(Usage):
    run_id: RunId


class UsageView(Model):
    """`stop`: a limit is passed; end the work, and say how far it is."""

    id: str
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    cost_usd: float | None
    turns: Omittable[int] = None
    stop: Omittable[Stop] = None


class Verified(Model, rare=["id", "kind", "value"]):
    id: Annotated[Id | None, Field(description="Its id.")] = None
    label: Annotated[str, Field(min_length=1, max_length=500, description="Its label.")]
    kind: Annotated[str | None, Field(max_length=40, description="How.")] = None
    value: Annotated[str | None, Field(max_length=2000, description="Evidence.")] = None
    done: Annotated[bool, Field(description="Done.")]


class NextStep(Model):
    title: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
        Field(description="One line."),
    ]
    body: Annotated[str | None, Field(max_length=5000, description="More.")] = None
    kind: Annotated[str | None, Field(max_length=40, description="Any word.")] = None


class Evidence(Model, rare=["artifact_type"]):
    title: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
        Field(description="What it is called."),
    ]
    body: Annotated[
        str,
        SAYS_SOMETHING,
        Field(min_length=1, max_length=200_000, description="The whole text, as Markdown."),
    ]
    artifact_type: Annotated[ArtifactType | None, Field(description="Default DOCUMENT.")] = None


class CompleteRun(Model, rare=["produced_artifact_ids", "follow_ups"]):
    run_id: RunId
    summary: Annotated[LongText | None, Field(description="What you did or found.")] = None
    produced_artifact_ids: Annotated[
        list[Id], Field(max_length=50, description="Artifacts that you made.")
    ] = []
    verification_result: Annotated[
        list[Verified], Field(max_length=50, description="One for each item of the checklist.")
    ] = []
    follow_ups: Annotated[list[NextStep], Field(max_length=20, description="What should come next.")] = []
    confidence: Annotated[Confidence | None, Field(description="Required of RESEARCH.")] = None
    verdict: Annotated[RunVerdict | None, Field(description="Required of REVIEW.")] = None
    artifact: Annotated[
        Evidence | None, Field(description="An artifact to make for the issue, of an EXECUTE run.")
    ] = None
    usage: Annotated[Usage | None, Field(description="What the run has used in all.")] = None
    transition_to: Annotated[
        StatusRef | None, Field(description="Status to move the issue to, by an EXECUTE run.")
    ] = None


class VerifiedView(Model):
    id: str | None
    label: str
    kind: str | None
    value: str | None
    done: bool


class NextStepView(Model):
    title: str
    body: str | None
    kind: str | None


class CompletionMeta(Model):
    contract_version: str
    mode: EngagementMode
    confidence: Omittable[Confidence] = None
    verdict: Omittable[RunVerdict] = None


class CompletedRun(Model):
    id: str
    status: RunStatus
    finished_at: datetime
    summary: str
    produced_artifact_ids: list[str]
    verification_result: list[VerifiedView]
    follow_ups: list[NextStepView]
    completion_meta: CompletionMeta


class ListRuns(PagedRows, rare=["id", "status", "needs_person", "limit", "before", "cursor", "fields"]):
    id: Annotated[Id | None, Field(description="Only this one.")] = None
    agent_id: Annotated[AgentRef | None, Field(description="Of this agent.")] = None
    issue_id: Annotated[IssueId | None, Field(description="Of this issue.")] = None
    status: Annotated[RunStatus | None, Field(description="In this status.")] = None
    needs_person: Annotated[
        bool,
        Field(description="Only those that wait for an answer (`blocking`), or stalled."),
    ] = False
    limit: Annotated[int, up_to(200)] = 50
    before: Annotated[Time | None, Field(description="Started before.")] = None


class KickRun(Model):
    run_id: RunId


class Kick(Model):
    """`idleMs`: for how long the agent has not been heard of."""

    ok: bool = True
    kicked: bool
    idle_ms: int
