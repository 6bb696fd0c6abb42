"""Carrying over what happened on GitHub: what was seen before and what is seen now decide, not who tells it.

An issue is changed in a transaction of its own, and what was seen is stored with the last of them. Whoever
dies in between leaves the old snapshot, so that the next one does the rest, and finds the first part done.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from forge.context import Context
from forge.errors import Forbidden
from forge.store.transactions import Transaction
from forge.work.backlog.github import imports, mappings
from forge.work.backlog.github.announcements import RESOURCE_SYNCED, synced
from forge.work.backlog.github.links import LinkedIssueItem, LinkKind
from forge.work.backlog.github.mappings import StatusRules
from forge.work.backlog.github.resources import GITHUB, ResourceItem, ResourceType, Snapshot
from forge.work.backlog.repositories import RepositoryItem
from forge.work.content.comments.comments import kept, preview
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.desks import Desk, Reference, no_such_issue, read_issues, settings_key
from forge.work.issues.edits import transitions
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.issues.pages.sights import is_narrowed
from forge.work.issues.saving import save
from forge.work.record import texts
from forge.work.record.log import events
from forge.work.record.search import search
from forge.work.workspace.people.names import keys_of
from forge.work.workspace.statuses import StatusCopy
from forge.work.workspace.workspaces import WorkspaceItem

RESOURCE = "external-resource"
_ROOM_BESIDE_A_TITLE = 24
"""What a transaction holds besides the words of two titles and what every change of an issue writes."""


class Happening(StrEnum):
    """What can move an issue, named like the rule that says where."""

    ISSUE_CLOSED = "issue_closed"
    ISSUE_REOPENED = "issue_reopened"
    PR_OPENED = "pr_opened"
    PR_READY_FOR_REVIEW = "pr_ready_for_review"
    PR_CHANGES_REQUESTED = "pr_changes_requested"
    PR_MERGED = "pr_merged"
    CHECKS_FAILED = "checks_failed"


REOPENING = frozenset({Happening.ISSUE_REOPENED, Happening.PR_OPENED})


class Linked(NamedTuple):
    desk: Desk
    kinds: frozenset[LinkKind]


class SyncTarget(NamedTuple):
    """Where a rule leads, or why it leads nowhere."""

    status: StatusCopy | None
    ignored: str | None = None


class SyncOutcome(NamedTuple):
    resource: ResourceItem
    is_changed: bool
    ignored: tuple[str, ...]


class SyncStep(NamedTuple):
    """A change of one issue."""

    desk: Desk
    write: Callable[[Transaction], None]


def happened(before: ResourceItem, now: Snapshot) -> Happening | None:
    """What came between the two that a rule may be about; of several things, the last."""
    is_back = now.is_open and not before.is_open
    if now.type is ResourceType.ISSUE:
        if is_back:
            return Happening.ISSUE_REOPENED
        return Happening.ISSUE_CLOSED if before.is_open and not now.is_open else None
    if now.is_merged:
        return None if before.is_merged else Happening.PR_MERGED
    if now.is_open and before.is_draft and not now.is_draft:
        return Happening.PR_READY_FOR_REVIEW
    return Happening.PR_OPENED if is_back else None


def target(rules: StatusRules | None, happening: Happening | None, workspace: WorkspaceItem) -> SyncTarget:
    name = f"{happening}_status_id" if happening else ""
    status_id: str | None = getattr(rules, name) if rules and happening else None
    if status_id is None:
        return SyncTarget(None)
    status = workspace.status(status_id)
    return SyncTarget(status, None if status else f"{name}: there is no status {status_id} any more")


def moves(issue: IssueItem, status: StatusCopy, happening: Happening) -> bool:
    """What is over here is over, unless it was opened again there."""
    return status.id != issue.status_id and (issue.is_open or happening in REOPENING)


def open_linked(ctx: Context, linked: Iterable[LinkedIssueItem]) -> list[Linked]:
    """All issues that are linked, without those that were archived; a caller must be allowed to see each."""
    kinds: dict[str, set[LinkKind]] = {}
    for one in linked:
        kinds.setdefault(one.issue_id, set()).add(one.kind)
    workspace_id = ctx.caller.workspace_id
    bodies = [BodyItem.at(workspace_id, issue_id) for issue_id in kinds]
    reach = read_issues(ctx, kinds, also=[settings_key(ctx), *bodies])
    found = [(one, reach.refuse_hidden(one)) for one in kinds]
    there = [issue_id for issue_id, issue in found if issue and issue.deleted_at is None]
    if not there and is_narrowed(ctx.caller):
        raise Forbidden(
            "This key is narrowed, and no issue that it may see is linked to this.",
            hint="Use a key without this narrowing.",
        )
    return [
        Linked(reach.open(Reference(one), missing=no_such_issue(one)), frozenset(kinds[one])) for one in there
    ]


def carry_over(
    ctx: Context,
    repository: RepositoryItem,
    before: ResourceItem,
    linked: Sequence[Linked],
    *,
    snapshot: Snapshot | None,
    happening: Happening | None = None,
    is_looked_at: bool = False,
) -> SyncOutcome:
    """Plan what follows for all linked issues, and keep what was seen.

    Without a snapshot, something happened that shows in none. `is_looked_at`: that somebody looked is worth
    keeping, even where nothing is new.
    """
    now = before.seen_again(repository, snapshot, ctx.now()) if snapshot else before
    what = happening or (happened(before, snapshot) if snapshot else None)
    aim = _aim(repository, what, linked)
    wanted = [
        (one, _taken_over(repository, snapshot, one), _status_of(one, aim.status, what)) for one in linked
    ]
    steps = [step for one, taken, status in wanted for step in _steps(now, one.desk, taken, status)]
    is_changed = bool(steps) or now.differs_from(before)
    last = write(ctx, steps)
    if is_looked_at or now.differs_from(before):
        _keep(last or ctx.plan(), before, now)
    return SyncOutcome(now, is_changed, (aim.ignored,) if aim.ignored else ())


def _aim(repository: RepositoryItem, what: Happening | None, linked: Sequence[Linked]) -> SyncTarget:
    if not linked:
        return SyncTarget(None)
    return target(mappings.config_of(repository).status_rules, what, linked[0].desk.workspace)


def _taken_over(repository: RepositoryItem, snapshot: Snapshot | None, linked: Linked) -> dict[str, str]:
    """Title and description that an imported issue takes from GitHub; other linked issues keep theirs."""
    if snapshot is None or LinkKind.SOURCE not in linked.kinds:
        return {}
    config, desk = mappings.config_of(repository), linked.desk
    taken: dict[str, str] = {}
    if config.sync_title and snapshot.title != desk.issue.title:
        taken["title"] = snapshot.title
    if config.sync_description:
        text = imports.description_of(repository, snapshot)
        known = _body(desk).description
        if known is None or texts.read(desk.ctx.services.store.blobs, known) != text:
            taken["description"] = text
    return taken


def _status_of(linked: Linked, status: StatusCopy | None, what: Happening | None) -> StatusCopy | None:
    return status if status and what and moves(linked.desk.issue, status, what) else None


def _steps(
    resource: ResourceItem, desk: Desk, taken_over: dict[str, str], status: StatusCopy | None
) -> list[SyncStep]:
    """Both in one, unless what follows from them would be too much for a transaction."""
    follows = 3 * len(desk.issue.live_runs) + 6 * len(desk.issue.blocks)
    if taken_over and status and follows > _ROOM_BESIDE_A_TITLE:
        return [_step(resource, desk, taken_over, None), _step(resource, desk, {}, status)]
    return [_step(resource, desk, taken_over, status)] if taken_over or status else []


def _step(
    resource: ResourceItem, desk: Desk, taken_over: dict[str, str], status: StatusCopy | None
) -> SyncStep:
    def change_issue(tx: Transaction) -> None:
        issue = desk.issue
        runs = transitions.runs_to_end(issue, status) if status else []
        freed = transitions.issues_to_settle(issue, status) if status else []
        change = begin_change(desk, [*keys_of(issue), *runs], issue_ids=freed)
        if status:
            # First, because nobody is woken for another title of what is over.
            transitions.move(change, status, via=GITHUB)
        if taken_over:
            _edit(tx, change, resource, taken_over)
        save(tx, change)

    return SyncStep(desk, change_issue)


def _edit(tx: Transaction, change: IssueChange, resource: ResourceItem, taken_over: dict[str, str]) -> None:
    before, desk = change.before, change.desk
    title = taken_over.get("title", before.title)
    change.set(title=title)
    told = {name: preview(text) if name == "description" else text for name, text in taken_over.items()}
    change.announce(RESOURCE_SYNCED, synced(resource, **told), action="sync")
    search.index_title(tx, before.workspace_id, before.id, old_title=before.title, new_title=title)
    if "description" in taken_over:
        text = kept(desk.ctx, before, taken_over["description"])
        tx.replace(_body(desk).changed(description=text))


def write(ctx: Context, steps: Iterable[SyncStep]) -> Transaction | None:
    """Each in a transaction of its own; the last one, which waits for what else belongs to it."""
    last: Transaction | None = None
    for step in steps:
        ctx.commit()
        if last is not None:
            step.desk.take_over(last)
        last = ctx.plan()
        step.write(last)
    return last


def _keep(tx: Transaction, before: ResourceItem, now: ResourceItem) -> None:
    tx.replace(now)
    events.record_change(tx, RESOURCE, now.id, action="sync", before=before, after=now)


def _body(desk: Desk) -> BodyItem:
    return desk.get(BodyItem, BodyItem.at(desk.issue.workspace_id, desk.issue.id))
