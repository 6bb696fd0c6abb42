"""Following issues."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.fields import Cursor, IssueId
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


class Unwatched(Model):
    ok: bool = True


class ListWatchers(Model):
    issue_id: IssueId
    limit: Annotated[int, Field(ge=1, le=100, description="How many at most.")] = 100
    cursor: Cursor = None


class WatcherView(WatchView):
    user: UserBrief | None
    agent: AgentBrief | None


class ListWatching(Model):
    limit: Annotated[int, Field(ge=1, le=100, description="How many at most.")] = 50
    cursor: Cursor = None


class WatchedIssue(Model):
    watch_id: str
    created_at: datetime
    issue: IssueRow
