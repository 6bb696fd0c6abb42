"""Reading timesheets: the timer that runs, somebody's entries, and the names of what they are added up by."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple

from forge.auth.actors import identity_of
from forge.context import Context
from forge.contract.days import first_moment, last_moment, require_in_order
from forge.errors import InvalidInput, NotFound
from forge.store import keys
from forge.store.keys import Key
from forge.store.pages import AskedPage, Found
from forge.store.readings import Readings
from forge.store.walks import Listing, one_partition
from forge.work.content.references.resolving import places_of, require_known
from forge.work.issues.desks import (
    Reach,
    no_such_issue,
    open_issue,
    read_issues,
    resolve,
    settings_in,
    settings_key,
    unknown_reference,
)
from forge.work.issues.pages.sights import Sight, is_narrowed
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import MAX_NAMES, how_many_fit
from forge.work.workspace.people.zones import day_of, keys_of_zone, zone_in
from forge.work.workspace.projects.projects import ProjectItem
from functions.time import rules
from functions.time.models import GroupBy, Whose
from functions.time.repository.entries import (
    ENTRIES,
    ENTRIES_OF,
    ENTRIES_OF_ISSUE,
    RunningTimerItem,
    TimeEntryItem,
)
from functions.time.rules import UNASSIGNED

# Rows are placed by a time, a `#` and an id; this comes after all rows of the time before it.
_AFTER_IDS = "$"


def open_target(ctx: Context, given: str | None) -> str | None:
    """The id of the issue that time is spent on, if any, in a workspace that tracks time."""
    if given is None:
        _open(ctx)
        return None
    try:
        desk = open_issue(ctx, given)
    except NotFound:
        raise unknown_reference("issueId", given) from None
    rules.require_enabled(desk.workspace)
    return desk.issue.id


class Running(NamedTuple):
    """The caller's running entry, and its issue within what the caller may see."""

    timer: RunningTimerItem
    entry: TimeEntryItem
    reach: Reach


def get_running(ctx: Context, entry_id: str | None) -> Running:
    """The one to stop; two requests."""
    owner_id, workspace_id = identity_of(ctx.caller), ctx.caller.workspace_id
    place = TimeEntryItem.at(workspace_id, owner_id, entry_id) if entry_id else None
    readings = _open(ctx, _timer_key(ctx), *([place] if place else []))
    asked = readings.find(TimeEntryItem, place) if place else None
    timer = rules.running_of(readings.find(RunningTimerItem, _timer_key(ctx)), asked=asked, entry_id=entry_id)
    return _with_issue(ctx, timer, readings)


def find_running(ctx: Context) -> Running | None:
    readings = _open(ctx, _timer_key(ctx))
    timer = readings.find(RunningTimerItem, _timer_key(ctx))
    if timer is None:
        return None
    found = _with_issue(ctx, timer, readings)
    # It may have been stopped between the two readings.
    return found if found.entry.ended_at is None else None


class WantedEntries(NamedTuple):
    """Which entries, with ids and moments; None leaves that open."""

    owner_id: str | None
    issue_id: str | None
    first: datetime | None
    last: datetime | None
    billable: bool | None
    only_finished: bool

    @property
    def is_filter(self) -> bool:
        """Whether there is anything that no index tells."""
        return self.only_finished or self.billable is not None or bool(self.owner_id and self.issue_id)

    def accepts(self, entry: TimeEntryItem) -> bool:
        return (
            self.owner_id in (None, entry.owner_id)
            and self.billable in (None, entry.billable)
            and not (self.only_finished and entry.ended_at is None)
        )


class AskedSheet(NamedTuple):
    """What was asked for, the caller's time zone, and what was read to know it."""

    wanted: WantedEntries
    zone: tzinfo
    readings: Readings


def understand(
    ctx: Context, request: Whose, *, default_owner: str | None, only_finished: bool = False
) -> AskedSheet:
    """With everything that the request names looked up; one request."""
    if request.user_id and request.agent_id:
        wrong = "Name a person or an agent, and not both."
        raise InvalidInput("Say whose time, in one way.", issues={"userId": wrong, "agentId": wrong})
    issue = resolve(ctx, request.issue_id) if request.issue_id else None
    named = places_of(request, ctx)
    reach = read_issues(
        ctx,
        [issue.issue_id] if issue else [],
        also=[settings_key(ctx), *keys_of_zone(ctx.caller), *named],
    )
    rules.require_enabled(settings_in(ctx, reach.readings))
    require_known(ctx, named, reach.readings)
    if issue:
        reach.show(issue, missing=no_such_issue(str(request.issue_id)))
    zone = zone_in(reach.readings, ctx.caller)
    first = first_moment(request.from_, zone, field="from") if request.from_ else None
    last = last_moment(request.to, zone, field="to") if request.to else None
    require_in_order(first, last)
    owner_id = request.user_id or request.agent_id or default_owner
    issue_id = issue.issue_id if issue else None
    wanted = WantedEntries(owner_id, issue_id, first, last, request.billable, only_finished)
    return AskedSheet(wanted, zone, reach.readings)


def read_entries(ctx: Context, wanted: WantedEntries, asked: AskedPage) -> Found[TimeEntryItem]:
    """A page of time entries that the caller may see, the one that began last first.

    A narrowed key sees what was spent on issues that it may see, and of what belongs to none only its own.
    """
    narrowed, own_id = is_narrowed(ctx.caller), ctx.caller.agent_id or ctx.caller.user_id
    sight: Sight[TimeEntryItem] = Sight(
        ctx,
        lambda entry: entry.issue_id if narrowed else None,
        own=lambda entry: entry.owner_id == own_id,
    )
    accepts = wanted.accepts if wanted.is_filter else None
    return sight.page(TimeEntryItem, _listing(ctx, wanted), asked, accepts)


def _open(ctx: Context, *also: Key) -> Readings:
    readings = ctx.table.read([settings_key(ctx), *also])
    rules.require_enabled(settings_in(ctx, readings))
    return readings


def _timer_key(ctx: Context) -> Key:
    return RunningTimerItem.at(ctx.caller.workspace_id, identity_of(ctx.caller))


def _with_issue(ctx: Context, timer: RunningTimerItem, readings: Readings) -> Running:
    issue_ids = [timer.issue_id] if timer.issue_id else []
    reach = read_issues(ctx, issue_ids, also=[timer.entry_key], readings=readings)
    for issue_id in issue_ids:
        reach.refuse_hidden(issue_id)
    return Running(timer, readings.get(TimeEntryItem, timer.entry_key), reach)


def _listing(ctx: Context, wanted: WantedEntries) -> Listing:
    """What the most selective index gives; the rest is looked at in memory."""
    workspace_id = ctx.caller.workspace_id
    partition, index = ENTRIES(workspace_id), "updated"
    if wanted.issue_id:
        partition, index = ENTRIES_OF_ISSUE(workspace_id, wanted.issue_id), "subject"
    elif wanted.owner_id:
        partition, index = ENTRIES_OF(workspace_id, wanted.owner_id), "agent"
    start = keys.sortable_time(wanted.last) + _AFTER_IDS if wanted.last else ""
    end = keys.sortable_time(wanted.first) if wanted.first else ""
    return one_partition(partition, index, start=start, end=end, is_descending=True)


class Groups(NamedTuple):
    """Entries whose groups are known, under which key each goes, and the names of keys that have one."""

    found: Found[TimeEntryItem]
    key_of: Callable[[TimeEntryItem], str]
    labels: Mapping[str, str]


def grouped(ctx: Context, found: Found[TimeEntryItem], by: GroupBy, asked: AskedSheet) -> Groups:
    """As many entries as can have their names read in one request; nearly always all."""
    match by:
        case GroupBy.DAY:
            return Groups(found, lambda entry: day_of(entry.started_at, asked.zone).isoformat(), {})
        case GroupBy.BILLABLE:
            return Groups(found, lambda entry: "billable" if entry.billable else "non-billable", {})
        case GroupBy.USER:
            return _by_owner(found, asked)
        case GroupBy.ISSUE:
            return _by_issue(ctx, found, asked)
        case GroupBy.PROJECT:
            return _by_project(ctx, found, asked)


def _by_owner(found: Found[TimeEntryItem], asked: AskedSheet) -> Groups:
    kept = _first_that_fit(found, lambda entry: entry.owner_id)
    asked.readings.fetch(map(_owner_key, kept.items))
    named = {entry.owner_id: _owner_name(asked.readings, entry) for entry in kept.items}
    labels = {owner_id: name for owner_id, name in named.items() if name}
    return Groups(kept, lambda entry: entry.owner_id, labels)


def _by_issue(ctx: Context, found: Found[TimeEntryItem], asked: AskedSheet) -> Groups:
    kept, reach = _with_issues(ctx, found, asked)
    labels = {}
    for issue_id in _issue_ids(kept.items):
        if issue := reach.find(issue_id):
            labels[issue_id] = f"{reach.names.identifier(issue.number)} {issue.title}"
    return Groups(kept, lambda entry: entry.issue_id or UNASSIGNED, labels)


def _by_project(ctx: Context, found: Found[TimeEntryItem], asked: AskedSheet) -> Groups:
    """By the project that the issue is in now."""
    kept, reach = _with_issues(ctx, found, asked)
    issues = {issue_id: reach.find(issue_id) for issue_id in _issue_ids(kept.items)}
    project_of = {one: issue.project_id for one, issue in issues.items() if issue and issue.project_id}
    project_ids = set(project_of.values())
    reach.readings.fetch(ProjectItem.at(ctx.caller.workspace_id, one) for one in project_ids)
    labels = {one: project.name for one in project_ids if (project := reach.names.project(one))}
    return Groups(kept, lambda entry: project_of.get(entry.issue_id or "", UNASSIGNED), labels)


def _with_issues(
    ctx: Context, found: Found[TimeEntryItem], asked: AskedSheet
) -> tuple[Found[TimeEntryItem], Reach]:
    kept = _first_that_fit(found, lambda entry: entry.issue_id)
    return kept, read_issues(ctx, _issue_ids(kept.items), readings=asked.readings)


def _first_that_fit(
    found: Found[TimeEntryItem], named: Callable[[TimeEntryItem], str | None]
) -> Found[TimeEntryItem]:
    wanted = [[one] if (one := named(entry)) else [] for entry in found.items]
    return found.first(how_many_fit(wanted, most=MAX_NAMES))


def _issue_ids(entries: Sequence[TimeEntryItem]) -> list[str]:
    return list(dict.fromkeys(entry.issue_id for entry in entries if entry.issue_id))


def _owner_key(entry: TimeEntryItem) -> Key:
    if entry.agent_id:
        return AgentItem.at(entry.workspace_id, entry.agent_id)
    return MemberItem.at(entry.workspace_id, str(entry.user_id))


def _owner_name(readings: Readings, entry: TimeEntryItem) -> str | None:
    """Nobody's, where who worked is not here any more."""
    if entry.agent_id:
        agent = readings.find(AgentItem, _owner_key(entry))
        return agent.name if agent else None
    member = readings.find(MemberItem, _owner_key(entry))
    return (member.name or member.handle) if member else None
