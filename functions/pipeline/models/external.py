"""What a caller fetched of an issue, under the names of whichever tracker it is from."""

import re
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from forge.contract.models import Model
from forge.work.pipelines.pipelines import PipelineSource
from functions.pipeline.rules.starting import External, kind_of

LongText = Annotated[str, Field(max_length=100_000)]
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?")


def _text_or_nothing(given: Any) -> object:
    return given if isinstance(given, str) else None


def _number_or_nothing(given: Any) -> object:
    if isinstance(given, str) and _NUMBER.fullmatch(given.strip()):
        given = float(given)
    is_number = isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < 1e9
    return int(given) if is_number else None


def _labels(given: Any) -> object:
    """As texts, or as the objects with names that GitHub's own program gives."""
    rows = given if isinstance(given, list) else []
    names = (row.get("name") if isinstance(row, dict) else row for row in rows)
    return [name for name in names if isinstance(name, str)]


Lenient = Annotated[LongText | None, BeforeValidator(_text_or_nothing)]
Points = Annotated[int | None, BeforeValidator(_number_or_nothing)]
Labels = Annotated[list[str], BeforeValidator(_labels)]


class ExternalContext(
    Model,
    alias_generator=None,
    extra="ignore",
    rare=["title", "body", "summary", "description", "labels", "issue_type", "story_points", "estimate"],
):
    """Whatever has another type than is due is left out, and so is what nobody knows beside what is known."""

    github_title: Annotated[Lenient, Field(description="Of a GitHub issue.")] = None
    github_body: Annotated[Lenient, Field(description="Its text.")] = None
    github_labels: Annotated[Labels, Field(description="Its labels.")] = []
    jira_summary: Annotated[Lenient, Field(description="Of a Jira issue.")] = None
    jira_description: Annotated[Lenient, Field(description="Its text.")] = None
    jira_issue_type: Annotated[Lenient, Field(description="E.g. Bug.")] = None
    jira_story_points: Annotated[Points, Field(description="Its story points.")] = None
    linear_title: Annotated[Lenient, Field(description="Of a Linear issue.")] = None
    linear_description: Annotated[Lenient, Field(description="Its text.")] = None
    linear_labels: Annotated[Labels, Field(description="Its labels.")] = []
    linear_estimate: Annotated[Points, Field(description="Its estimate.")] = None
    title: Annotated[Lenient, Field(description="As GitHub and Linear call it.")] = None
    body: Annotated[Lenient, Field(description="As GitHub calls it.")] = None
    summary: Annotated[Lenient, Field(description="As Jira calls it.")] = None
    description: Annotated[Lenient, Field(description="As Jira and Linear call it.")] = None
    labels: Annotated[Labels, Field(description="Of any of them.")] = []
    issue_type: Annotated[Lenient, Field(description="As Jira calls it.")] = None
    story_points: Annotated[Points, Field(description="As Jira calls them.")] = None
    estimate: Annotated[Points, Field(description="As Linear calls it.")] = None
    source_id: Annotated[Lenient, Field(description="The issue's number or key.")] = None
    source_url: Annotated[Lenient, Field(description="Where it is.")] = None

    @model_validator(mode="before")
    @classmethod
    def _require_known(cls, given: Any) -> Any:
        """Who sends the tracker's answer as it came would begin a pipeline that says nothing."""
        if isinstance(given, dict) and given and not given.keys() & cls.model_fields.keys():
            known = "github_title, github_body, jira_summary, jira_description, linear_title, title, body"
            raise ValueError(f"Nothing of this is known: send what response_mapping names, as {known}.")
        return given


_READ_FROM: dict[PipelineSource | None, dict[str, tuple[str, ...]]] = {
    PipelineSource.GITHUB: {
        "title": ("github_title", "title"),
        "body": ("github_body", "body"),
        "labels": ("github_labels", "labels"),
    },
    PipelineSource.JIRA: {
        "title": ("jira_summary", "summary"),
        "body": ("jira_description", "description"),
        "issue_type": ("jira_issue_type", "issue_type"),
        "story_points": ("jira_story_points", "story_points"),
    },
    PipelineSource.LINEAR: {
        "title": ("linear_title", "title"),
        "body": ("linear_description", "description"),
        "labels": ("linear_labels", "labels"),
        "story_points": ("linear_estimate", "estimate"),
    },
    None: {
        "title": ("title", "summary"),
        "body": ("body", "description"),
        "labels": ("labels",),
        "issue_type": ("issue_type",),
        "story_points": ("story_points", "estimate"),
    },
}
"""Under which names each tracker's fields come: with its prefix, or as the tracker itself calls them."""


def external_of(given: ExternalContext | None, source_url: str | None = None) -> External:
    """The same of every tracker. The URL says which it is, else the first whose prefix a field has."""
    if given is None:
        return External()
    kind = kind_of(given.source_url or source_url) or _prefixed(given)
    read = {
        field: next((found for name in names if (found := getattr(given, name))), None)
        for field, names in _READ_FROM[kind].items()
    }
    told: dict[str, Any] = {
        field: tuple(one) if isinstance(one, list) else one for field, one in read.items() if one
    }
    return External(kind, **told, source_id=given.source_id, source_url=given.source_url)


def _prefixed(given: ExternalContext) -> PipelineSource | None:
    kinds = (kind for kind, fields in _READ_FROM.items() if kind and _has_any(given, fields.values()))
    return next(kinds, None)


def _has_any(given: ExternalContext, names: Iterable[tuple[str, ...]]) -> bool:
    return any(getattr(given, prefixed) for prefixed, _ in names)
