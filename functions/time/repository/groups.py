"""What entries are added up by, and what people call it."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from forge.context import Context
from forge.store.keys import Key
from forge.store.pages import Found
from forge.store.readings import Readings
from forge.work.issues.desks import Reach, look_at
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import MAX_NAMES, how_many_fit
from forge.work.workspace.people.zones import day_of
from forge.work.workspace.projects.projects import ProjectItem
from functions.time.models import GroupBy
from functions.time.repository.entries import TimeEntryItem
from functions.time.repository.sheets import AskedSheet
from functions.time.rules import UNASSIGNED


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
    return kept, look_at(ctx, _issue_ids(kept.items), readings=asked.readings)


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
