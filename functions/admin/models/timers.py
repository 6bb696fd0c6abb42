"""What the sweep could not settle, as operators see it."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.models import Model
from forge.work.background.sweep.timers import TimerState


class ListTimers(Model):
    state: Annotated[
        TimerState | None, Field(description="DEAD for what was given up, RETRYING for what is tried again.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=100, description="How many at most.")] = 50
    cursor: Annotated[str | None, Field(max_length=1000, description="nextCursor of the page before.")] = None


class RetryTimer(Model):
    id: Annotated[str, Field(min_length=1, max_length=40, description="The id in timers.list.")]


class TimerView(Model):
    id: str
    subject: str
    state: TimerState
    tries: int
    last_error: str
    failing_since: datetime
    last_failed_at: datetime
    next_try_at: datetime | None


class RetriedTimer(Model):
    id: str
    subject: str
    is_due: bool
