"""Keys as operators order and see them."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.auth.rates import HIGHEST, LIMITS, LOWEST
from forge.context import Door, KeyKind
from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import AgentRef, InitiativeRef, LabelRef, Name, PersonRef, ProjectRef
from forge.contract.models import Model
from forge.contract.terms import Scope

_RATE = f"Calls a minute by each door; {LIMITS[Door.RPC]} by RPC and {LIMITS[Door.REST]} by REST without one."
Rate = Annotated[int, Field(ge=LOWEST, le=HIGHEST)]


class CreateKey(Model):
    name: Annotated[Name, Field(max_length=80, description="What the key is for.")]
    kind: Annotated[
        KeyKind, Field(description="PERSONAL for people, SESSION for a while, AGENT for agents.")
    ] = KeyKind.PERSONAL
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=11, description="What it may do.")]
    user_id: Annotated[
        PersonRef | None,
        Field(description="Whose it is; yourself by default. Not for AGENT keys."),
    ] = None
    linked_agent_id: Annotated[AgentRef | None, Field(description="The agent an AGENT key stands for.")] = (
        None
    )
    project_ids: Annotated[
        list[ProjectRef], Field(max_length=50, description="Confine it to these projects.")
    ] = []
    label_ids: Annotated[list[LabelRef], Field(max_length=50, description="Confine it to these labels.")] = []
    initiative_ids: Annotated[
        list[InitiativeRef], Field(max_length=50, description="Confine it to these initiatives.")
    ] = []
    expires_in_days: Annotated[
        int | None, Field(ge=1, le=365, description="For PERSONAL and AGENT keys; never by default.")
    ] = None
    ttl_hours: Annotated[int | None, Field(ge=1, le=168, description="For SESSION keys; 24 by default.")] = (
        None
    )
    rate_per_minute: Annotated[Rate | None, Field(description=_RATE)] = None


class UpdateKey(Changes):
    id: Annotated[str, Field(min_length=1, max_length=40, description="The key's id.")]
    rate_per_minute: Annotated[Rate | None, Clearable(), Field(description=_RATE)] = None


class RevokeKey(Model):
    id: Annotated[str, Field(min_length=1, max_length=40, description="The key's id.")]


class KeyView(Model):
    id: str
    name: str
    prefix: str
    kind: KeyKind
    scopes: list[str]
    user_id: str | None
    linked_agent_id: str | None
    project_ids: list[str]
    label_ids: list[str]
    initiative_ids: list[str]
    rate_per_minute: int | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class NewKey(KeyView):
    raw_key: str
