"""Following issues."""

from datetime import datetime

from forge.contract.fields import IssueId, Limit, Paged
from forge.contract.models import Model
from forge.work.issues.views import AgentBrief, IssueRow, UserBrief


class WatchIssue(Model):
    issue_id: IssueId


class WatchView(Model):
    """Exactly one of user and agent; only the assigned agent is woken by what happens."""

    id: str
    issue_id: str
    user_id: str | None
    agent_id: str | None
    wake_on_activity: bool
    created_at: datetime


class ListWatchers(Paged):
    issue_id: IssueId
    limit: Limit = 100


class WatcherView(WatchView):
    user: UserBrief | None
    agent: AgentBrief | None


class WatchedIssue(Model):
    watch_id: str
    created_at: datetime
    issue: IssueRow
