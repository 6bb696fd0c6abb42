"""Reading what a bundle holds of an issue, long texts included; whatever could be endless is cut already."""

from typing import NamedTuple

from forge.work import texts
from forge.work.artifacts import artifacts
from forge.work.artifacts.artifacts import ArtifactStatus
from forge.work.comments.views import CommentView, comment_view
from forge.work.issues.views import CheckView, detail_of
from forge.work.issues.whole import WholeIssue
from forge.work.paging.sizes import MAX_ANSWER
from forge.work.runs.protocol import protocol_of
from forge.work.texts import KeptText
from forge.work.workspaces.views import workspace_view
from functions.agent.models import (
    ArtifactBrief,
    BundledComment,
    CompletionContract,
    ContextBundle,
)
from functions.agent.rules import beginning_of, those_within

MAX_COMMENTS = 50

_MAX_DESCRIPTION = 20_000
_MAX_EXPECTATION = 6_000
_MAX_CHECKLIST = 12_000
_MAX_COMMENT = 8_000
_MAX_ARTIFACTS = 20


class _Cut(NamedTuple):
    """A text as it is shown, and whether that is not all of it."""

    text: str | None
    is_cut: bool | None


def bundle_of(whole: WholeIssue) -> ContextBundle:
    desk = whole.desk
    description = _cut(whole, whole.body.description, most=_MAX_DESCRIPTION)
    comments = _newest_comments(whole)
    links = [link for link in artifacts.links_in(whole.parts) if link.status is not ArtifactStatus.ARCHIVED]
    return ContextBundle(
        workspace=workspace_view(desk.workspace),
        issue=detail_of(desk.issue, desk.names),
        description=description.text,
        description_truncated=description.is_cut,
        comments=comments,
        comments_truncated=whole.has_more_comments or len(comments) < len(whole.comments) or None,
        relations=whole.relation_views(),
        current_run=whole.current_run_view(),
        artifacts=[ArtifactBrief.of(link) for link in links[:_MAX_ARTIFACTS]],
        artifacts_truncated=len(links) > _MAX_ARTIFACTS or None,
        completion_contract=_contract(whole),
        run_protocol=protocol_of(desk.issue, whole.current_run, desk.ctx.caller),
    )


def _contract(whole: WholeIssue) -> CompletionContract:
    expected = _cut(whole, whole.body.expected_output, most=_MAX_EXPECTATION)
    checks = [CheckView.of(one) for one in whole.body.verification_checklist]
    shown = those_within(checks, _MAX_CHECKLIST)
    return CompletionContract(
        expected_output=expected.text,
        expected_output_truncated=expected.is_cut,
        verification_checklist=shown,
        verification_checklist_truncated=len(shown) < len(checks) or None,
        artifact_required=whole.desk.issue.artifact_required,
    )


def _cut(whole: WholeIssue, kept: KeptText | None, *, most: int) -> _Cut:
    if kept is None:
        return _Cut(None, None)
    text = texts.read(whole.desk.ctx.services.store.blobs, kept)
    shown = beginning_of(text, most)
    return _Cut(shown, len(shown) < len(text) or None)


def _newest_comments(whole: WholeIssue) -> list[BundledComment]:
    """As many as could be sent if there were nothing else: what is longer need not be fetched."""
    desk, room, found = whole.desk, MAX_ANSWER, []
    for comment in reversed(whole.comments):
        if room <= 0:
            break
        found.append(_comment(comment_view(comment, desk.names, desk.ctx.services.store.blobs)))
        room -= len(found[-1].body)
    return found[::-1]


def _comment(view: CommentView) -> BundledComment:
    shown = beginning_of(view.body, _MAX_COMMENT)
    is_cut = len(shown) < len(view.body) or None
    return BundledComment(**dict(view) | {"body": shown, "body_truncated": is_cut})
