"""What the log tells of: the kinds of events, and of what they happen to."""

from enum import StrEnum

ISSUE = "issue"


class EventKind(StrEnum):
    ISSUE_CREATED = "ISSUE_CREATED"
    ISSUE_UPDATED = "ISSUE_UPDATED"
    ISSUE_DELETED = "ISSUE_DELETED"
    ISSUE_ASSIGNED = "ISSUE_ASSIGNED"
    ISSUE_STATUS_CHANGED = "ISSUE_STATUS_CHANGED"
    ISSUE_PRIORITY_CHANGED = "ISSUE_PRIORITY_CHANGED"
    ISSUE_QUEUED = "ISSUE_QUEUED"
    ISSUE_STALLED = "ISSUE_STALLED"
    ISSUE_SLA_BREACH = "ISSUE_SLA_BREACH"
    COMMENT_CREATED = "COMMENT_CREATED"
    COMMENT_UPDATED = "COMMENT_UPDATED"
    PROJECT_CREATED = "PROJECT_CREATED"
    PROJECT_UPDATED = "PROJECT_UPDATED"
    AGENT_ASSIGNED = "AGENT_ASSIGNED"
    AGENT_NOACK = "AGENT_NOACK"
    CHAT_MESSAGE_POSTED = "CHAT_MESSAGE_POSTED"
    AGENT_RUN_STARTED = "AGENT_RUN_STARTED"
    AGENT_RUN_BLOCKED = "AGENT_RUN_BLOCKED"
    AGENT_RUN_COMPLETED = "AGENT_RUN_COMPLETED"
    AGENT_RUN_KICKED = "AGENT_RUN_KICKED"
    AGENT_RUN_STALLED = "AGENT_RUN_STALLED"
    AGENT_CREATED = "AGENT_CREATED"
    AGENT_DELETED = "AGENT_DELETED"
    AGENT_STATUS_CHANGED = "AGENT_STATUS_CHANGED"
    AGENT_UPDATED = "AGENT_UPDATED"
    MEMBERSHIP_CREATED = "MEMBERSHIP_CREATED"
    MEMBERSHIP_REMOVED = "MEMBERSHIP_REMOVED"
    MEMBERSHIP_ROLE_CHANGED = "MEMBERSHIP_ROLE_CHANGED"
    GOAL_CREATED = "GOAL_CREATED"
    GOAL_STATUS_CHANGED = "GOAL_STATUS_CHANGED"
    EXECUTION_STEP_READY = "EXECUTION_STEP_READY"
    EXECUTION_STEP_JUDGED = "EXECUTION_STEP_JUDGED"
    PLAN_BUDGET_EXCEEDED = "PLAN_BUDGET_EXCEEDED"
    PLAN_STALLED = "PLAN_STALLED"


MOVES = frozenset(
    {
        EventKind.ISSUE_UPDATED,
        EventKind.ISSUE_STATUS_CHANGED,
        EventKind.ISSUE_PRIORITY_CHANGED,
        EventKind.ISSUE_QUEUED,
        EventKind.AGENT_ASSIGNED,
    }
)
"""What somebody does to an issue to have it go on; comments and new issues are none."""


class Entity(StrEnum):
    """All that the log tells of."""

    ACTION_REQUEST = "action-request"
    AGENT = "agent"
    AGENT_CREW = "agent-crew"
    AGENT_LOAD = "agent-load"
    AGENT_RUN = "agent-run"
    ARTIFACT = "artifact"
    ATTACHMENT = "attachment"
    BACKLOG = "backlog"
    CHAT_THREAD = "chat-thread"
    COMMENT = "comment"
    CONTINUATION = "continuation"
    CYCLE = "cycle"
    DISPATCH_RULE = "dispatch-rule"
    ERASURE = "erasure"
    ERRAND = "errand"
    EXECUTION_PLAN = "execution-plan"
    EXECUTION_STEP = "execution-step"
    EXPORT = "export"
    EXTERNAL_RESOURCE = "external-resource"
    GATED_RUN = "gated-run"
    GATEWAY = "gateway"
    GITHUB_ISSUE = "github-issue"
    GOAL = "goal"
    INITIATIVE = "initiative"
    ISSUE = "issue"
    KEY = "key"
    LABEL = "label"
    MEMBERSHIP = "membership"
    NOTE = "note"
    PINS = "pins"
    PIPELINE = "pipeline"
    PREFERENCE = "preference"
    PROJECT = "project"
    REPOSITORY = "repository"
    REVIEW_GATE = "review-gate"
    RUNTIME = "runtime"
    STATUS = "status"
    TASK = "task"
    TIME_ENTRY = "time-entry"
    TIMER = "timer"
    WAIT = "wait"
    WEBHOOK = "webhook"
    WEBHOOK_DELIVERY = "webhook-delivery"
    WORKFLOW = "workflow"
    WORKSPACE = "workspace"
