"""Workspaces as operators make, see and set them up."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from forge.auth.rates import HIGHEST_CEILING, LOWEST_CEILING
from forge.context import Role
from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import Name, StatusRef
from forge.contract.models import Model, Omittable
from forge.contract.terms import EngagementMode
from forge.work.record.log.rows import MOST_SHARDS
from forge.work.workspace.workspaces import AssigneeDefault, AutoDispatchMode, BudgetAction, MentionPolicy

Minutes = Annotated[int, Field(ge=0, le=525_600)]


Domain = Annotated[
    str,
    Field(pattern=r"^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$", max_length=253),
    AfterValidator(str.lower),
]
StrangersRole = Literal[Role.GUEST, Role.MEMBER]
GroupsRole = Literal[Role.GUEST, Role.MEMBER, Role.ADMIN]


class SignInGroup(Model):
    group: Annotated[
        str, Field(min_length=1, max_length=256, description="As the provider names it, to the letter.")
    ]
    role: Annotated[GroupsRole, Field(description="What its members are at least, from their next sign-in.")]


class CreateWorkspace(Model):
    slug: Annotated[
        str,
        Field(
            pattern=r"^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$", description="Short name in URLs: a-z, 0-9, -."
        ),
    ]
    key: Annotated[
        str, Field(pattern=r"^[A-Z0-9]{2,8}$", description="Prefix of issue identifiers, e.g. DEMO.")
    ]
    name: Annotated[Name, Field(description="What people call it.")]


class UpdateWorkspace(Changes):
    name: Annotated[Name | None, Field(description="What people call it.")] = None
    cycle_length_days: Annotated[int | None, Field(ge=1, le=365, description="Length of a cycle.")] = None
    cycle_cooldown_days: Annotated[int | None, Field(ge=0, le=90, description="Days between cycles.")] = None
    time_tracking_enabled: Annotated[bool | None, Field(description="Whether time.* works.")] = None
    attachment_quota_mb: Annotated[
        int | None, Field(ge=0, le=1_048_576, description="Room for attachments, in MiB.")
    ] = None
    auto_dispatch: Annotated[bool | None, Field(description="Hand queued issues to agents.")] = None
    auto_dispatch_mode: Annotated[AutoDispatchMode | None, Field(description="How agents are chosen.")] = None
    assignment_engagement_mode: Annotated[
        EngagementMode | None, Field(description="Mode of a run that an assignment starts.")
    ] = None
    mention_engagement_policy: Annotated[
        MentionPolicy | None, Field(description="How a mention decides the mode.")
    ] = None
    mention_default_mode: Annotated[EngagementMode | None, Field(description="Mode of a mention.")] = None
    auto_start_on_assign: Annotated[bool | None, Field(description="Wake agents on assignment.")] = None
    require_approval_before_start: Annotated[
        bool | None, Field(description="A person approves before an agent starts.")
    ] = None
    agent_idle_timeout_minutes: Annotated[
        Minutes | None, Field(description="Silence after which an agent is OFFLINE; 0 is never.")
    ] = None
    assignment_sla_minutes: Annotated[
        Minutes | None, Field(description="Time until assigned work counts as stalled; 0 is off.")
    ] = None
    auto_redispatch_on_stall: Annotated[bool | None, Field(description="Give stalled work away.")] = None
    required_ack_seconds: Annotated[
        int | None, Field(ge=0, le=86_400, description="Time an agent has to react; 0 is off.")
    ] = None
    auto_redispatch_on_noack: Annotated[bool | None, Field(description="Give ignored work away.")] = None
    sla_enforcement_enabled: Annotated[bool | None, Field(description="Announce SLA breaches.")] = None
    agent_run_stale_minutes: Annotated[
        Minutes | None, Field(description="Silence after which a run is STALLED; 0 is off.")
    ] = None
    abandon_stalled_after_hours: Annotated[
        int | None,
        Field(ge=0, le=8_760, description="Hours after which a STALLED run is ABANDONED; 0 is never."),
    ] = None
    started_status_id: Annotated[
        StatusRef | None,
        Clearable(),
        Field(description="Status of assigned work, of category IN_PROGRESS."),
    ] = None
    review_status_id: Annotated[
        StatusRef | None,
        Clearable(),
        Field(description="Status of finished work, of category IN_REVIEW."),
    ] = None
    move_on_start: Annotated[
        bool | None,
        Field(description="The first work on an issue moves it: to startedStatusId, or what is in progress."),
    ] = None
    move_on_complete: Annotated[
        bool | None,
        Field(description="A completed run moves its issue: to reviewStatusId, or what is in review."),
    ] = None
    default_issue_assignee_mode: Annotated[
        AssigneeDefault | None, Field(description="Whom a new issue is assigned to.")
    ] = None
    run_token_budget: Annotated[
        int | None, Clearable(), Field(ge=1, le=1_000_000_000_000, description="Most tokens of one run.")
    ] = None
    run_cost_budget_usd: Annotated[
        float | None, Clearable(), Field(ge=0.01, le=1_000_000, description="Most dollars of one run.")
    ] = None
    run_max_minutes: Annotated[
        int | None, Clearable(), Field(ge=1, le=525_600, description="Most minutes of one run.")
    ] = None
    run_max_turns: Annotated[
        int | None, Clearable(), Field(ge=1, le=100_000, description="Most turns of one run.")
    ] = None
    run_budget_warn_pct: Annotated[
        int | None, Field(ge=1, le=100, description="Share of a budget that warns.")
    ] = None
    run_budget_action: Annotated[BudgetAction | None, Field(description="What a spent budget does.")] = None
    review_start_timeout_minutes: Annotated[
        Minutes | None, Field(description="Time a review has to start.")
    ] = None
    webhook_allowed_hosts: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=253)]] | None,
        Field(max_length=20, description="Private hosts that webhooks may reach."),
    ] = None
    calls_per_minute: Annotated[
        int | None,
        Clearable(),
        Field(
            ge=LOWEST_CEILING,
            le=HIGHEST_CEILING,
            description="Most calls a minute of all keys together; no limit by default.",
        ),
    ] = None
    log_shards: Annotated[
        int | None,
        Field(
            ge=1,
            le=MOST_SHARDS,
            description="Partitions of the log, for some 400 calls a second each; can only be raised.",
        ),
    ] = None
    backlog_lease_seconds: Annotated[
        int | None, Field(ge=60, le=86_400, description="How long a lock of the backlog lasts unrenewed.")
    ] = None
    require_gates: Annotated[
        bool | None, Field(description="Whether the gateway changes things only in runs with gates.")
    ] = None
    plans_need_a_person: Annotated[
        bool | None, Field(description="Whether agents start only plans that a person approved.")
    ] = None
    checkpoints_need_a_person: Annotated[
        bool | None, Field(description="Whether people alone answer pipelines and approve gateway runs.")
    ] = None
    sign_in_domains: Annotated[
        list[Domain] | None,
        Field(max_length=20, description="Who signs in with a verified account of these becomes a member."),
    ] = None
    sign_in_role: Annotated[StrangersRole | None, Field(description="What they become.")] = None
    sign_in_groups: Annotated[
        list[SignInGroup] | None,
        Field(max_length=50, description="Roles that groups of the OpenID provider give."),
    ] = None


class DeleteWorkspace(Model):
    confirm: Annotated[str, Field(max_length=60, description="The workspace's slug: that it is meant.")]
    grace_days: Annotated[int, Field(ge=1, le=90, description="How long an owner can undo it.")] = 30


class WorkspaceSettings(Model):
    id: str
    slug: str
    key: str
    name: str
    created_at: datetime
    cycle_length_days: int
    cycle_cooldown_days: int
    time_tracking_enabled: bool
    attachment_quota_mb: int
    auto_dispatch: bool
    auto_dispatch_mode: AutoDispatchMode
    assignment_engagement_mode: EngagementMode
    mention_engagement_policy: MentionPolicy
    mention_default_mode: EngagementMode
    auto_start_on_assign: bool
    require_approval_before_start: bool
    agent_idle_timeout_minutes: int
    assignment_sla_minutes: int
    auto_redispatch_on_stall: bool
    required_ack_seconds: int
    auto_redispatch_on_noack: bool
    sla_enforcement_enabled: bool
    agent_run_stale_minutes: int
    abandon_stalled_after_hours: int
    started_status_id: str | None
    review_status_id: str | None
    move_on_start: bool
    move_on_complete: bool
    default_issue_assignee_mode: AssigneeDefault
    run_token_budget: int | None
    run_cost_budget_usd: float | None
    run_max_minutes: int | None
    run_max_turns: int | None
    run_budget_warn_pct: int
    run_budget_action: BudgetAction
    review_start_timeout_minutes: int
    webhook_allowed_hosts: list[str]
    calls_per_minute: int | None
    log_shards: int
    backlog_lease_seconds: int
    require_gates: bool
    plans_need_a_person: bool
    checkpoints_need_a_person: bool
    sign_in_domains: list[str]
    sign_in_role: Role
    sign_in_groups: list[SignInGroup]
    deletes_at: Omittable[datetime] = None


class NewWorkspace(Model):
    workspace: WorkspaceSettings
    raw_key: str
