"""Members as operators add, see and change them."""

from datetime import datetime
from functools import cache
from typing import Annotated
from zoneinfo import available_timezones

from pydantic import AfterValidator, Field

from forge.context import Role
from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import Name, PersonSubject
from forge.contract.models import Model, Omittable
from forge.work.workspace.erasures import ErasureStatus


@cache
def _known_timezones() -> frozenset[str]:
    """Read from files, so only once."""
    return frozenset(available_timezones())


def _known_timezone(name: str) -> str:
    if name not in _known_timezones():
        raise ValueError("not an IANA time zone such as Europe/Lisbon")
    return name


Email = Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$", max_length=254)]
Handle = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]
TimeZone = Annotated[str, AfterValidator(_known_timezone)]


class AddMember(Model):
    email: Annotated[Email, Field(description="Identifies the person in the whole deployment.")]
    name: Annotated[Name | None, Field(description="What people call them.")] = None
    handle: Annotated[Handle | None, Field(description="For mentions: @handle.")] = None
    role: Annotated[Role, Field(description="What they may do.")] = Role.MEMBER
    timezone: Annotated[TimeZone | None, Field(description="IANA name, e.g. Europe/Lisbon.")] = None


class UpdateMember(Changes):
    user_id: PersonSubject
    name: Annotated[Name | None, Clearable(), Field(description="What people call them.")] = None
    handle: Annotated[Handle | None, Clearable(), Field(description="For mentions: @handle.")] = None
    timezone: Annotated[TimeZone | None, Clearable(), Field(description="IANA name.")] = None


class SetRole(Model):
    user_id: PersonSubject
    role: Annotated[Role, Field(description="The new role; it counts from the next call on.")]


class RemoveMember(Model):
    user_id: PersonSubject


class EraseMember(Model):
    user_id: Annotated[
        str,
        Field(min_length=1, max_length=60, description="The person's id; also of who was removed."),
    ]


class ErasureView(Model):
    user_id: str
    status: ErasureStatus
    ordered_by: str | None
    created_at: datetime
    finished_at: Omittable[datetime] = None
    rows: int
    objects: int


class MemberView(Model):
    id: str
    email: str
    name: str | None
    handle: str | None
    role: Role
    given_role: Omittable[Role] = None
    """By hand, where a group gives more."""
    timezone: str | None
    created_at: datetime


class RemovedMember(Model):
    id: str
    removed: bool = True
