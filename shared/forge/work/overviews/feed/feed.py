"""The log as callers are told of it: newest first, with names, and only what their key may see."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from forge.auth.narrowing import allows_initiative, require_initiative
from forge.context import Caller, Context
from forge.contract.references import Kind
from forge.errors import InvalidInput
from forge.store import keys
from forge.store.keys import Key
from forge.store.pages import AskedPage, Found
from forge.store.walks import Listing, one_partition
from forge.work.content.chat import announcements, threads
from forge.work.content.chat.threads import ThreadItem
from forge.work.content.references.resolving import id_meant, require_any
from forge.work.issues.desks import Reach, find_id, read_issues
from forge.work.issues.pages.sights import Sight, is_narrowed
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LOG, LogItem, log_of, log_partitions
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people import preferences
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem

_INITIATIVE = "initiative"
_NAMED = {
    "agent": Kind.AGENT,
    _INITIATIVE: Kind.INITIATIVE,
    "membership": Kind.PERSON,
    "project": Kind.PROJECT,
}
"""What events are about that has a name."""


class WantedEvents(NamedTuple):
    """Which events: about everything, one kind of thing, or one thing."""

    subject_type: str | None
    subject_id: str | None
    kinds: frozenset[EventKind]
    before: datetime | None

    @property
    def issue_id(self) -> str | None:
        return self.subject_id if self.subject_type == "issue" else None

    def accepts(self, row: LogItem) -> bool:
        """Audit-only rows are not events."""
        return (
            row.kind is not None
            and (not self.kinds or row.kind in self.kinds)
            and (self.subject_type is None or row.subject_type == self.subject_type)
        )


class Actors(NamedTuple):
    """Whoever did what a page of events tells of; people who left are nobody any more."""

    reach: Reach

    def person(self, row: LogItem) -> MemberItem | None:
        key = MemberItem.at(row.workspace_id, row.actor_user_id) if row.actor_user_id else None
        return self.reach.readings.find(MemberItem, key) if key else None

    def agent(self, row: LogItem) -> AgentItem | None:
        key = AgentItem.at(row.workspace_id, row.actor_agent_id) if row.actor_agent_id else None
        return self.reach.readings.find(AgentItem, key) if key else None


class Recent(NamedTuple):
    found: Found[LogItem]
    actors: Actors


def list_recent(ctx: Context, wanted: WantedEvents, asked: AskedPage) -> Recent:
    """Events that this caller may see, newest first."""
    narrowed = is_narrowed(ctx.caller)
    wanted = named(ctx, wanted)
    require_party(ctx, wanted)

    def accepts(row: LogItem) -> bool:
        return wanted.accepts(row) and may_hear(ctx.caller, row)

    seen = sight(ctx, wanted, narrowed=narrowed)
    page = seen.page(LogItem, _listing(ctx, wanted), asked, accepts)
    if narrowed and wanted.issue_id:
        seen.reach.refuse_hidden(wanted.issue_id)
    if not page.items and asked.cursor is None:
        require_subject(ctx, wanted)
    return Recent(page, Actors(seen.reach))


def may_hear(caller: Caller, row: LogItem) -> bool:
    """Narrowed to projects or labels, a key hears of issues alone: of those that its sight shows.

    Initiatives narrow only what is about initiatives. Of threads only those hear who talk in them.
    """
    if row.subject_type == announcements.THREAD and not _is_party(caller, row):
        return False
    if row.subject_type == _INITIATIVE and not allows_initiative(caller.narrowing, row.subject_id):
        return False
    return row.issue_id is not None or not is_narrowed(caller)


def _is_party(caller: Caller, row: LogItem) -> bool:
    """Of rows that do not name the person, whoever wrote is taken for them."""
    person = row.payload.get("userId") or row.actor_user_id
    return threads.is_party(caller, agent_id=row.payload.get("agentId"), user_id=person)


def named(ctx: Context, wanted: WantedEvents, *, field: str = "subjectId") -> WantedEvents:
    """The same with the id of what was named."""
    if wanted.issue_id:
        return wanted._replace(subject_id=find_id(ctx, wanted.issue_id))
    kind = _NAMED.get(wanted.subject_type or "")
    if kind is None or wanted.subject_id is None:
        return wanted
    return wanted._replace(subject_id=id_meant(ctx, kind, field, wanted.subject_id))


def require_subject(ctx: Context, wanted: WantedEvents, *, field: str = "subjectId") -> None:
    """Nothing happened to it, or it does not exist: the one is an answer, the other a mistake."""
    if wanted.subject_id is None:
        return
    if wanted.issue_id:
        reach = read_issues(ctx, [wanted.issue_id])
        reach.refuse_hidden(wanted.issue_id)
        if reach.find(wanted.issue_id) is None:
            raise unknown(Kind.ISSUE, field, wanted.issue_id)
    if kind := _NAMED.get(wanted.subject_type or ""):
        require_any(ctx, kind, field, wanted.subject_id)
    if wanted.subject_type == _INITIATIVE:
        require_initiative(ctx.caller, wanted.subject_id)


def require_party(ctx: Context, wanted: WantedEvents, *, field: str = "subjectId") -> None:
    """What is said in a thread is for those who talk in it, wherever a follower says that it has got to."""
    if wanted.subject_type != announcements.THREAD or wanted.subject_id is None:
        return
    thread = ctx.table.find(ThreadItem, ThreadItem.at(ctx.caller.workspace_id, wanted.subject_id))
    if thread is None:
        raise InvalidInput("Unknown thread.", issues={field: "There is no thread of this id."})
    threads.require_party(thread, ctx.caller)


def _listing(ctx: Context, wanted: WantedEvents) -> Listing:
    workspace_id = ctx.caller.workspace_id
    partition: str = LOG(workspace_id)
    shards = log_partitions(workspace_id, ctx.caller.log_shards)
    index: str | None = None
    if wanted.subject_type and wanted.subject_id:
        partition, index = log_of(workspace_id, wanted.subject_type, wanted.subject_id)
        shards = []
    # Rows begin with their time, so that this leaves out those of the very moment itself.
    start = keys.sortable_time(wanted.before) if wanted.before else ""
    return one_partition(partition, index, start=start, is_descending=True, shards=shards)


def sight(ctx: Context, wanted: WantedEvents, *, narrowed: bool) -> Sight[LogItem]:
    """Who did it, whether the caller wants to hear of it and, for a narrowed key, to what."""
    caller = ctx.caller
    return Sight(
        ctx,
        lambda row: row.issue_id if narrowed else None,
        lambda row: [*_actors_of(row), *preferences.places_of(caller, row.kind)],
        asked=wanted.issue_id if narrowed else None,
        leaves_out=lambda row, known: preferences.is_muted(caller, row.kind, known),
    )


def _actors_of(row: LogItem) -> Iterator[Key]:
    if row.actor_user_id:
        yield MemberItem.at(row.workspace_id, row.actor_user_id)
    if row.actor_agent_id:
        yield AgentItem.at(row.workspace_id, row.actor_agent_id)
