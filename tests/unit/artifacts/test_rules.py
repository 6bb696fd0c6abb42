"""What an artifact is called, and how it changes."""

from typing import Any

import pytest

from forge.testing.builders import a_caller, a_context, an_artifact
from forge.testing.clock import NOON
from forge.work.content.artifacts.artifacts import ArtifactItem, ArtifactStatus, ArtifactType
from forge.work.content.artifacts.drafts import draft
from functions.artifacts import rules
from functions.artifacts.models import UpdateArtifact


def drafted(title: str = "A report", **asked: Any) -> ArtifactItem:
    return draft(a_context(), title=title, issue_id="iss_1", **asked)


def edited(artifact: ArtifactItem, **asked: Any) -> ArtifactItem:
    return rules.edited(artifact, UpdateArtifact.model_validate({"id": artifact.id, **asked}), NOON)


def test_a_draft_is_a_document_of_its_maker_and_its_issue() -> None:
    made = drafted()

    assert (made.type, made.status, made.issue_id) == ("DOCUMENT", "DRAFT", "iss_1")
    assert (made.created_by_id, made.created_by_agent_id) == ("usr_1", None)
    assert (made.created_at, made.updated_at, made.archived_at) == (NOON, NOON, None)


def test_an_agents_draft_is_the_agents_and_has_whatever_else_is_known_of_it() -> None:
    ctx, spec = a_context(a_caller(agent_id="agt_worker")), ArtifactType.SPEC

    made = draft(ctx, title="Other", issue_id=None, kind=spec, summary="Short", source_id="cmt_1")

    assert (made.created_by_id, made.created_by_agent_id) == (None, "agt_worker")
    assert (made.title, made.type, made.summary, made.source_id) == ("Other", "SPEC", "Short", "cmt_1")


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("A report", "a-report"),
        ("  Über den Wölken: Teil 2! ", "uber-den-wolken-teil-2"),
        ("漢字", "document"),
        ("---", "document"),
        ("x" * 80, "x" * 57),
        ("x" * 56 + " y", "x" * 56),
    ],
)
def test_a_slug_is_read_by_the_title_and_unique_by_the_id(title: str, stem: str) -> None:
    made = drafted(title)

    assert made.slug == f"{stem}-{made.id[-6:]}"
    assert len(made.slug) <= 64


def test_a_slug_that_says_nothing_is_called_by_its_type_and_a_given_one_stays() -> None:
    assert drafted("漢字", kind=ArtifactType.RUNBOOK).slug.startswith("runbook-")
    assert drafted(slug="mine").slug == "mine"


def test_what_is_not_given_stays() -> None:
    artifact = an_artifact(summary="Short", status=ArtifactStatus.ACCEPTED, type=ArtifactType.SPEC)

    assert edited(artifact) == artifact
    assert edited(artifact, body="Only the text") == artifact


@pytest.mark.parametrize(
    ("asked", "became"),
    [
        ({"title": "Other"}, {"title": "Other"}),
        ({"artifactType": "SPEC"}, {"type": ArtifactType.SPEC}),
        ({"slug": "other"}, {"slug": "other"}),
        ({"summary": "Longer"}, {"summary": "Longer"}),
        ({"clear": ["summary"]}, {"summary": None}),
        ({"summary": ""}, {"summary": None}),
        ({"status": "ACCEPTED"}, {"status": ArtifactStatus.ACCEPTED}),
    ],
)
def test_what_is_given_changes(asked: dict[str, Any], became: dict[str, Any]) -> None:
    artifact = an_artifact(summary="Short")

    assert edited(artifact, **asked) == artifact.changed(**became)


@pytest.mark.parametrize("status", [ArtifactStatus.DRAFT, ArtifactStatus.IN_REVIEW, ArtifactStatus.ACCEPTED])
def test_an_artifact_is_stamped_when_it_is_archived_until_it_is_brought_back(status: ArtifactStatus) -> None:
    archived = an_artifact(status=ArtifactStatus.ARCHIVED, archived_at=NOON.replace(hour=1))

    back = rules.with_status(archived, status, NOON)

    assert (back.status, back.archived_at) == (status, None)
    assert rules.with_status(back, ArtifactStatus.ARCHIVED, NOON).archived_at == NOON
    assert rules.with_status(archived, ArtifactStatus.ARCHIVED, NOON) == archived


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("One line", "One line"),
        ("\n\n  # The   heading \n\nText", "The heading"),
        ("> *quoted*\nText", "quoted"),
        ("---\n- item", "item"),
        ("***", "***"),
        ("x" * 300, "x" * 200),
        ("x" * 199 + " y", "x" * 199),
    ],
)
def test_the_title_of_a_text_is_its_first_line_that_says_something(text: str, title: str) -> None:
    assert rules.title_of(text) == title
