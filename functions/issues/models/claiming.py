"""Queueing issues, and taking them."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from forge.contract.fields import IssueId
from forge.contract.models import Model, Omittable
from forge.work.bundles.views import ContextBundle
from forge.work.issues.views import IssueRow


class QueueIssue(Model):
    id: IssueId


class SetQueued(Model):
    id: IssueId
    queued: Annotated[bool, Field(description="Whether it waits for somebody to take it.")]


class ClaimIssue(Model, rare=["claim_ttl_minutes"]):
    issue_id: Annotated[IssueId | None, Field(description="Default: the best that is free.")] = None
    claim_ttl_minutes: Annotated[int, Field(ge=1, le=1440, description="For how long.")] = 60
    include: Annotated[
        Literal["bundle"] | None, Field(description="Also all that agent.context.bundle tells.")
    ] = None


class ClaimedIssue(Model):
    id: str
    identifier: str
    claim_expires_at: datetime


class Unclaimed(StrEnum):
    """Why nothing was claimed."""

    ALREADY_CLAIMED = "already-claimed"
    CLOSED = "closed"
    BLOCKED = "blocked"
    ASSIGNED_ELSEWHERE = "assigned-elsewhere"
    NOTHING_QUEUED = "nothing-queued"
    ALL_CLAIMED = "all-claimed"
    ALL_BLOCKED = "all-blocked"


class Claim(Model):
    """`claimed` is the issue that is yours now, or null: then `reason` says why.

    With the bundle, which has the whole issue, it is only named.
    """

    claimed: IssueRow | ClaimedIssue | None
    reason: Omittable[Unclaimed] = None
    bundle: Omittable[ContextBundle] = None


class ReleaseIssue(Model):
    id: IssueId
