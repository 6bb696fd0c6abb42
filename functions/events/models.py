"""Events as they are asked for and shown."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from forge.contract.fields import PagedRows
from forge.contract.models import Model, Omittable, Time
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.views import EventRow


class SubjectType(StrEnum):
    """All that events are about."""

    ISSUE = "issue"
    AGENT_RUN = "agent-run"
    ARTIFACT = "artifact"
    ACTION_REQUEST = "action-request"
    PROJECT = "project"
    INITIATIVE = "initiative"
    AGENT = "agent"
    AGENT_CREW = "agent-crew"
    MEMBERSHIP = "membership"
    CHAT_THREAD = "chat-thread"
    GOAL = "goal"
    EXECUTION_PLAN = "execution-plan"
    EXECUTION_STEP = "execution-step"
    REVIEW_GATE = "review-gate"
    PIPELINE = "pipeline"
    GITHUB_ISSUE = "github-issue"


class RecentEvents(PagedRows):
    subject_type: Annotated[
        SubjectType | None,
        Field(description="Only events about this kind of thing; those of a comment are about its issue."),
    ] = None
    subject_id: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=120,
            description="Only about this one, by id or name; needs subjectType.",
        ),
    ] = None
    kinds: Annotated[
        list[EventKind] | None, Field(max_length=32, description="Only these kinds of event.")
    ] = None
    limit: Annotated[
        int,
        Field(
            ge=1, le=200, description="How many events at most; unless given, as many as are quickly read."
        ),
    ] = 50
    before: Annotated[Time | None, Field(description="Only events before this time.")] = None


class ActorView(Model):
    id: str
    name: Omittable[str] = None
    """None of those who left."""


class AgentView(Model):
    id: str
    profile_key: Omittable[str] = None
    name: Omittable[str] = None


class EventView(EventRow):
    """`actor` is the person or `actorAgent` the agent who did it; neither where Forge did by itself."""

    actor: Omittable[ActorView] = None
    actor_agent: Omittable[AgentView] = None


USUAL = EventView.model_fields.keys() - {"workspace_id", "actor_id", "actor_agent_id"}
"""The rest stands elsewhere in the row, or is the same in every row; who asks for it by name gets it."""
