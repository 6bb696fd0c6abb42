"""Giving issues to agents."""

from typing import Annotated

from pydantic import Field, StringConstraints

from forge.contract.fields import AgentRef, IssueId
from forge.contract.models import Model, NullIsAValue
from forge.contract.terms import EngagementMode

ProfileKey = Annotated[str, StringConstraints(min_length=1, max_length=80)]


class AssignIssue(Model):
    issue_id: IssueId
    agent_id: Annotated[
        AgentRef | None,
        NullIsAValue(),
        Field(description="The agent to get the issue; null takes it from any agent."),
    ] = None
    profile_key: Annotated[ProfileKey | None, Field(description="The agent by its profile key instead.")] = (
        None
    )
    mode: Annotated[
        EngagementMode | None, Field(description="What it is to do; default the agent's or workspace's.")
    ] = None


class ReassignIssue(Model):
    issue_id: IssueId
    to_profile_key: Annotated[ProfileKey, Field(description="Profile key of the agent that goes on.")]
    rationale: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=10, max_length=10_000),
        Field(description="Why, and what the next agent must know; becomes a comment."),
    ]


class Handoff(Model):
    """`from` and `to` are profile keys."""

    issue_id: str
    from_: Annotated[str | None, Field(serialization_alias="from")]
    to: str
    comment_id: str
