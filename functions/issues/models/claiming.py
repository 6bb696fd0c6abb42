"""Queueing issues, and taking them."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from forge.contract.awaiting import Waits
from forge.contract.fields import IssueId
from forge.contract.models import Model, Omittable, OmittableList
from forge.work.issues.claims.holds import By
from forge.work.issues.views import AgentBrief, IssueRow, UserBrief
from forge.work.overviews.bundles.views import ContextBundle


class NamedIssue(Model):
    id: IssueId


class SetQueued(NamedIssue):
    queued: Annotated[bool, Field(description="Whether it waits for somebody to take it.")]


class ClaimIssue(Model, rare=["claim_ttl_minutes", "resume", "holding", "wait_seconds"]):
    issue_id: Annotated[IssueId | None, Field(description="Default: the best that is free.")] = None
    claim_ttl_minutes: Annotated[int, Field(ge=1, le=1440, description="For how long.")] = 60
    include: Annotated[
        Literal["bundle"] | None, Field(description="Also all that agent.context.bundle tells.")
    ] = None
    resume: Annotated[
        bool,
        Field(
            description="First what you claimed before and did not finish. A caller that names its session"
            " (header X-Forge-Session) gets that session's anyway."
        ),
    ] = False
    holding: Annotated[
        list[str], Field(max_length=50, description="Runs that you are at work on: not given back to you.")
    ] = []
    wait_seconds: Annotated[
        int,
        Field(
            ge=0,
            le=86_400,
            description="Where nothing is free: wait for it, 20 at most, or a day where tasks are taken.",
        ),
    ] = 0


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
    YOU_HOLD = "you-hold"


class HeldBy(Model):
    """What keeps the issue from you; without an id, the first that others have or that is blocked."""

    by: By
    identifier: str
    agent: Omittable[AgentBrief] = None
    user: Omittable[UserBrief] = None
    until: Omittable[datetime] = None
    blocked_by: OmittableList[str] = []


class HeldClaim(Model):
    """An unfinished claim of yours; without a run where that has stalled."""

    identifier: str
    run_id: Omittable[str] = None
    since: datetime
    last_sign_at: datetime


class Claim(Model):
    """`claimed` is the issue that is yours now, or null: then `reason` and `heldBy` say why.

    With the bundle, which has the whole issue, it is only named. `resumed` where you had it already.
    `youHold` is what else your agent has claimed: issues.claim with its identifier takes it up again.
    `waits` is for the client, which comes back for the claim.
    """

    claimed: IssueRow | ClaimedIssue | None
    resumed: Omittable[bool] = None
    run_id: Omittable[str] = None
    reason: Omittable[Unclaimed] = None
    held_by: Omittable[HeldBy] = None
    you_hold: OmittableList[HeldClaim] = []
    bundle: Omittable[ContextBundle] = None
    waits: Omittable[Waits] = None
