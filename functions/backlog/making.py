"""What work brings about besides its phases: a branch, and a pull request."""

from forge.context import Context
from forge.work.backlog import wording
from forge.work.backlog.locks import holding
from forge.work.backlog.locks.holding import LockHold
from forge.work.backlog.trackers.trackers import PullRequest, Tracked
from forge.work.backlog.workflows.phases import ORDER, Advance, WorkPhase
from forge.work.backlog.workflows.workflows import WorkflowItem
from functions.backlog import repository, rules
from functions.backlog.models import AdvanceWorkflow
from functions.backlog.repository import Backlog


def with_branch(
    ctx: Context, backlog: Backlog, issue: Tracked, hold: LockHold, workflow: WorkflowItem, wanted: Advance
) -> tuple[LockHold, WorkflowItem]:
    """From its phase on there is a branch, also where that phase was skipped.

    Where it is really made, that is intended first: whoever dies after the deed finds it, and knows it.
    """
    if workflow.branch_name or ORDER.index(wanted.target) < ORDER.index(WorkPhase.BRANCH):
        return hold, workflow
    earlier = _earlier(ctx, backlog, workflow)
    left = next((name for one in earlier if one.is_left and (name := _branch_of(one))), None)
    branch = workflow.intended_branch or left or wording.branch_name(issue.number, issue.title)
    if backlog.tracker.keeps_code:
        if workflow.intended_branch is None:
            hold, workflow = _intend(ctx, backlog, issue, hold, workflow, wanted, branch, earlier)
        backlog.tracker.make_branch(branch)
    return hold, workflow.changed(branch_name=branch, intended_branch=None)


def with_pull_request(
    ctx: Context, backlog: Backlog, issue: Tracked, after: WorkflowItem, request: AdvanceWorkflow
) -> WorkflowItem:
    """The workflow with its pull request, if it is in phase PR: that of work left behind, else a new one."""
    if after.current_phase is not WorkPhase.PR or after.branch_name is None:
        return after
    words = wording.pull_request(
        number=issue.number,
        title=issue.title,
        type_name=issue.type,
        given_title=request.pr_title,
        given_body=request.pr_body,
        evidence=wording.evidence_of(
            tests_passed=after.tests_passed, justification=request.skip_justification
        ),
    )
    earlier = [] if backlog.tracker.keeps_code else _earlier(ctx, backlog, after)
    left = [one for one in earlier if one.is_left]
    known = (PullRequest(one.pr_number, one.pr_url) for one in left if one.pr_number and one.pr_url)
    opened = next(known, None) or backlog.tracker.open_pull_request(issue, words, branch=after.branch_name)
    return after.changed(pr_number=opened.number, pr_url=opened.url, pr_title=words.title, pr_body=words.body)


def _earlier(ctx: Context, backlog: Backlog, workflow: WorkflowItem) -> list[WorkflowItem]:
    """Work that is over, the latest first; the first who ever has the issue asks nobody."""
    return [] if workflow.fence <= 1 else repository.earlier_work(ctx, backlog, workflow.number)


def _branch_of(work: WorkflowItem) -> str | None:
    return work.branch_name or work.intended_branch


def _intend(
    ctx: Context,
    backlog: Backlog,
    issue: Tracked,
    hold: LockHold,
    workflow: WorkflowItem,
    wanted: Advance,
    branch: str,
    earlier: list[WorkflowItem],
) -> tuple[LockHold, WorkflowItem]:
    """A branch that is there belongs to somebody else, unless earlier work made it or the caller says why."""
    is_asked_for = wanted.target is not WorkPhase.BRANCH and wanted.reason
    if (
        backlog.tracker.is_branch_there(branch)
        and not is_asked_for
        and branch not in map(_branch_of, earlier)
    ):
        raise rules.branch_exists(branch)
    tx = ctx.plan()
    kept = holding.go_on(tx, hold, workflow.changed(intended_branch=branch), action="intend-branch")
    backlog.tracker.mark(tx, issue, holding.mark_of(hold, kept, ctx.now()))
    ctx.commit()
    renewed = holding.read(ctx, backlog.repository.id, issue.number)
    if renewed.workflow is None or not renewed.is_by(ctx.caller):
        raise rules.not_locked(
            issue.number, backlog.repository.full_name, hold=renewed, caller=ctx.caller, now=ctx.now()
        )
    return renewed, renewed.workflow
