"""Making a bundle of what was read of an issue; whatever could be endless is cut already."""

from collections.abc import Iterable
from typing import NamedTuple

from forge.context import Context
from forge.store.keys import Key
from forge.work.backlog.github.views import bundled
from forge.work.content.artifacts import artifacts
from forge.work.content.artifacts.artifacts import ArtifactStatus
from forge.work.content.comments.views import CommentView, comment_view
from forge.work.issues.desks import Desk
from forge.work.issues.issues import IssueItem, LiveRun
from forge.work.issues.pages.sizes import MAX_ANSWER
from forge.work.issues.relations.relations import RelationView
from forge.work.issues.runs import protocol
from forge.work.issues.runs.runs import RunItem
from forge.work.issues.views import detail_fields, status_of, user_of
from forge.work.overviews.bundles.fitting import (
    MAX_CHECKLIST,
    MAX_EXPECTATION,
    beginning_of,
    cut,
    fitted,
    those_within,
)
from forge.work.overviews.bundles.views import (
    ArtifactBrief,
    BundledCheck,
    BundledComment,
    BundledIssue,
    BundledPlan,
    BundledRelation,
    BundledResume,
    BundledRun,
    BundledStatus,
    BundledStep,
    BundledWorkspace,
    CompletionContract,
    ContextBundle,
    RelatedIssue,
)
from forge.work.overviews.whole import WholeIssue, read_whole
from forge.work.plans import charges
from forge.work.plans.budgets import allowances
from forge.work.plans.budgets.allowances import RunLimits
from forge.work.plans.plans import PlanItem, StepTextItem, ids_at
from forge.work.record.texts import KeptText
from forge.work.workspace.people.names import Names

MAX_COMMENTS = 50

_MAX_DESCRIPTION = 20_000
_MAX_BODY = 12_000
_MAX_FEEDBACK = 6_000
_MAX_COMMENT = 8_000
_MAX_ARTIFACTS = 20
_MAX_ATTACHMENTS = 20


def read_for_bundle(
    ctx: Context, given: str, also: Iterable[Key] = (), *, run_id: str | None = None
) -> WholeIssue:
    def of_head(issue: IssueItem) -> list[Key]:
        live = next((one for one in issue.live_runs if one.run_id == issue.current_run_id), None)
        return keys_of(issue, protocol.shown(issue, live, ctx.caller, run_id=run_id))

    return read_whole(ctx, given, comment_limit=MAX_COMMENTS, also=also, of_head=of_head)


def bundle_of(
    whole: WholeIssue, issue: IssueItem, *, run: RunItem | None = None, run_id: str | None = None
) -> ContextBundle:
    """What was read of the issue, with its head and its run as they have become; short enough to be sent."""
    desk, run = whole.desk, run or whole.current_run
    mine = protocol.shown(issue, run.as_live if run else None, desk.ctx.caller, run_id=run_id)
    job = job_of(desk, mine)
    description = cut(desk.ctx, whole.body.description, most=_MAX_DESCRIPTION)
    comments = _newest_comments(whole)
    links = [link for link in artifacts.links_in(whole.parts) if link.status is not ArtifactStatus.ARCHIVED]
    files = whole.attachment_views()
    bundle = ContextBundle(
        workspace=BundledWorkspace.of(desk.workspace, key=desk.workspace.key_prefix),
        issue=_head(issue, desk.names),
        description=description.text,
        description_truncated=description.is_cut,
        comments=comments,
        comments_truncated=whole.has_more_comments or len(comments) < len(whole.comments) or None,
        attachments=files[-_MAX_ATTACHMENTS:],
        attachments_truncated=len(files) > _MAX_ATTACHMENTS or None,
        relations=[_relation(view) for view in whole.relation_views()],
        current_run=_run(run, desk) if run else None,
        artifacts=[ArtifactBrief.of(link) for link in links[:_MAX_ARTIFACTS]],
        artifacts_truncated=len(links) > _MAX_ARTIFACTS or None,
        step=job.step,
        plan=job.plan,
        completion_contract=job.contract or _contract_of(whole),
        limits=_limits(desk, run, mine, job.of),
        run_protocol=protocol.protocol_of(
            issue, mine, desk.ctx.caller, canonical_names=desk.ctx.call.canonical_names
        ),
        external_resources=[bundled(link, resource) for link, resource in whole.external_resources()],
    )
    return fitted(bundle)


def _head(issue: IssueItem, names: Names) -> BundledIssue:
    shown = detail_fields(issue, names)
    return BundledIssue.of(
        issue,
        **{
            name: shown[name]
            for name in ("identifier", "project", "labels", "assigned_agent", "open_blockers")
        },
        status=BundledStatus.of(status_of(names.workspace, issue)),
        assignees=[user_of(user_id, names) for user_id in sorted(issue.assignee_ids)],
        author=shown["author"],
        queued=issue.queued or None,
    )


def _run(run: RunItem, desk: Desk) -> BundledRun:
    is_own = run.agent_id == desk.ctx.caller.agent_id
    return BundledRun.of(run, resume=BundledResume.of(run.resume) if run.resume and is_own else None)


def _limits(desk: Desk, run: RunItem | None, mine: LiveRun | None, plan: PlanItem | None) -> RunLimits | None:
    """What the agent's own run may use; one request more for a step of a plan that has a budget."""
    if run is None or mine is None or run.id != mine.run_id or run.agent_id != desk.ctx.caller.agent_id:
        return None
    of = charges.of_plan(desk.ctx, plan) if plan and charges.may_exceed(plan) else None
    found = allowances.limits_of(desk.workspace, run, of)
    return found if found != RunLimits() else None


def _relation(view: RelationView) -> BundledRelation:
    other = RelatedIssue.of(view.issue, status=view.issue.status.name)
    return BundledRelation.of(view, issue=other)


def _contract_of(whole: WholeIssue) -> CompletionContract:
    checks = [BundledCheck.of(one, done=one.done or None) for one in whole.body.verification_checklist]
    required = whole.desk.issue.artifact_required
    return _contract(whole.desk.ctx, whole.body.expected_output, checks, artifact_required=required)


def _contract(
    ctx: Context, output: KeptText | None, checks: list[BundledCheck], *, artifact_required: bool
) -> CompletionContract:
    expected = cut(ctx, output, most=MAX_EXPECTATION)
    shown = those_within(checks, MAX_CHECKLIST)
    return CompletionContract(
        expected_output=expected.text,
        expected_output_truncated=expected.is_cut,
        verification_checklist=shown,
        verification_checklist_truncated=len(shown) < len(checks) or None,
        artifact_required=artifact_required,
    )


def _newest_comments(whole: WholeIssue) -> list[BundledComment]:
    """As many as could be sent if there were nothing else: what is longer need not be fetched."""
    desk, room, found = whole.desk, MAX_ANSWER, []
    for comment in (*whole.live_statuses, *reversed(whole.other_comments)):
        if room <= 0:
            break
        found.append(_comment(comment_view(comment, desk.names, desk.ctx.services.store.blobs)))
        room -= len(found[-1].body)
    live = len(whole.live_statuses)
    return [*found[:live], *found[live:][::-1]]


def _comment(view: CommentView) -> BundledComment:
    shown = beginning_of(view.body, _MAX_COMMENT)
    is_cut = len(shown) < len(view.body) or None
    return BundledComment.of(
        view, body=shown, body_truncated=is_cut, suggested_replies=view.suggested_replies or []
    )


class RunPurpose(NamedTuple):
    """What a run is for beyond its issue: the step that is carried out or judged, or the plan to be made."""

    step: BundledStep | None = None
    plan: BundledPlan | None = None
    contract: CompletionContract | None = None
    of: PlanItem | None = None
    """The plan whose step it is."""


def keys_of(issue: IssueItem, run: LiveRun | None) -> list[Key]:
    """What is read of it along with the issue."""
    if run is None:
        return []
    found = [StepTextItem.at(issue.workspace_id, run.step_id)] if run.step_id else []
    return [*found, PlanItem.at(issue.workspace_id, run.plan_id)] if run.plan_id else found


def job_of(desk: Desk, run: LiveRun | None) -> RunPurpose:
    """Read already but of a run from before its plan stood on it."""
    if run is None or (run.step_id is None and run.plan_id is None):
        return RunPurpose()
    desk.fetch(keys_of(desk.issue, run))
    workspace_id = desk.issue.workspace_id
    place = StepTextItem.at(workspace_id, run.step_id or "")
    text = desk.find(StepTextItem, place) if run.step_id else None
    plan_id = run.plan_id or (text.plan_id if text else None)
    if plan_id is None:
        return RunPurpose()
    desk.fetch([PlanItem.at(workspace_id, plan_id)])
    plan = desk.find(PlanItem, PlanItem.at(workspace_id, plan_id))
    if plan is None:
        return RunPurpose()
    if text is None:
        return RunPurpose(plan=BundledPlan.of(plan))
    return _of_step(desk, plan, text)


def _of_step(desk: Desk, plan: PlanItem, text: StepTextItem) -> RunPurpose:
    step = plan.step(text.step_id)
    body = cut(desk.ctx, text.body, most=_MAX_BODY)
    feedback = cut(desk.ctx, text.last_feedback, most=_MAX_FEEDBACK)
    checks = [BundledCheck.of(one, done=None) for one in text.verification]
    contract = _contract(desk.ctx, text.expected_output, checks, artifact_required=False)
    view = BundledStep.of(
        step,
        plan_id=plan.id,
        body=body.text,
        body_truncated=body.is_cut,
        expected_output=contract.expected_output,
        verification=contract.verification_checklist,
        depends_on=ids_at(plan, step.depends_on),
        feedback=feedback.text,
    )
    return RunPurpose(step=view, contract=contract, of=plan)
