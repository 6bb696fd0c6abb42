"""Work under a lock: its phases, keeping it, giving it back, and taking it over."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.terms import EXECUTE_ONLY, Effect
from forge.work.backlog.locks import holding
from forge.work.backlog.locks.holding import LockHold
from forge.work.backlog.refusals import retell_lock
from forge.work.backlog.trackers.announcements import ELSEWHERE_CHANGED
from forge.work.backlog.trackers.trackers import StatusMark, Tracked
from forge.work.backlog.workflows.phases import Advance, WorkPhase, judge
from forge.work.backlog.workflows.workflows import WorkflowItem, WorkflowOutcome
from forge.work.content.comments.announcements import COMMENT_POSTED
from forge.work.issues.announcements import (
    ISSUE_CLAIMED,
    ISSUE_LABELLED,
    ISSUE_MOVED,
    ISSUE_RELEASED,
)
from forge.work.issues.backlog_rows.places import BacklogStatus
from forge.work.issues.pages.sights import is_narrowed
from forge.work.issues.runs.announcements import RUN_STARTED
from functions.backlog import making, repository, rules
from functions.backlog.models import (
    AdvancedPhase,
    Advancement,
    AdvanceWorkflow,
    ClaimedIssue,
    ForceClaim,
    ForcedClaim,
    GetWorkflowStatus,
    Release,
    ReleasedLock,
    ReleaseLock,
    Renewal,
    RenewLock,
    WorkflowStatus,
)
from functions.backlog.repository import Backlog
from functions.backlog.tools import in_its_words, namespace

_CLAIMED_HERE = "an imported issue is claimed here, too"
_FORCED = "Issue claimed by new session (force claim)"


@namespace.tool(
    effect=Effect.EXTERNAL_EXEC,
    modes=EXECUTE_ONLY,
    costs=Cost(reads=9, writes=3, items=18).up_to(
        reads=12, writes=4, items=23, because="branch and pull request are made on the way"
    ),
    emits=[ISSUE_CLAIMED, ISSUE_LABELLED, ISSUE_MOVED, ELSEWHERE_CHANGED, RUN_STARTED],
    asks=[
        "go to the next phase",
        "open the pull request",
        "tests passed, commit now",
        "begin the implementation phase",
    ],
)
@in_its_words
def advance_workflow(request: AdvanceWorkflow, ctx: Context) -> Advancement:
    """Go on to a later phase of the issue that your session has locked.

    research, branch, implementation, testing, commit, pr, review: skipping one needs skipJustification, and
    commit and pr need testsPassed or a justification. `branch` names the branch, `pr` opens the pull request.
    Example: {"issueNumber": 12, "targetPhase": "commit", "testsPassed": true}
    """
    backlog = repository.open_backlog(ctx, request.repository, writes=True)
    issue, hold, workflow = _held(ctx, backlog, request.issue_number)
    wanted = Advance(WorkPhase(request.target_phase), request.tests_passed, request.skip_justification)
    if not issue.is_open:
        raise rules.closed(issue.number, workflow.current_phase, wanted.target)
    verdict = judge(workflow.current_phase, wanted, known_tests=workflow.tests_passed)
    if verdict.refusal:
        _note_failed_tests(ctx, backlog, issue, hold, wanted)
        raise rules.cannot_advance(verdict.refusal, workflow.current_phase, wanted.target)
    hold, workflow = making.with_branch(ctx, backlog, issue, hold, workflow, wanted)
    after = workflow.advanced(wanted, verdict.skipped, at=ctx.now(), by=ctx.tool)
    after = making.with_pull_request(ctx, backlog, issue, after, request)
    tx = ctx.plan()
    kept = holding.go_on(tx, hold, after, action="advance")
    backlog.tracker.mark(tx, issue, holding.mark_of(hold, kept, ctx.now()))
    return Advancement(workflow=AdvancedPhase.of(after, previous_phase=workflow.current_phase))


@namespace.tool(
    effect=Effect.EXTERNAL_EXEC,
    modes=EXECUTE_ONLY,
    costs=Cost(reads=6, writes=1, items=24).up_to(reads=7, items=99, because="it frees twenty issues"),
    emits=[ISSUE_RELEASED, ISSUE_LABELLED, ELSEWHERE_CHANGED, ISSUE_MOVED, RUN_STARTED],
    asks=["unlock the issue", "give the lock back", "the pull request was merged"],
)
@in_its_words
def release_lock(request: ReleaseLock, ctx: Context) -> Release:
    """Give back the lock on an issue, and say how the work ended; also one that expired, if nobody took it.

    merged closes the issue; completed leaves it open in review, where nobody selects it; abandoned puts it
    back into the backlog for others. `duration` is how long you had it, in seconds.
    Example: {"issueNumber": 12, "reason": "merged"}
    """
    backlog = repository.open_backlog(ctx, request.repository, writes=True)
    hold = holding.read(ctx, backlog.repository.id, request.issue_number)
    _require_own(ctx, backlog, hold, request.issue_number)
    duration = rules.seconds_since(hold.lease.acquired_at, ctx.now())
    tx = ctx.plan()
    holding.end(tx, hold, request.reason, by=ctx.tool)
    mark = _mark_after(request.reason, turn=hold.lease.version)
    backlog.tracker.settle(tx, request.issue_number, mark, held=hold.lock)
    return Release(
        released=ReleasedLock(issue_number=request.issue_number, reason=request.reason, duration=duration)
    )


@namespace.tool(
    effect=Effect.EXTERNAL_EXEC,
    modes=EXECUTE_ONLY,
    destructive=True,
    retells=retell_lock("LOCK_WRITE_FAILED"),
    costs=Cost(reads=9, writes=1, items=22).up_to(reads=10, items=31, because=_CLAIMED_HERE),
    emits=[ISSUE_CLAIMED, ISSUE_LABELLED, ISSUE_MOVED, ELSEWHERE_CHANGED, COMMENT_POSTED, RUN_STARTED],
    asks=[
        "take it away from another session",
        "override a lock",
        "claim it although somebody has it",
        "take over an issue that another session locked",
    ],
)
@in_its_words
def force_claim(request: ForceClaim, ctx: Context) -> ForcedClaim:
    """Take an issue that another session has locked, and go on where it was; the issue gets a comment.

    The other session can change nothing more; `resumed` has its branch, pull request and phase. Also for work
    in review whose lock expired. `confirmation` must be exactly "I understand this may cause conflicts". For
    an issue that is free, rather use select_next_issue.
    Example: {"issueNumber": 12, "confirmation": "I understand this may cause conflicts"}
    """
    if request.confirmation != rules.CONFIRMATION:
        raise rules.not_confirmed()
    backlog = repository.open_backlog(ctx, request.repository, writes=True)
    issue = backlog.tracker.open(request.issue_number)
    if issue is None or not issue.is_open:
        raise rules.no_such_issue(request.issue_number)
    hold = repository.hold_to_take(ctx, backlog, issue.number)
    text = backlog.tracker.text(issue)
    tx = ctx.plan()
    taken = holding.take(tx, hold, backlog.repository, issue, by=ctx.tool)
    mark = holding.mark_of(hold, taken, ctx.now())
    backlog.tracker.mark(tx, issue, mark._replace(status=rules.work_under(taken).status, comment=_FORCED))
    return ForcedClaim(
        claimed=ClaimedIssue.of(
            issue,
            issue_number=issue.number,
            previous_holder=rules.previous_holder(hold),
            **rules.text_fields(text),
        ),
        lock=rules.lock_view(taken),
        resumed=rules.resumed_work(hold),
    )


@namespace.reads(
    costs=Cost(reads=3).up_to(reads=5, because="a narrowed key looks at the issue"),
    asks=["what do I hold", "how far is it, in which phase", "locks of my session", "progress of the work"],
)
@in_its_words
def get_workflow_status(request: GetWorkflowStatus, ctx: Context) -> WorkflowStatus:
    """Show the phase and the history of the work on an issue, or of all that your session holds.

    Without issueNumber it is all repositories, unless you name one. Of an issue that nobody works on the
    list is empty; `lockedByMe` tells whose it is. Where `isLocked` is false the lock has expired and the work
    waits: its holder goes on with renew_lock, anybody else with select_next_issue or force_claim. Example: {}
    """
    if request.issue_number is None:
        holds = [hold for hold in repository.locks_of_session(ctx) if hold.is_by(ctx.caller)]
        if request.repository:
            only = repository.open_backlog(ctx, request.repository, writes=False).repository.id
            holds = [hold for hold in holds if hold.workflow and hold.workflow.repository_id == only]
        return WorkflowStatus(workflows=[rules.shown(hold, ctx.caller, ctx.now()) for hold in holds])
    backlog = repository.open_backlog(ctx, request.repository, writes=False)
    hold = holding.read(ctx, backlog.repository.id, request.issue_number)
    if is_narrowed(ctx.caller) and not backlog.tracker.keeps_code and not hold.is_by(ctx.caller):
        # Refused where the key may not see the issue.
        backlog.tracker.open(request.issue_number)
    return WorkflowStatus(workflows=[rules.shown(hold, ctx.caller, ctx.now())] if hold.workflow else [])


@namespace.tool(
    effect=Effect.EXTERNAL_EXEC,
    modes=EXECUTE_ONLY,
    costs=Cost(reads=8, writes=1, items=21).up_to(reads=10, items=27, because=_CLAIMED_HERE),
    emits=[ISSUE_CLAIMED, ISSUE_LABELLED, ISSUE_MOVED, ELSEWHERE_CHANGED, RUN_STARTED],
    asks=["keep the lock", "I am still working on it", "extend a lock", "keep a lock longer"],
)
@in_its_words
def renew_lock(request: RenewLock, ctx: Context) -> Renewal:
    """Keep an issue for another 30 minutes, unless your workspace says otherwise.

    Also after the lock has expired, as long as nobody took it: the work is as you left it. Every other call
    on the issue does so, too.
    Example: {"issueNumber": 12}
    """
    backlog = repository.open_backlog(ctx, request.repository, writes=True)
    number = request.issue_number
    hold = holding.read(ctx, backlog.repository.id, number)
    workflow = _require_own(ctx, backlog, hold, number)
    _require_left(ctx, backlog, hold, number)
    tx = ctx.plan()
    kept = holding.go_on(tx, hold, workflow, action="renew")
    if not backlog.tracker.settle(tx, number, holding.mark_of(hold, kept, ctx.now())):
        raise rules.moved_away(number, backlog.repository.full_name, ctx.caller)
    return Renewal(lock=rules.lock_view(kept))


def _held(ctx: Context, backlog: Backlog, number: int) -> tuple[Tracked, LockHold, WorkflowItem]:
    """An issue that the caller's session holds, with the work under its lock."""
    issue = backlog.tracker.open(number)
    hold = holding.read(ctx, backlog.repository.id, number)
    workflow = _require_own(ctx, backlog, hold, number)
    if issue is None:
        raise rules.moved_away(number, backlog.repository.full_name, ctx.caller)
    _require_left(ctx, backlog, hold, number)
    return issue, hold, workflow


def _require_own(ctx: Context, backlog: Backlog, hold: LockHold, number: int) -> WorkflowItem:
    if hold.workflow is None or not hold.is_by(ctx.caller):
        if not backlog.tracker.keeps_code:
            # For the audit, which issue that is.
            backlog.tracker.open(number)
        raise rules.not_locked(
            number, backlog.repository.full_name, hold=hold, caller=ctx.caller, now=ctx.now()
        )
    return hold.workflow


def _require_left(ctx: Context, backlog: Backlog, hold: LockHold, number: int) -> None:
    """Whose lock has run out goes on, unless somebody has the issue by other means."""
    if not hold.is_live(ctx.now()) and not backlog.tracker.is_left(number):
        raise rules.taken_since(number)


def _note_failed_tests(
    ctx: Context, backlog: Backlog, issue: Tracked, hold: LockHold, wanted: Advance
) -> None:
    """That tests failed is known from now on, although the phase stays."""
    if wanted.tests_passed is not False or hold.workflow is None or hold.workflow.tests_passed is False:
        return
    tx = ctx.plan()
    kept = holding.go_on(tx, hold, hold.workflow.changed(tests_passed=False), action="tests-failed")
    backlog.tracker.mark(tx, issue, holding.mark_of(hold, kept, ctx.now()))
    ctx.commit()


def _mark_after(outcome: WorkflowOutcome, *, turn: int) -> StatusMark:
    if outcome is WorkflowOutcome.MERGED:
        return StatusMark(lock=None, turn=turn, is_done=True)
    is_back = outcome is WorkflowOutcome.ABANDONED
    return StatusMark(
        lock=None, turn=turn, status=BacklogStatus.BACKLOG if is_back else BacklogStatus.IN_REVIEW
    )
