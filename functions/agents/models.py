"""Agents as they see themselves and others."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from forge.contract.fields import Id, Name, RuntimeRef, RuntimeSubject
from forge.contract.models import Model, Omittable
from forge.work.issues.inbox.views import Waiting
from forge.work.workspace.people.agents import AgentProvider, AgentRole, AgentStatus, RuntimeKind, RuntimeMode


class ListAgents(Model):
    include_archived: Annotated[bool, Field(description="Also those that were archived.")] = False
    runtime_id: Annotated[
        RuntimeRef | None, Field(description="Only agents that run on this runtime: its id or name.")
    ] = None


class Slots(Model):
    total: Annotated[int, Field(ge=0, le=1000, description="How many runs fit at once.")]
    busy: Annotated[int, Field(ge=0, le=1000, description="How many of those are taken.")]


Version = Annotated[str, Field(max_length=60)]


class Beat(Model, rare=["runtime_id", "slots", "runs", "versions", "draining"]):
    status: Annotated[AgentStatus, Field(description="How you are.")] = AgentStatus.ONLINE
    runtime_id: Annotated[
        RuntimeSubject | None, Field(description="What you run on, of agents.connect: it is alive, too.")
    ] = None
    slots: Annotated[Slots | None, Field(description="How much fits there; only with runtimeId.")] = None
    runs: Annotated[
        list[Id], Field(max_length=50, description="Your runs that are worked on there: they stay alive.")
    ] = []
    versions: Annotated[
        dict[str, Version], Field(max_length=20, description="What is installed there, e.g. {claude: 2.1}.")
    ] = {}
    draining: Annotated[bool, Field(description="Whether it takes no more work.")] = False


class ConnectRuntime(Model):
    instance_id: Annotated[
        str,
        StringConstraints(pattern=r"^[\x21-\x7e]{1,128}$"),
        Field(
            description="Yours, the same for as long as it is installed there; send it as X-Forge-Session."
        ),
    ]
    name: Annotated[Name, Field(description="What people call it, for good.")]
    kind: Annotated[RuntimeKind, Field(description="What it is, for good.")] = RuntimeKind.LOCAL_DAEMON
    providers_available: Annotated[
        list[AgentProvider], Field(max_length=16, description="What runs there; others are CUSTOM.")
    ] = []
    config: Annotated[
        dict[str, Any] | None,
        Field(
            description="As runtimes.configure takes it, e.g. toolCapabilities; merged into what is there."
        ),
    ] = None


class ConnectedRuntime(Model):
    """`drain`: an admin wants no more work to be taken there."""

    id: str
    name: str
    kind: RuntimeKind
    providers_available: list[AgentProvider]
    connected_at: datetime
    heartbeat_at: datetime
    created_at: datetime
    restored: bool
    interval_seconds: int
    drain: bool


class MintRunKey(Model):
    run_id: Annotated[Id, Field(description="Your live run that the key is for.")]
    ttl_minutes: Annotated[
        int | None, Field(ge=1, le=1440, description="For how long at most (240): the run's end ends it.")
    ] = None


class RunKey(Model):
    """`rawKey` is shown once."""

    key_id: str
    raw_key: str
    run_id: str
    scopes: list[str]
    expires_at: datetime


class StopReason(StrEnum):
    """Why a run must not be worked on any more."""

    ENDED = "ended"
    TAKEN_OVER = "taken-over"
    LIMIT = "limit"
    UNKNOWN = "unknown"


class StoppedRun(Model):
    run_id: str
    reason: StopReason


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
    auto_dispatch_eligible: bool
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
    runtime_id: Omittable[str] = None
    interval_seconds: Omittable[int] = None
    stop: Omittable[list[StoppedRun]] = None
    drain: Omittable[bool] = None
