"""Action requests as they come in and go out."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from forge.contract.awaiting import Waits
from forge.contract.fields import AgentRef, Id, IssueId, PagedRows, PersonRef
from forge.contract.models import Model, Omittable, Page, Time
from forge.work.plans.requests.asking import Ask
from forge.work.plans.requests.requests import RequestStatus
from functions.action_requests.views import RequestRow

RequestId = Annotated[Id, Field(description="The request's id.")]


class CreateRequest(Ask, rare=["source_type", "source_id", "wait"]):
    issue_id: Annotated[IssueId | None, Field(description="The issue it is about.")] = None
    assigned_user_id: Annotated[PersonRef | None, Field(description="Who shall decide.")] = None
    assigned_agent_id: Annotated[AgentRef | None, Field(description="An agent to tell of it.")] = None
    source_type: Annotated[str | None, Field(max_length=40, description="What it came from.")] = None
    source_id: Annotated[Id | None, Field(description="Which one.")] = None
    wait: Annotated[bool, Field(description="Answer with the decision, where tasks are taken.")] = False


class CreatedRequest(Model):
    id: str
    url: Annotated[str, Field(description="Its card, for people.")]
    waits: Omittable[Waits] = None


class ListRequests(PagedRows):
    id: Annotated[Id | None, Field(description="Only this one.")] = None
    status: Annotated[RequestStatus | None, Field(description="In this status.")] = None
    assigned_agent_id: Annotated[AgentRef | None, Field(description="For this agent.")] = None
    assigned_user_id: Annotated[PersonRef | None, Field(description="For this person to decide.")] = None
    issue_id: Annotated[IssueId | None, Field(description="About this issue.")] = None
    include: Annotated[
        list[Literal["card"]],
        Field(max_length=1, description="`card`: whole texts, names, and what accepting does."),
    ] = []


class Requests(Page[RequestRow]):
    """The newest first."""


class TransitionRequest(Model):
    id: RequestId
    status: Annotated[RequestStatus, Field(description="How it stands from now on.")]
    resolution: Annotated[str | None, Field(max_length=10_000, description="Why, or what came of it.")] = None
    until: Annotated[Time | None, Field(description="SNOOZED: when it is open again; else in a day.")] = None


class Transitioned(Model):
    ok: bool = True


class AcceptRequest(Model):
    id: RequestId
    resolution: Annotated[
        str | None, Field(max_length=2000, description="Your answer; the agent that asked gets it.")
    ] = None
    shown_hash: Annotated[
        str | None, Field(max_length=64, description="The request's shownHash: refused if it changed since.")
    ] = None


class Accepted(Model):
    """`dispatched`: whether something was done to the issue. `commentId`: of the answer to an agent."""

    id: str
    dispatched: bool
    comment_id: Omittable[str] = None


class DeclineRequest(Model):
    id: RequestId
    reason: Annotated[str | None, Field(max_length=2000, description="Why not.")] = None


class Declined(Model):
    id: str


class Vote(Model):
    id: RequestId
    option_key: Annotated[str, Field(min_length=1, max_length=80, description="The key of your pick.")]


class Voted(Model):
    """`changed`: whether you had picked another option before."""

    id: str
    option_key: str
    changed: bool


class GetResults(Model):
    id: RequestId


class Standing(Model):
    option_key: str
    label: str
    description: str | None
    count: int
    first_vote_at: datetime | None


class Results(Model):
    """`winningOptionKey` once voting is closed."""

    options: list[Standing]
    total: int
    my_vote: str | None
    winning_option_key: str | None
    voting_closed_at: datetime | None


class CloseVoting(Model):
    id: RequestId


class ClosedVote(Model):
    id: str
    winning_option_key: str
