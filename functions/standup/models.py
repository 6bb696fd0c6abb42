"""A standup as it is asked for and drafted."""

from typing import Annotated

from pydantic import Field

from forge.contract.models import Model, Omittable


class DraftStandup(Model):
    since_hours: Annotated[int, Field(ge=1, le=168, description="How far to look back.")] = 24


class StandupIssue(Model):
    id: str
    number: int
    key: str
    title: str


class StandupCounts(Model):
    """All that belong to a group, of which only some may be shown; `moved` is at most 50."""

    closed: int
    opened: int
    moved: int
    in_progress: int
    blocked: int


class StandupGroups(Model):
    closed: list[StandupIssue]
    opened: list[StandupIssue]
    in_progress: list[StandupIssue]
    blocked: list[StandupIssue]


class Standup(Model):
    """`truncated`: there is more than could be looked at."""

    markdown: str
    since_hours: int
    workspace_key: str
    counts: StandupCounts
    groups: StandupGroups
    truncated: Omittable[bool] = None
