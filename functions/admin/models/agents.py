"""Agents as operators set them up."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import AgentSubject, Name, RuntimeRef
from forge.contract.models import Model
from forge.contract.terms import EngagementMode
from forge.work.workspace.people.agents import AgentProvider, AgentRole, RuntimeMode

Capability = Annotated[str, Field(min_length=1, max_length=60)]
Url = Annotated[str, Field(pattern=r"^https?://[^\s/?#]+[^\s]*$", max_length=2048)]
Secret = Annotated[str, Field(min_length=16, max_length=200)]
Template = Annotated[str, Field(max_length=20_000)]
MaxConcurrent = Annotated[int, Field(ge=0, le=100)]


class CreateAgent(Model):
    profile_key: Annotated[
        str,
        Field(
            pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$",
            description="Unique short name, for mentions and hand-offs: @profileKey.",
        ),
    ]
    name: Annotated[Name, Field(description="What people call it.")]
    provider: Annotated[AgentProvider, Field(description="What it runs on.")] = AgentProvider.HERMES
    runtime_mode: Annotated[RuntimeMode, Field(description="Whether it keeps running.")] = (
        RuntimeMode.PERSISTENT
    )
    role: Annotated[AgentRole, Field(description="Only a WORKER is given work.")] = AgentRole.WORKER
    capabilities: Annotated[
        list[Capability], Field(max_length=50, description="What it is good at; matched with labels.")
    ] = []
    max_concurrent: Annotated[
        MaxConcurrent, Field(description="Most open issues it is given at once; 0 is no limit.")
    ] = 1
    webhook_url: Annotated[Url | None, Field(description="Where it is woken.")] = None
    webhook_secret: Annotated[Secret | None, Field(description="Signs what it is sent.")] = None
    engagement_mode: Annotated[
        EngagementMode | None, Field(description="Mode of its runs, instead of the workspace's.")
    ] = None
    template_markdown: Annotated[
        Template | None, Field(description="Description for issues that have none when it is assigned.")
    ] = None
    auto_dispatch_eligible: Annotated[bool, Field(description="Whether it is given queued issues.")] = True
    runtime_id: Annotated[RuntimeRef | None, Field(description="The runtime it runs on: its id or name.")] = (
        None
    )


class UpdateAgent(Changes):
    id: AgentSubject
    name: Annotated[Name | None, Field(description="What people call it.")] = None
    provider: Annotated[AgentProvider | None, Field(description="What it runs on.")] = None
    runtime_mode: Annotated[RuntimeMode | None, Field(description="Whether it keeps running.")] = None
    role: Annotated[AgentRole | None, Field(description="Only a WORKER is given work.")] = None
    capabilities: Annotated[
        list[Capability] | None, Field(max_length=50, description="What it is good at.")
    ] = None
    max_concurrent: Annotated[
        MaxConcurrent | None, Field(description="Most open issues at once; 0 is no limit.")
    ] = None
    webhook_url: Annotated[Url | None, Clearable(), Field(description="Where it is woken.")] = None
    webhook_secret: Annotated[Secret | None, Clearable(), Field(description="Signs what it is sent.")] = None
    engagement_mode: Annotated[EngagementMode | None, Clearable(), Field(description="Mode of its runs.")] = (
        None
    )
    template_markdown: Annotated[
        Template | None, Clearable(), Field(description="Description for issues that have none.")
    ] = None
    auto_dispatch_eligible: Annotated[
        bool | None, Field(description="Whether it is given queued issues.")
    ] = None
    runtime_id: Annotated[RuntimeRef | None, Clearable(), Field(description="Where it runs.")] = None


class ArchiveAgent(Model):
    id: AgentSubject


class AgentDefinition(Model):
    id: str
    profile_key: str
    name: str
    provider: AgentProvider
    runtime_mode: RuntimeMode
    role: AgentRole
    capabilities: list[str]
    max_concurrent: int
    webhook_url: str | None
    has_webhook_secret: bool
    engagement_mode: EngagementMode | None
    template_markdown: str | None
    auto_dispatch_eligible: bool
    runtime_id: str | None
    created_at: datetime
    archived_at: datetime | None
