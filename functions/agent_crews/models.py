"""Crews as they come in and go out."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import AgentRef, CrewSubject, Id, PagedRows
from forge.contract.models import Model, Omittable
from forge.work.workspace.crews.announcements import CrewRole
from forge.work.workspace.crews.crews import MOST_MEMBERS

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Description = Annotated[str, Field(max_length=2000)]
MaxParallel = Annotated[int, Field(ge=0, le=20)]
MemberId = Annotated[Id, Field(description="The membership: `id` of a member in agentCrews.list.")]
_ROLE = Field(description="What the agent does in the crew.")
_PARALLEL = Field(description="How many steps the crew does at once, over all plans; 0 is no limit.")


class ListCrews(PagedRows):
    include_archived: Annotated[bool, Field(description="Whether archived ones are shown too.")] = False


class NewMember(Model):
    agent_id: Annotated[
        str, Field(min_length=1, max_length=120, description="The agent: its id or profileKey.")
    ]
    role: Annotated[CrewRole, _ROLE]


class CreateCrew(Model):
    name: Annotated[Name, Field(description="Unique in the workspace, whatever the case.")]
    description: Annotated[Description | None, Field(description="What the crew is for.")] = None
    max_parallel: Annotated[MaxParallel, _PARALLEL] = 1
    members: Annotated[
        list[NewMember],
        Field(
            max_length=MOST_MEMBERS, description="Who is in it; of each role, the first one is asked first."
        ),
    ] = []


class UpdateCrew(Changes):
    id: CrewSubject
    name: Annotated[Name | None, Field(description="A new name.")] = None
    description: Annotated[Description | None, Clearable(), Field(description="What the crew is for.")] = None
    max_parallel: Annotated[MaxParallel | None, _PARALLEL] = None


class AddMember(Model):
    crew_id: CrewSubject
    agent_id: Annotated[AgentRef, Field(description="The agent: its id or profileKey.")]
    role: Annotated[CrewRole, _ROLE]


class RemoveMember(Model):
    member_id: MemberId


class SetMemberRole(Model):
    member_id: MemberId
    role: Annotated[CrewRole, _ROLE]


class ArchiveCrew(Model):
    id: CrewSubject


class CrewMemberView(Model):
    id: str
    agent_id: str
    role: CrewRole
    position: int


class CrewCounts(Model):
    members: int
    plans: int


class CrewView(Model):
    id: str
    name: str
    description: str | None
    max_parallel: int
    members: list[CrewMemberView]
    counts: Annotated[CrewCounts, Field(alias="_count")]
    created_at: datetime
    updated_at: datetime
    archived_at: Omittable[datetime] = None


class CrewOrMember(Model):
    id: str
