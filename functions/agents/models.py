"""Agents as they see themselves and others."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.fields import RuntimeRef
from forge.contract.models import Model
from forge.work.issues.inbox.views import Waiting
from forge.work.workspace.people.agents import AgentProvider, AgentRole, AgentStatus, RuntimeKind, RuntimeMode


class ListAgents(Model):
    include_archived: Annotated[bool, Field(description="Also those that were archived.")] = False
    runtime_id: Annotated[
        RuntimeRef | None, Field(description="Only agents that run on this runtime: its id or name.")
    ] = None


class Beat(Model):
    status: Annotated[AgentStatus, Field(description="How you are.")] = AgentStatus.ONLINE


class RuntimeBrief(Model):
    id: str
    name: str
    kind: RuntimeKind


class AgentRow(Model):
    id: str
    profile_key: str
    name: str
    role: AgentRole
    status: AgentStatus
    runtime_mode: RuntimeMode
    provider: AgentProvider
    capabilities: list[str]
    max_concurrent: int
    open_issues: int
    archived_at: datetime | None
    last_heartbeat_at: datetime | None
    runtime: RuntimeBrief | None


class Me(Model):
    id: str
    profile_key: str
    name: str
    provider: AgentProvider
    runtime_mode: RuntimeMode
    role: AgentRole
    status: AgentStatus
    capabilities: list[str]
    webhook_url: str | None
    max_concurrent: int
    template_markdown: str | None
    last_heartbeat_at: datetime | None
    last_dispatched_at: datetime | None
    workspace_id: str
    archived_at: datetime | None
    waiting: Waiting


class Pulse(Model):
    id: str
    profile_key: str
    provider: AgentProvider
    runtime_mode: RuntimeMode
    status: AgentStatus
    last_heartbeat_at: datetime
    waiting: Waiting
