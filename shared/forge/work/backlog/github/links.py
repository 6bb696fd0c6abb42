"""Links between issues and what they have on GitHub: each is stored with both, so that either finds it."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from forge.context import Context
from forge.errors import PreconditionFailed
from forge.store.items import Item
from forge.store.keys import At
from forge.store.ranges import SortRange
from forge.store.readings import Rows
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.work.backlog.github.resources import OF_RESOURCE, ResourceItem
from forge.work.issues.issues import OF_ISSUE, IssueItem

MAX_OF_ISSUE = 20
"""An issue is read together with all that is linked to it."""
MAX_OF_RESOURCE = 20
"""What happens on GitHub is carried over to all of them."""
_MOST_READ = 100
"""More than there may be: those who add at the same moment count alike."""


class LinkKind(StrEnum):
    SOURCE = "SOURCE"
    IMPLEMENTS = "IMPLEMENTS"
    REVIEWS = "REVIEWS"
    RELATES_TO = "RELATES_TO"


class LinkItem(Item):
    """A link as its issue has it. It never changes."""

    # The head follows right after the links, among the parts of an issue.
    stored = At(OF_ISSUE, "X#LINK#{resource_id}#{kind}")

    workspace_id: str
    id: str
    issue_id: str
    resource_id: str
    kind: LinkKind
    created_by_id: str | None = None
    created_by_agent_id: str | None = None
    created_at: datetime


class LinkedIssueItem(Item):
    """The link as it stands with the GitHub resource: which issue it leads to."""

    stored = At(OF_RESOURCE, "ISSUE#{issue_id}#{kind}")

    workspace_id: str
    resource_id: str
    issue_id: str
    kind: LinkKind


HEAD_AND_LINKS = SortRange(first=LinkItem.stored.prefix(), last=IssueItem.stored.sort)


class KnownLinks(NamedTuple):
    """What is known of something on GitHub: None and nobody, if it was never linked."""

    resource: ResourceItem | None
    linked: list[LinkedIssueItem]


def find_known(table: Table, workspace_id: str, resource_id: str) -> KnownLinks:
    """A resource on GitHub and the issues that are linked to it; one request."""
    rows = table.query_all(OF_RESOURCE(workspace_id, resource_id), most=_MOST_READ)
    found = rows.of(ResourceItem)
    return KnownLinks(found[0] if found else None, rows.of(LinkedIssueItem))


def links_in(rows: Rows) -> list[LinkItem]:
    """Those among the parts of an issue, the oldest first."""
    found = rows.of(LinkItem)
    return sorted(found, key=lambda one: (one.created_at, one.id))


def new(ctx: Context, *, issue_id: str, resource_id: str, kind: LinkKind) -> LinkItem:
    return LinkItem(
        workspace_id=ctx.caller.workspace_id,
        id=ctx.new_id("lnk"),
        issue_id=issue_id,
        resource_id=resource_id,
        kind=kind,
        created_by_id=ctx.caller.user_id,
        created_by_agent_id=ctx.caller.agent_id,
        created_at=ctx.now(),
    )


def add(tx: Transaction, link: LinkItem) -> None:
    """Store a link on both sides; if another call stores the same one first, this call is decided again."""
    linked = LinkedIssueItem(
        workspace_id=link.workspace_id,
        resource_id=link.resource_id,
        issue_id=link.issue_id,
        kind=link.kind,
    )
    for row in (link, linked):
        tx.create(row, refusal=overtaken)


def require_room(own: int, linked: int) -> None:
    """`own` links of the issue, and `linked` issues of what it is to be linked with."""
    if own >= MAX_OF_ISSUE:
        raise PreconditionFailed(
            f"This issue has {MAX_OF_ISSUE} links to GitHub, which is the most.",
            hint="Name the others in a comment: comments.create.",
        )
    if linked >= MAX_OF_RESOURCE:
        raise PreconditionFailed(
            f"{MAX_OF_RESOURCE} issues are linked to it on GitHub, which is the most.",
            hint="Relate your issue to one of them instead: relations.add.",
        )
