"""A desk: everything that a call about one issue is decided on, read in as few requests as possible."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from forge.auth import narrowing
from forge.context import Context
from forge.errors import InvalidInput, NotFound
from forge.store import keys
from forge.store.items import Item
from forge.store.keys import Key
from forge.store.table import Attributes
from forge.work.issues import issue_keys
from forge.work.issues.issues import IssueItem, ReferenceItem
from forge.work.people.names import Names
from forge.work.runs.modes import require_mode
from forge.work.workspaces import workspace_keys
from forge.work.workspaces.workspaces import WorkspaceItem

ItemT = TypeVar("ItemT", bound=Item)
Parts = Callable[[str], Iterable[Key]]
"""What else to read, given the issue's id."""


class Desk:
    """The settings, the issue, and whatever else has been fetched; each `fetch` is one request more."""

    __slots__ = ("ctx", "issue", "rows", "workspace")

    def __init__(
        self, ctx: Context, workspace: WorkspaceItem, issue: IssueItem, rows: dict[Key, Attributes]
    ) -> None:
        self.ctx = ctx
        self.workspace = workspace
        self.issue = issue
        self.rows = rows

    @property
    def names(self) -> Names:
        return Names(self.workspace, self.rows)

    def fetch(self, wanted: Iterable[Key]) -> None:
        missing = [key for key in wanted if key not in self.rows]
        if missing:
            self.rows |= self.ctx.table.find_rows(missing)

    def find(self, kind: type[ItemT], key: Key) -> ItemT | None:
        return kind.from_attributes(self.rows[key]) if key in self.rows else None


class Reference(NamedTuple):
    """An issue as a caller names it: its id, and the prefix of the identifier if that was given instead."""

    issue_id: str
    prefix: str | None = None

    def is_of(self, workspace: WorkspaceItem) -> bool:
        return self.prefix is None or self.prefix.upper() == workspace.key_prefix


def nothing_more(issue_id: str) -> Iterable[Key]:
    return ()


def open_issue(ctx: Context, given: str, parts: Parts = nothing_more) -> Desk:
    """The issue that a call is about, which the caller may see and, in its mode, may do this to."""
    reference = resolve(ctx, given)
    workspace_id = ctx.caller.workspace_id
    head, settings = issue_keys.head(workspace_id, reference.issue_id), workspace_keys.workspace(workspace_id)
    rows = ctx.table.find_rows([head, settings, *parts(reference.issue_id)])
    workspace = workspace_in(ctx, rows)
    issue = IssueItem.from_attributes(rows[head]) if head in rows else None
    if issue is None or issue.deleted_at is not None or not reference.is_of(workspace):
        raise no_such_issue(given)
    require_visible(ctx, issue)
    require_mode(ctx, issue)
    return Desk(ctx, workspace, issue, rows)


def resolve(ctx: Context, given: str) -> Reference:
    """An identifier like `DEMO-12` stands for the issue's id; looking it up is one request more."""
    identifier = issue_keys.IDENTIFIER.fullmatch(given)
    if identifier is None:
        return Reference(given)
    prefix, number = identifier.groups()
    key = keys.reference(ctx.caller.workspace_id, str(int(number)))
    found = ctx.table.find(ReferenceItem, key)
    if found is None:
        raise no_such_issue(given)
    return Reference(found.issue_id, prefix)


def resolve_all(ctx: Context, given: Iterable[str]) -> dict[str, Reference]:
    """The same for many, in one request for a hundred identifiers."""
    identifiers = {one: found for one in given if (found := issue_keys.IDENTIFIER.fullmatch(one))}
    workspace_id = ctx.caller.workspace_id
    places = {one: keys.reference(workspace_id, str(int(found[2]))) for one, found in identifiers.items()}
    rows = ctx.table.find_rows(places.values())
    references = {}
    for one in given:
        if one not in places:
            references[one] = Reference(one)
        elif places[one] in rows:
            known = ReferenceItem.from_attributes(rows[places[one]])
            references[one] = Reference(known.issue_id, identifiers[one][1])
        else:
            raise no_such_issue(one)
    return references


def workspace_in(ctx: Context, rows: dict[Key, Attributes]) -> WorkspaceItem:
    """The settings among what was read."""
    settings = workspace_keys.workspace(ctx.caller.workspace_id)
    if settings not in rows:
        raise NotFound("This workspace does not exist any more.")
    return WorkspaceItem.from_attributes(rows[settings])


def require_visible(ctx: Context, issue: IssueItem) -> None:
    narrowing.require_issue(ctx.caller, project_id=issue.project_id, label_ids=issue.label_ids)


def may_see(ctx: Context, issue: IssueItem) -> bool:
    return issue.deleted_at is None and narrowing.allows_issue(
        ctx.caller.narrowing, project_id=issue.project_id, label_ids=issue.label_ids
    )


def no_such_issue(given: str) -> NotFound:
    return NotFound(
        f"There is no issue {given[:60]!r}.", hint="issues.list shows the issues that this key can see."
    )


def unknown_reference(field: str, what: str, see: str) -> InvalidInput:
    """An id that a field merely refers to is a mistake in the arguments, not a missing subject."""
    return InvalidInput(f"Unknown {what}.", issues={field: f"{see} shows the known ones."})
