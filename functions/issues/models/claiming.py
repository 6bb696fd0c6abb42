"""Queueing issues, and taking them."""

from typing import Annotated

from pydantic import Field

from forge.contract.fields import IssueId
from forge.contract.models import Model, Omittable
from forge.work.issues.views import IssueRow


class QueueIssue(Model):
    id: IssueId


class SetQueued(Model):
    id: IssueId
    queued: Annotated[bool, Field(description="Whether it waits for somebody to take it.")]


class ClaimIssue(Model):
    issue_id: Annotated[IssueId | None, Field(description="Default: the best that is free.")] = None
    claim_ttl_minutes: Annotated[int, Field(ge=1, le=1440, description="For how long.")] = 60


class Claim(Model):
    """`claimed` is the issue that is yours now, or null: then `reason` says why."""

    claimed: IssueRow | None
    reason: Omittable[str] = None


class ReleaseIssue(Model):
    id: IssueId
