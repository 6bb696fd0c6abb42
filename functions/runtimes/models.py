"""Runtimes as they come in and go out."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from forge.contract.fields import Name, PagedRows, RuntimeSubject, up_to
from forge.contract.models import Model, Omittable
from forge.work.workspace.people.agents import AgentProvider, RuntimeKind

Url = Annotated[str, Field(pattern=r"^https?://[^\s/?#]+[^\s]*$", max_length=500)]


class RegisterRuntime(Model):
    name: Annotated[Name, Field(description="What people call it, for good.")]
    kind: Annotated[RuntimeKind, Field(description="What it is.")]
    endpoint: Annotated[Url | None, Field(description="Where it is reached.")] = None
    providers_available: Annotated[
        list[AgentProvider], Field(max_length=16, description="What agents can run on there.")
    ] = []


class BeatRuntime(Model):
    runtime_id: RuntimeSubject


class ListRuntimes(PagedRows, rare=["fields"]):
    kind: Annotated[RuntimeKind | None, Field(description="Only those of this kind.")] = None
    include_archived: Annotated[bool, Field(description="Also those that were archived.")] = False
    limit: Annotated[int, up_to(50)] = 50


class ConfigureRuntime(Model):
    runtime_id: RuntimeSubject
    config: Annotated[
        dict[str, Any],
        Field(
            description="E.g. localWorkspaceTools, toolCapabilities, workspaceRoot, or a sandbox's settings. "
            "Tokens, passwords and the like are kept, but never shown."
        ),
    ]
    merge: Annotated[bool, Field(description="Whether what is not named stays.")] = True


class RegisteredRuntime(Model):
    id: str
    name: str
    kind: RuntimeKind
    endpoint: str | None
    providers_available: list[AgentProvider]
    owner_id: str | None
    connected_at: datetime | None
    heartbeat_at: datetime | None
    created_at: datetime


class RuntimePulse(Model):
    id: str
    heartbeat_at: datetime


class OwnerView(Model):
    id: str
    name: str | None
    image: str | None


class RuntimeCounts(Model):
    agents: int


class RuntimeSlots(Model):
    total: int
    busy: int


class RuntimeRow(RegisteredRuntime):
    """What stands last is said by one that an agent has connected: whose it is, and what it is at."""

    adapter_key: str | None
    has_secret: bool
    config: dict[str, Any]
    owner: OwnerView | None
    counts: Annotated[RuntimeCounts, Field(alias="_count")]
    updated_at: datetime
    archived_at: datetime | None
    agent_id: Omittable[str] = None
    slots: Omittable[RuntimeSlots] = None
    run_ids: Omittable[list[str]] = None
    versions: Omittable[dict[str, str]] = None
    draining: Omittable[bool] = None


class ConfiguredRuntime(Model):
    id: str
    name: str
    adapter_key: str | None
    has_secret: bool
    config: dict[str, Any]
    updated_at: datetime
