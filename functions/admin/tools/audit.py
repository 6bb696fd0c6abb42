"""The audit: every change of the workspace, and who made it."""

from forge.context import Context
from forge.contract.days import require_in_order
from forge.contract.effects import FILTERED, Cost
from forge.contract.models import Page
from forge.contract.references import Kind
from forge.errors import InvalidInput
from forge.store.pages import read_page
from forge.work.issues.desks import read_issues
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.pages.listing import Pager
from forge.work.overviews.feed import feed
from forge.work.record.log.rows import LogItem
from forge.work.workspace.meanings import unknown
from functions.admin.models.audit import AuditRow, ListAudit, audit_row
from functions.admin.rules.audit import AboutIssue, WantedRows
from functions.admin.tools import namespace


@namespace.reads(name="audit.list", costs=Cost(reads=3).up_to(reads=8, because=FILTERED))
def list(request: ListAudit, ctx: Context) -> Page[AuditRow]:
    """List who changed what, newest first, with what was different before and after; kept for 400 days.

    Of everything, one kind of thing, one thing, or whatever is about one issue, deleted ones included. One
    thing or issue is found at once; other filters look through 500 changes a page, and `truncated` means
    that more may follow although the page is short: pass nextCursor, or narrow it with from and to.
    `outcome` and `code` tell of calls that changed nothing, too: what the backlog refused or skipped, and
    every call of the gateway.
    Example: {"from": "2026-11-01T00:00:00Z", "limit": 20}
    """
    require_in_order(request.from_, request.to)
    asked = _asked(ctx, request)
    issue = _issue(ctx, request.issue_number) if request.issue_number else None
    wanted = WantedRows(asked.subject_type, asked.subject_id, issue, request.from_, request.to)
    found = read_page(
        ctx.table,
        LogItem,
        wanted.listing(ctx.caller.workspace_id, ctx.caller.log_shards),
        request,
        accepts=wanted.accepts,
    )
    if not found.items and not (request.cursor or wanted.is_bounded):
        feed.require_subject(ctx, asked, field="entityId")
    return Pager(Page[AuditRow]).page(found, audit_row)


def _asked(ctx: Context, request: ListAudit) -> feed.WantedEvents:
    """The thing, by its id."""
    if request.entity_id and not request.entity:
        raise InvalidInput(
            "entityId needs entity.", issues={"entity": "Say what kind of thing entityId is, e.g. issue."}
        )
    asked = feed.WantedEvents(request.entity, request.entity_id, frozenset(), None)
    return feed.named(ctx, asked, field="entityId")


def _issue(ctx: Context, number: int) -> AboutIssue:
    """The issue of this number, also a deleted one: an audit tells of deletions."""
    reference = ctx.table.find(ReferenceItem, ReferenceItem.at(ctx.caller.workspace_id, str(number)))
    issue = read_issues(ctx, [reference.issue_id]).refuse_hidden(reference.issue_id) if reference else None
    if issue is None:
        raise unknown(Kind.ISSUE, "issueNumber", str(number))
    return AboutIssue(issue.id, issue.created_at)
