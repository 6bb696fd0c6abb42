"""Dispatch rules as operators define them."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import AgentRef, Id, IssueId, LabelRef, Name, ProjectRef
from forge.contract.models import Model, Omittable
from forge.work.issues.issues import Priority

Order = Annotated[int, Field(ge=0, le=10_000)]
RuleId = Annotated[Id, Field(description="The id in dispatchRules.list.")]


class CreateDispatchRule(Model):
    name: Annotated[Name, Field(description="What it is for.")]
    order: Annotated[Order | None, Field(description="Lower ones are tried first; last by default.")] = None
    priority: Annotated[Priority | None, Field(description="Only issues of this priority.")] = None
    label_id: Annotated[LabelRef | None, Field(description="Only issues with this label.")] = None
    project_id: Annotated[ProjectRef | None, Field(description="Only issues of this project.")] = None
    target_agent_id: Annotated[AgentRef, Field(description="The agent that gets them.")]
    enabled: Annotated[bool, Field(description="Whether it is tried at all.")] = True


class UpdateDispatchRule(Changes):
    id: RuleId
    name: Annotated[Name | None, Field(description="A new name.")] = None
    order: Annotated[Order | None, Field(description="Another place in the order.")] = None
    priority: Annotated[Priority | None, Clearable(), Field(description="Only issues of this priority.")] = (
        None
    )
    label_id: Annotated[LabelRef | None, Clearable(), Field(description="Only issues with this label.")] = (
        None
    )
    project_id: Annotated[
        ProjectRef | None, Clearable(), Field(description="Only issues of this project.")
    ] = None
    target_agent_id: Annotated[AgentRef | None, Field(description="Another agent.")] = None
    enabled: Annotated[bool | None, Field(description="Whether it is tried at all.")] = None


class DeleteDispatchRule(Model):
    id: RuleId


class DispatchRuleView(Model):
    id: str
    name: str
    enabled: bool
    order: int
    priority: Priority | None
    label_id: str | None
    project_id: str | None
    target_agent_id: str
    created_at: datetime


class DispatchRules(Model):
    """In the order in which they are tried."""

    data: list[DispatchRuleView]


class TryDispatch(Model):
    issue_id: IssueId


class TriedAgent(Model):
    """`eligible`: it has room for one more."""

    agent_id: str
    profile_key: str
    name: str
    eligible: bool
    match_count: Omittable[int] = None


class TriedDispatch(Model):
    """`against`: why auto-dispatch leaves the issue alone; then `chosen` is who would get it otherwise."""

    against: str | None
    mode: str
    chosen: TriedAgent | None
    reason: str
    rule_id: Omittable[str] = None
    candidates: list[TriedAgent]
