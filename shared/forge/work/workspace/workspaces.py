"""The workspace aggregate: identity, settings, and a copy of the statuses."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from forge.context import Role
from forge.contract.terms import EngagementMode
from forge.errors import NotFound
from forge.store.items import Item, Part
from forge.store.keys import At
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.record.log.kinds import EventKind
from forge.work.workspace import statuses
from forge.work.workspace.statuses import StatusCategory, StatusCopy, StatusItem


class AutoDispatchMode(StrEnum):
    MANUAL_ONLY = "MANUAL_ONLY"
    ROUND_ROBIN = "ROUND_ROBIN"
    PRIORITY_MATCH = "PRIORITY_MATCH"
    CAPABILITY_MATCH = "CAPABILITY_MATCH"


class MentionPolicy(StrEnum):
    INFER = "INFER"
    FIXED = "FIXED"
    REQUIRE_MARKER = "REQUIRE_MARKER"


class AssigneeDefault(StrEnum):
    NONE = "NONE"
    CREATOR = "CREATOR"
    USER = "USER"


class BudgetAction(StrEnum):
    PAUSE = "PAUSE"
    STOP = "STOP"


class KeptBacklog(Part):
    """A project whose issues are the backlog of a repository."""

    project_id: str
    repository_id: str


class KnownLabel(Part):
    """A label by which backlogs know a type or a status, and what they know it by."""

    label_id: str
    name: str


class GroupRole(Part):
    """What a group of the team's identity provider makes of its members."""

    group: str
    role: Role


class WorkspaceItem(Item):
    stored = At("WS#{workspace_id}#WORKSPACE", "META", workspace_id="id")

    id: str
    slug: str
    key_prefix: str
    """`DEMO` of `DEMO-12`; called `key` on the wire."""
    name: str
    created_at: datetime
    cycle_length_days: int = 7
    cycle_cooldown_days: int = 0
    time_tracking_enabled: bool = False
    attachment_quota_mb: int = 1024
    auto_dispatch: bool = False
    auto_dispatch_mode: AutoDispatchMode = AutoDispatchMode.MANUAL_ONLY
    assignment_engagement_mode: EngagementMode = EngagementMode.EXECUTE
    mention_engagement_policy: MentionPolicy = MentionPolicy.INFER
    mention_default_mode: EngagementMode = EngagementMode.DISCUSS
    auto_start_on_assign: bool = False
    require_approval_before_start: bool = False
    agent_idle_timeout_minutes: int = 15
    assignment_sla_minutes: int = 0
    auto_redispatch_on_stall: bool = False
    required_ack_seconds: int = 0
    auto_redispatch_on_noack: bool = False
    sla_enforcement_enabled: bool = False
    agent_run_stale_minutes: int = 30
    abandon_stalled_after_hours: int = 24
    started_status_id: str | None = None
    review_status_id: str | None = None
    move_on_start: bool = True
    """Whether work moves its issue when it begins, and when it is completed."""
    move_on_complete: bool = True
    default_issue_assignee_mode: AssigneeDefault = AssigneeDefault.NONE
    run_token_budget: int | None = None
    run_cost_budget_usd: float | None = None
    run_max_minutes: int | None = None
    run_max_turns: int | None = None
    run_budget_warn_pct: int = 80
    run_budget_action: BudgetAction = BudgetAction.PAUSE
    review_start_timeout_minutes: int = 5
    webhook_allowed_hosts: list[str] = []
    calls_per_minute: int | None = None
    """How often all keys together may call; keys have a copy of it, and of the next two."""
    log_shards: int = 1
    """Over how many partitions its log may be spread; never fewer than it was."""
    heard: list[EventKind] | None = None
    """The kinds of events that its webhooks hear of; None where that may be any."""
    claims_sleep_until: datetime | None = None
    """Until when somebody may sleep until there is an issue to claim."""
    deletes_at: datetime | None = None
    """From when on it is deleted for good, where somebody has ordered that."""
    kept_backlogs: list[KeptBacklog] = []
    known_labels: list[KnownLabel] = []
    default_repository_id: str | None = None
    backlog_lease_seconds: int = 1800
    """How long a lock on an issue of a backlog lasts, unless it is renewed."""
    require_gates: bool = False
    """Whether the gateway changes something only in runs that have gates."""
    plans_need_a_person: bool = True
    """Whether a plan runs only if a person lets it."""
    checkpoints_need_a_person: bool = True
    """Whether people alone answer what pipelines ask, and approve runs of the gateway."""
    sign_in_domains: list[str] = []
    """Whoever signs in with an account of one of these becomes a member."""
    sign_in_role: Role = Role.MEMBER
    """The role of members who join by signing in."""
    sign_in_groups: list[GroupRole] = []
    statuses: list[StatusCopy] = []
    """In the order of the board, and changed only together with the statuses themselves."""

    def lets_claims_sleep(self, now: datetime) -> bool:
        return self.claims_sleep_until is not None and now < self.claims_sleep_until

    @property
    def default_status(self) -> StatusCopy:
        """Where new issues start."""
        return next(status for status in self.statuses if status.is_default)

    @property
    def status_once_begun(self) -> StatusCopy | None:
        """Where the first work on an issue moves it; None where it stays."""
        if not self.move_on_start:
            return None
        return self._chosen(self.started_status_id, StatusCategory.IN_PROGRESS)

    @property
    def status_once_completed(self) -> StatusCopy | None:
        """Where completed work goes to be reviewed; None where it stays."""
        if not self.move_on_complete:
            return None
        return self._chosen(self.review_status_id, StatusCategory.IN_REVIEW)

    @property
    def backlog_projects(self) -> dict[str, str]:
        """The projects that keep the backlog of a repository, and the repository's id."""
        return {one.project_id: one.repository_id for one in self.kept_backlogs}

    @property
    def backlog_labels(self) -> dict[str, str]:
        """The labels by which backlogs know types and statuses, by id."""
        return {one.label_id: one.name for one in self.known_labels}

    def _chosen(self, status_id: str | None, category: StatusCategory) -> StatusCopy | None:
        """That status if it is of the category, else the first that is."""
        found = [one for one in self.statuses if one.category is category]
        return next((one for one in found if one.id == status_id), found[0] if found else None)

    def status(self, status_id: str) -> StatusCopy | None:
        return next((status for status in self.statuses if status.id == status_id), None)


def get(table: Table, workspace_id: str) -> WorkspaceItem:
    missing = NotFound("This workspace does not exist any more.")
    return table.get(WorkspaceItem, WorkspaceItem.at(workspace_id), missing=missing)


def which_end(table: Table, workspace_ids: Iterable[str]) -> list[str]:
    """Those of these workspaces that are being deleted or are gone."""
    places = {one: WorkspaceItem.at(one) for one in workspace_ids}
    known = table.read(places.values())
    found = {one: known.find(WorkspaceItem, place) for one, place in places.items()}
    return [one for one, workspace in found.items() if workspace is None or workspace.deletes_at]


def save_statuses(tx: Transaction, workspace: WorkspaceItem, current: Iterable[StatusItem]) -> None:
    """Copy the statuses as they will be.

    The workspace must have been read before them: then whoever changes one meanwhile has moved its version,
    and no copy can miss what they did.
    """
    tx.replace(workspace.changed(statuses=statuses.copies(current, workspace.statuses)))
