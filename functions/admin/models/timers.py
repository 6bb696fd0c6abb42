"""What the sweep could not settle, as operators see it."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.fields import Paged
from forge.contract.models import Model
from forge.work.background.sweep.timers import TimerState


class ListTimers(Paged):
    state: Annotated[
        TimerState | None, Field(description="DEAD for what was given up, RETRYING for what is tried again.")
    ] = None


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
