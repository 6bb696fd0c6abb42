"""The one door to an issue: whether it is there, may be seen and may be changed is decided here alone.

A desk is an open issue with everything that a call about it is decided on, read in as few requests as
possible. Whatever leads to other issues, such as a list or a relation, gets them through a `Reach`.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from forge.auth import narrowing
from forge.context import Context
from forge.errors import DomainError, Forbidden, InvalidInput, NotFound
from forge.store.items import Item
from forge.store.keys import Key
from forge.store.ranges import SortRange
from forge.store.readings import Readings, Rows
from forge.store.transactions import Transaction
from forge.work.issues.identifiers import IDENTIFIER, ReferenceItem
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.issues.runs.modes import require_may_change
from forge.work.issues.watchers import WatchItem
from forge.work.workspace.people.names import Names
from forge.work.workspace.workspaces import WorkspaceItem

ItemT = TypeVar("ItemT", bound=Item)
Parts = Callable[[str], Iterable[Key]]
"""What else to read, given the issue's id."""
Missing = Callable[[str], DomainError]


class Reference(NamedTuple):
    """An issue as a caller names it: its id, and the prefix of the identifier if that was given instead."""

    issue_id: str
    prefix: str | None = None

    def is_of(self, workspace: WorkspaceItem) -> bool:
        return self.prefix is None or self.prefix.upper() == workspace.key_prefix


class Desk:
    """The settings, the issue, and whatever else was fetched. Made in this module alone: see `open_issue`."""

    __slots__ = ("_head", "_readings", "ctx", "workspace")

    def __init__(self, ctx: Context, issue_id: str, readings: Readings) -> None:
        self.ctx = ctx
        self.workspace = settings_in(ctx, readings)
        self._head = IssueItem.at(ctx.caller.workspace_id, issue_id)
        self._readings = readings

    @property
    def issue(self) -> IssueItem:
        return self._readings.get(IssueItem, self._head)

    @property
    def names(self) -> Names:
        return Names(self.workspace, self._readings)

    def fetch(self, wanted: Iterable[Key], *, issue_ids: Iterable[str] = ()) -> None:
        """One request, or none where everything was read before."""
        heads = (IssueItem.at(self.issue.workspace_id, issue_id) for issue_id in issue_ids)
        self._readings.fetch([*wanted, *heads])

    def find(self, kind: type[ItemT], key: Key) -> ItemT | None:
        """The item, or None where it is not there; what was never fetched raises."""
        return self._readings.find(kind, key)

    def get(self, kind: type[ItemT], key: Key) -> ItemT:
        return self._readings.get(kind, key)

    def has(self, key: Key) -> bool:
        return self._readings.has(key)

    def take_over(self, tx: Transaction) -> None:
        """Go on with what an earlier transaction of the same call has stored."""
        self._readings.take_over(tx)

    def other(self, issue_id: str) -> IssueItem | None:
        """Another issue that follows from a change of this one, whether or not the caller may see it."""
        return self._readings.find(IssueItem, IssueItem.at(self.issue.workspace_id, issue_id))

    def beside(self, issue_id: str, *, missing: DomainError) -> IssueItem:
        """Another issue that changes along, deleted or not, which the caller may do this to as well."""
        issue = self.other(issue_id)
        if issue is None:
            raise missing
        Reach(self.ctx, self._readings).refuse_hidden(issue_id)
        require_may_change(self.ctx, issue)
        return issue

    def visible(self, issue_id: str) -> IssueItem | None:
        """Another issue, if there is one that the caller may see."""
        return Reach(self.ctx, self._readings).find(issue_id)


class Reach:
    """Issues that were read, and what the caller may do with each."""

    __slots__ = ("_ctx", "readings")

    def __init__(self, ctx: Context, readings: Readings) -> None:
        self._ctx = ctx
        self.readings = readings

    @property
    def names(self) -> Names:
        return Names(settings_in(self._ctx, self.readings), self.readings)

    def find(self, issue_id: str) -> IssueItem | None:
        """The issue, if there is one that the caller may see."""
        issue = self.readings.find(IssueItem, IssueItem.at(self._ctx.caller.workspace_id, issue_id))
        return issue if issue is not None and may_see(self._ctx, issue) else None

    def refuse_hidden(self, issue_id: str) -> IssueItem | None:
        """Refuse an issue that is there, but not for this caller; else what is there, deleted or not."""
        issue = self.readings.find(IssueItem, IssueItem.at(self._ctx.caller.workspace_id, issue_id))
        if issue is not None:
            self._require_visible(issue)
        return issue

    def show(self, reference: Reference, *, missing: DomainError) -> IssueItem:
        """The issue, which the caller may see; else why not."""
        key = IssueItem.at(self._ctx.caller.workspace_id, reference.issue_id)
        issue = self.readings.find(IssueItem, key)
        if (
            issue is None
            or issue.deleted_at is not None
            or not reference.is_of(settings_in(self._ctx, self.readings))
        ):
            raise missing
        self._require_visible(issue)
        return issue

    def open(self, reference: Reference, *, missing: DomainError) -> Desk:
        """The same on a desk, if the caller may, in its mode, do to it what the tool does."""
        issue = self.show(reference, missing=missing)
        require_may_change(self._ctx, issue)
        return Desk(self._ctx, issue.id, self.readings)

    def _require_visible(self, issue: IssueItem) -> None:
        narrowing.require_issue(
            self._ctx.caller, project_id=issue.project_id, label_ids=issue.label_ids, issue_id=issue.id
        )


def nothing_more(issue_id: str) -> Iterable[Key]:
    return ()


def open_issue(
    ctx: Context,
    given: str,
    parts: Parts = nothing_more,
    *,
    beside: Iterable[Reference] = (),
    readings: Readings | None = None,
) -> Desk:
    """The issue that a call is about, which the caller may see and, in its mode, may do this to.

    `beside` are other issues, read in the same request; `readings` is what led to the issue, where something
    had to be read to find it.
    """
    reference = resolve(ctx, given)
    reach = read_issues(
        ctx,
        [reference.issue_id, *(one.issue_id for one in beside)],
        also=[settings_key(ctx), *parts(reference.issue_id)],
        readings=readings,
    )
    return reach.open(reference, missing=no_such_issue(given))


def new_issue(
    ctx: Context, issue: IssueItem, body: BodyItem, *, readings: Readings, assignee_id: str | None
) -> Desk:
    """An issue that is about to be, on a desk like any other: nobody watches it yet, and that is known."""
    readings.hold_items([issue, body])
    watching = [one for one in (ctx.caller.agent_id, ctx.caller.user_id, assignee_id) if one]
    readings.hold_absent(WatchItem.at(issue.workspace_id, issue.id, one) for one in watching)
    return Desk(ctx, issue.id, readings)


def open_issues(ctx: Context, given: Iterable[str]) -> list[Desk]:
    """Open several issues as `open_issue` does, in the order given; what they need is read together."""
    references = resolve_all(ctx, dict.fromkeys(given))
    reach = read_issues(ctx, [one.issue_id for one in references.values()], also=[settings_key(ctx)])
    return [_opened_by_name(reach, one, name) for name, one in references.items()]


def _opened_by_name(reach: Reach, reference: Reference, name: str) -> Desk:
    """Of many issues, the one that is refused has to be named."""
    try:
        return reach.open(reference, missing=no_such_issue(name))
    except Forbidden as refusal:
        raise refusal.about(name) from None


def open_with_parts(
    ctx: Context,
    reference: Reference,
    *,
    parts: SortRange,
    most: int,
    missing: DomainError,
    readings: Readings | None = None,
    beside: Callable[[Rows], Iterable[str]] = lambda _: (),
) -> tuple[Desk, Rows]:
    """An issue and the rows of its partition in this range, of which the head is one.

    One query, and one request for the settings and for the issues beside it, unless they were read before.
    """
    head = IssueItem.at(ctx.caller.workspace_id, reference.issue_id)
    rows = ctx.table.query_all(head.partition, most=most, sort=parts)
    if head not in rows.keys:
        raise missing
    known = readings or Readings(ctx.table)
    known.hold(rows)
    heads = [IssueItem.at(ctx.caller.workspace_id, issue_id) for issue_id in beside(rows)]
    known.fetch([settings_key(ctx), *heads])
    return Reach(ctx, known).open(reference, missing=missing), rows


def read_issues(
    ctx: Context, issue_ids: Iterable[str], *, also: Iterable[Key] = (), readings: Readings | None = None
) -> Reach:
    """Read issues that a list, a relation or a log row leads to, and whatever else is needed with them."""
    known = readings or Readings(ctx.table)
    known.fetch([*(IssueItem.at(ctx.caller.workspace_id, issue_id) for issue_id in issue_ids), *also])
    return Reach(ctx, known)


def no_such_issue(given: str) -> NotFound:
    return NotFound(
        f"There is no issue {given[:60]!r}.", hint="issues.list shows the issues that this key can see."
    )


def resolve(ctx: Context, given: str, *, missing: Missing = no_such_issue) -> Reference:
    """An identifier like `DEMO-12` stands for the issue's id; looking it up is one request more."""
    if IDENTIFIER.fullmatch(given) is None:
        return Reference(given)
    return resolve_all(ctx, [given], missing=missing)[given]


def resolve_all(
    ctx: Context, given: Iterable[str], *, missing: Missing = no_such_issue
) -> dict[str, Reference]:
    """The same for many, in one request for a hundred identifiers."""
    identifiers = {one: found for one in given if (found := IDENTIFIER.fullmatch(one))}
    workspace_id = ctx.caller.workspace_id
    places = {one: ReferenceItem.at(workspace_id, str(int(found[2]))) for one, found in identifiers.items()}
    known = ctx.table.read(places.values())
    references = {one: Reference(one) for one in given}
    for one, place in places.items():
        item = known.find(ReferenceItem, place)
        if item is None:
            raise missing(one)
        references[one] = Reference(item.issue_id, identifiers[one][1])
    return references


def find_id(ctx: Context, given: str) -> str:
    """The id behind an identifier like `DEMO-12`; any other text is taken for an id, known or not."""
    identifier = IDENTIFIER.fullmatch(given)
    if identifier is None:
        return given
    place = ReferenceItem.at(ctx.caller.workspace_id, str(int(identifier[2])))
    known = ctx.table.read([settings_key(ctx), place])
    found = known.find(ReferenceItem, place)
    is_ours = found and Reference(found.issue_id, identifier[1]).is_of(settings_in(ctx, known))
    return found.issue_id if found and is_ours else given


def settings_key(ctx: Context) -> Key:
    return WorkspaceItem.at(ctx.caller.workspace_id)


def settings_in(ctx: Context, readings: Readings) -> WorkspaceItem:
    """The settings among what was read."""
    found = readings.find(WorkspaceItem, settings_key(ctx))
    if found is None:
        raise NotFound("This workspace does not exist any more.")
    ctx.heard, ctx.claims_sleep = found.heard, found.lets_claims_sleep(ctx.now())
    return found


def may_see(ctx: Context, issue: IssueItem) -> bool:
    return issue.deleted_at is None and narrowing.allows_issue(
        ctx.caller.narrowing, project_id=issue.project_id, label_ids=issue.label_ids, issue_id=issue.id
    )


def unknown_reference(
    field: str, given: str, *, what: str = "issue", see: str = "issues.list"
) -> InvalidInput:
    """An id that a field merely refers to is a mistake in the arguments, not a missing subject."""
    return InvalidInput(f"Unknown {what}.", issues={field: f"No {what} is {given[:60]!r}: see {see}."})
