"""Filing issues, choosing the next one, and looking at what there is."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.terms import EXECUTE_ONLY, Effect
from forge.work.backlog import scans, wording
from forge.work.backlog.locks import holding
from forge.work.backlog.refusals import retell_lock
from forge.work.backlog.trackers.announcements import ELSEWHERE_CHANGED, ELSEWHERE_CREATED
from forge.work.backlog.trackers.trackers import PRIORITIES, WORDS, Draft
from forge.work.issues.announcements import (
    ISSUE_CLAIMED,
    ISSUE_CREATED,
    ISSUE_LABELLED,
    ISSUE_MOVED,
)
from forge.work.issues.auto_dispatch import lines
from forge.work.issues.backlog_rows import scores
from forge.work.issues.runs.announcements import RUN_STARTED
from forge.work.issues.runs.modes import require_mode_anywhere
from functions.backlog import repository, rules
from functions.backlog.models import (
    BacklogList,
    BacklogRow,
    CreatedIssue,
    CreateIssue,
    Creation,
    CurrentPhase,
    ListBacklog,
    NextIssue,
    Selection,
    SelectNextIssue,
)
from functions.backlog.tools import in_its_words, namespace

_CLASSES = "24 classes of each type are asked for"
_GIVEN_OUT = "who is free is looked for, and each label and word is a row"
_CROWD = 64
"""How many are lined up for those who lost a race."""


@namespace.tool(
    effect=Effect.EXTERNAL_EXEC,
    modes=EXECUTE_ONLY,
    costs=Cost(reads=5, writes=3, items=18).up_to(reads=9, writes=4, items=60, because=_GIVEN_OUT),
    emits=[ISSUE_CREATED, ELSEWHERE_CREATED],
    asks=["add to the backlog", "file an issue in a repository"],
)
@in_its_words
def create_issue(request: CreateIssue, ctx: Context) -> Creation:
    """Create an issue in the backlog of a repository, with a priority and a type.

    Without `body` the text is made of title, context, acceptanceCriteria and technicalNotes. Look with
    list_backlog first, so that nothing is filed twice. Where there is no such repository: REPO_NOT_FOUND.
    Example: {"title": "Login hangs on Safari", "priority": "high", "type": "bug"}
    """
    backlog = repository.open_backlog(ctx, request.repository, writes=True)
    require_mode_anywhere(ctx)
    text = wording.body(
        title=request.title,
        given=request.body,
        context=request.context,
        criteria=request.acceptance_criteria,
        notes=request.technical_notes,
    )
    draft = Draft(request.title, text, PRIORITIES[request.priority], request.type)
    made = backlog.tracker.create(draft)
    return Creation(issue=CreatedIssue.of(made, html_url=made.url, labels=[*made.labels]))


@namespace.tool(
    effect=Effect.EXTERNAL_EXEC,
    modes=EXECUTE_ONLY,
    retells=retell_lock("LOCK_ACQUISITION_FAILED"),
    costs=Cost(reads=13, writes=1, items=21).up_to(reads=60, items=27, because=_CLASSES),
    emits=[ISSUE_CLAIMED, ISSUE_LABELLED, ISSUE_MOVED, ELSEWHERE_CHANGED, RUN_STARTED],
    asks=[
        "lock the issue with the highest score",
        "lock the next issue",
        "next bug or feature to work on",
    ],
)
@in_its_words
def select_next_issue(request: SelectNextIssue, ctx: Context) -> Selection:
    """Take the most urgent issue of a repository that is free, and lock it for your session.

    The lock lasts 30 minutes unless your workspace says otherwise, and whatever you do under it renews it.
    Your session is what you send as header X-Forge-Session. Of work that somebody left, `resumed` has branch,
    pull request and phase: go on there. If nothing is free, `success` is false and `reason` says why:
    no_issues, or all_locked. Each call takes another issue.
    Example: {"includeTypes": ["bug"]}
    """
    backlog = repository.open_backlog(ctx, request.repository, writes=True)
    place = lines.place_in_line(ctx, f"backlog#{backlog.repository.id}")
    if place is None:
        require_mode_anywhere(ctx)
    types = rules.types_of(request.include_types, request.exclude_types)
    line = backlog.tracker.candidates(types, wanted=1 if place is None else _CROWD)
    found = repository.first_free(ctx, backlog, line if place is None else lines.in_turn(line, place))
    if found is None:
        return rules.nothing_to_select(backlog.tracker.supply(types))
    issue, hold, candidate = found
    text = backlog.tracker.text(issue)
    tx = ctx.plan()
    taken = holding.take(tx, hold, backlog.repository, issue, by=ctx.tool)
    work = rules.work_under(taken)
    mark = holding.mark_of(hold, taken, ctx.now())
    backlog.tracker.mark(tx, issue, mark._replace(status=work.status))
    return Selection(
        issue=NextIssue.of(
            issue,
            html_url=issue.url,
            priority=WORDS.get(issue.priority),
            priority_score=scores.shown(candidate.score),
            age_in_days=candidate.age_in_days,
            **rules.text_fields(text),
        ),
        lock=rules.lock_view(taken),
        workflow=CurrentPhase(current_phase=work.current_phase),
        resumed=rules.resumed_work(hold),
        previous_holder=rules.previous_holder(hold),
    )


@namespace.reads(
    open_world=True,
    costs=Cost(reads=7).up_to(reads=110, because=_CLASSES),
    asks=["what is in the backlog", "backlog by priority", "which issues are locked"],
)
@in_its_words
def list_backlog(request: ListBacklog, ctx: Context) -> BacklogList:
    """List the open issues of a repository, the most urgent first, with score, age, status and who has each.

    It locks nothing: to take one, use select_next_issue. `takenBy` has who else it is claimed by or assigned
    to. Example: {"includeTypes": ["bug"], "limit": 10}
    """
    backlog = repository.open_backlog(ctx, request.repository, writes=False)
    types = rules.types_of(request.include_types, request.exclude_types)
    found = backlog.tracker.listing(types, limit=request.limit)
    rows = [
        BacklogRow.of(
            issue,
            priority=WORDS.get(issue.priority),
            priority_score=scores.shown(scored.score),
            age_in_days=scored.age_in_days,
            is_locked=(is_locked := issue.lock is not None and issue.lock.until > ctx.now()),
            locked_by=issue.lock.session_id if issue.lock and is_locked else None,
            taken_by=None if is_locked else scans.takers_of(scored.row, ctx.now()) or None,
        )
        for issue, scored in found.issues
    ]
    return BacklogList(backlog=rows, total=found.total)
