"""What is told of agents and members."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.context import Role
from forge.contract.effects import Emission, Told
from forge.work.record.log.kinds import EventKind
from forge.work.workspace.people.agents import AgentStatus


class AgentCreated(Told):
    profile_key: str
    name: str


class AgentNamed(Told):
    profile_key: str


class AgentStatusChanged(Told):
    """`reason` and what follows it where the agent was not heard of for too long."""

    profile_key: str | None
    from_: Annotated[AgentStatus, Field(alias="from")]
    to: AgentStatus
    reason: str | None = None
    last_heartbeat_at: datetime | None = None
    timeout_minutes: int | None = None


class MemberTold(Told):
    user_id: str
    role: Role


class RoleChanged(Told):
    user_id: str
    from_: Annotated[Role, Field(alias="from")]
    to: Role


AGENT_CREATED = Emission(EventKind.AGENT_CREATED, "agent", AgentCreated)
AGENT_UPDATED = Emission(EventKind.AGENT_UPDATED, "agent", AgentNamed)
AGENT_ARCHIVED = Emission(EventKind.AGENT_DELETED, "agent", AgentNamed)
AGENT_STATUS_CHANGED = Emission(EventKind.AGENT_STATUS_CHANGED, "agent", AgentStatusChanged)
MEMBER_ADDED = Emission(EventKind.MEMBERSHIP_CREATED, "membership", MemberTold)
MEMBER_REMOVED = Emission(EventKind.MEMBERSHIP_REMOVED, "membership", MemberTold)
ROLE_CHANGED = Emission(EventKind.MEMBERSHIP_ROLE_CHANGED, "membership", RoleChanged)
