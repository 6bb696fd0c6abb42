"""Figures of the workspace as they go out."""

from forge.contract.models import Model, Omittable
from forge.work.workspace.statuses import StatusCategory


class StatusCount(Model):
    status_id: str
    name: str
    category: StatusCategory
    count: int


class Throughput(Model):
    last7_days: int
    last30_days: int


class Breaches(Model):
    sla: int
    stalled: int
    noack: int


class Summary(Model):
    """`breaches` is null where they are not counted; `truncated`: not all issues were looked at."""

    open_issues: int
    done_issues: int
    by_status: list[StatusCount]
    throughput: Throughput
    breaches: Breaches | None
    truncated: Omittable[bool] = None
