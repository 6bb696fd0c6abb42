"""Looking for issues, and looking at one."""

from forge.auth.actors import identity_of
from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.models import Page
from forge.errors import InvalidInput
from forge.work.content.comments.views import pinned_in
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.issues.pages import sizes
from forge.work.issues.pages.listing import Pager
from forge.work.issues.views import CheckView, detail_of, row_of
from forge.work.overviews.whole import WholeIssue, read_whole
from forge.work.record import texts
from forge.work.record.search import search
from forge.work.record.texts import KeptText
from forge.work.workspace import workspaces
from functions.issues.models.reading import (
    AssignedIssues,
    AssignedRow,
    GetIssue,
    Include,
    Issue,
    Issues,
    ListIssues,
)
from functions.issues.repository import reading as repository
from functions.issues.rules import reading as filters
from functions.issues.tools import namespace

# What an issue grows by when it says that comments were left out.
_ROOM_TO_SAY_SO = 30


@namespace.reads(
    costs=Cost(reads=12).up_to(reads=23, because=FILTERED),
    asks=[
        "find issues about a topic",
        "look for duplicates",
        "what is open",
        "filter by priority or project",
        "overview of bugs",
        "issues with a label",
    ],
)
def list(request: ListIssues, ctx: Context) -> Issues:
    """List issues, the most urgent and newest first; every filter narrows.

    Look with `query` before you create one. For texts and comments use issues.get.
    Example: {"status": "TODO", "priorities": ["HIGH", "URGENT"]}
    """
    pager = Pager(Issues, request.fields)
    is_by_status = request.status or request.status_id
    known = workspaces.get(ctx.table, ctx.caller.workspace_id).statuses if is_by_status else ()
    states = filters.wanted_states(request, known)
    initiatives = repository.initiatives_of_projects(ctx) if filters.names_initiatives(request) else {}
    accepts = filters.accepts(request, ctx.caller, states, initiatives)
    read = repository.search_list if request.query else repository.read_list
    found = repository.fitting(read(ctx, request, states, accepts))
    names = repository.names_for(ctx, found, request)
    total = repository.total_of(ctx, request, states, names.workspace.statuses)
    coverage = search.COVERAGE if request.query else None
    order = filters.by_number(request)
    return pager.page(found, lambda issue: row_of(issue, names), order=order, total=total, coverage=coverage)


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=3, because="many parts are read in two requests"),
    asks=["look at one issue", "show a ticket", "details of a task", "what is DEMO-1 about"],
)
def get(request: GetIssue, ctx: Context) -> Issue:
    """Return one issue; lean unless `include` asks for more. To begin work, use agent.context.bundle.

    Example: {"id": "DEMO-1", "include": {"description": true, "comments": {"limit": 50}}}
    """
    include = request.include or Include()
    whole = read_whole(ctx, request.id, comment_limit=include.comment_limit)
    detail = detail_of(whole.desk.issue, whole.desk.names)
    issue = Issue(**dict(detail), **_sections(whole, include))
    return sizes.fitted(
        issue, [_without_old_comments, _without_old_attachments], room_to_say_so=_ROOM_TO_SAY_SO
    )


@namespace.reads(
    costs=Cost(reads=5).up_to(reads=6, because=FILTERED),
    asks=["my tasks", "my work", "what was given to me", "what do I have to do", "issues I have to work on"],
)
def assigned(request: AssignedIssues, ctx: Context) -> Page[AssignedRow]:
    """List an agent's open issues, given or `claimed`, the most urgent and oldest first; by default your own.

    Example: {"limit": 10}
    """
    pager = Pager(Page[AssignedRow], request.fields)

    def accepts(issue: IssueItem) -> bool:
        return (
            filters.is_visible(issue, ctx.caller.narrowing)
            and (request.include_done or issue.is_open)
            and request.project_id in (None, issue.project_id)
        )

    agent_id = _agent_id(request, ctx)
    found = repository.fitting(repository.issues_of_agent(ctx, request, agent_id, accepts))
    names = repository.names_for(ctx, found, request)

    def row(issue: IssueItem) -> AssignedRow:
        is_claimed = issue.claimed_by_agent_id == agent_id and issue.is_claimed(ctx.now())
        return AssignedRow(**dict(row_of(issue, names)), claimed=is_claimed)

    return pager.page(found, row)


def _sections(whole: WholeIssue, include: Include) -> dict[str, object]:
    sections: dict[str, object] = {}
    if include.description:
        sections |= _texts(whole)
    if include.comments:
        sections |= {"comments": whole.comment_views()}
        sections |= {"comments_truncated": True} if whole.has_more_comments else {}
    if include.attachments:
        sections |= {"attachments": whole.attachment_views()}
    if include.relations:
        sections |= {"relations": whole.relation_views()}
    if include.current_run:
        sections |= {"current_run": whole.current_run_view()}
    return sections


def _without_old_comments(issue: Issue, excess: int) -> Issue:
    """The newest one stays: comments.list goes on with the others."""
    comments = issue.comments or []
    pinned = pinned_in(one.kind for one in comments)
    shown = sizes.without_old(comments, excess, pinned=pinned, least=1)
    if len(shown) == len(comments):
        return issue
    return issue.model_copy(update={"comments": shown, "comments_truncated": True})


def _without_old_attachments(issue: Issue, excess: int) -> Issue:
    """attachments.list shows the others."""
    newest_first = (issue.attachments or [])[::-1]
    shown = sizes.fewer(newest_first, excess)[::-1]
    if len(shown) == len(newest_first):
        return issue
    return issue.model_copy(update={"attachments": shown, "attachments_truncated": True})


def _texts(whole: WholeIssue) -> dict[str, object]:
    body: BodyItem = whole.body

    def read(kept: KeptText | None) -> str | None:
        return texts.read(whole.desk.ctx.services.store.blobs, kept) if kept else None

    return {
        "description": read(body.description),
        "expected_output": read(body.expected_output),
        "verification_checklist": [CheckView.of(one) for one in body.verification_checklist],
    }


def _agent_id(request: AssignedIssues, ctx: Context) -> str:
    if request.profile_key and request.agent_id not in (None, request.profile_key):
        raise InvalidInput("These are two agents.", issues={"profileKey": "Leave it out, or agentId."})
    agent_id = request.profile_key or request.agent_id or ctx.caller.agent_id
    if agent_id is None:
        identity_of(ctx.caller)
        raise InvalidInput(
            "This key is not linked to an agent.", issues={"agentId": "Say whose issues you want."}
        )
    return agent_id
