"""Preferences as they come in and go out."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from forge.contract.models import Model, Omittable
from forge.work.workspace.people.preferences import Delivery


class PreferenceScope(StrEnum):
    WORKSPACE = "workspace"
    GLOBAL = "global"


class SetPreference(Model):
    event_kind: Annotated[
        str, Field(min_length=1, max_length=80, description="Which events, e.g. ISSUE_STALLED.")
    ]
    enabled: Annotated[bool, Field(description="Whether to hear of them.")]
    delivery: Annotated[Delivery, Field(description="INBOX_AND_DIGEST also marks them for a digest.")] = (
        Delivery.INBOX_ONLY
    )
    scope: Annotated[
        PreferenceScope, Field(description="global counts wherever a workspace has no preference of its own.")
    ] = PreferenceScope.WORKSPACE


class PreferenceView(Model):
    id: str
    user_id: str
    workspace_id: str | None
    event_kind: str
    enabled: bool
    delivery: Delivery


class EffectivePreference(Model):
    """What counts for a kind of event here, and the preferences that it follows from."""

    event_kind: str
    enabled: bool
    delivery: Delivery
    scope: PreferenceScope
    workspace: Omittable[PreferenceView] = None
    everywhere: Annotated[Omittable[PreferenceView], Field(alias="global")] = None
