"""Following the log: what came since a place in it, each thing once, although writers overtake each other.

A row may be stored half a minute after the time that it bears, because a call may wait that long for its
turn. So a place in the log is a moment before which all has been told, and the few things that were told from
after it. The place travels with the follower; nothing is kept here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from forge.context import Context
from forge.errors import InvalidInput
from forge.store import keys
from forge.store.cursors import Cursors
from forge.store.ranges import SortRange
from forge.work.content.chat import announcements
from forge.work.content.chat.drafts import STREAM, DraftPart, PartItem
from forge.work.issues.pages.sights import is_narrowed
from forge.work.overviews.feed import feed
from forge.work.overviews.feed.feed import WantedEvents
from forge.work.record.log.rows import LogItem, log_partitions
from forge.work.record.log.views import EventRow

SETTLED_AFTER = timedelta(seconds=30)
"""Longer than any call takes."""
MOST_TOLD = 50
MOST_REMEMBERED = 400
"""The place has to fit into a header: of more in half a minute, one that is stored late may be missed."""
MOST_READ = 500
DRAFT_EVENT = "chat-thread-stream"
_INSTANT = timedelta(milliseconds=1)
"""Times are stored to the millisecond."""
_MARK = 10
"""The end of an id, by which those of half a minute are told apart."""


class FeedNews(NamedTuple):
    moment: datetime
    id: str
    event: str
    """Its kind, as followers tell them apart."""
    data: str
    """As JSON."""

    @property
    def mark(self) -> str:
        return self.id[-_MARK:]


class FeedPlace(NamedTuple):
    settled: datetime
    """Whatever bears an earlier time has been told."""
    told: tuple[str, ...] = ()
    """The marks of what was told and does not."""
    silences: int = 0
    """How many answers in a row told nothing."""


class HeardEvents(NamedTuple):
    news: list[FeedNews]
    after: FeedPlace
    is_cut: bool
    """More may be there already."""


class FeedRead(NamedTuple):
    """What one source holds from a moment on, oldest first; up to where, if that is not all."""

    news: Sequence[FeedNews]
    up_to: datetime | None = None


def look(ctx: Context, wanted: WantedEvents, place: FeedPlace) -> HeardEvents:
    """What this caller may hear of and was not told yet, and the place after it."""
    shards = log_partitions(ctx.caller.workspace_id, ctx.caller.log_shards)
    sources = [_read_log(ctx, shard, wanted, place) for shard in shards]
    if wanted.subject_id and (more := SOURCES.get(wanted.subject_type or "")):
        sources.append(more(ctx, wanted.subject_id, place.settled))
    return settle(place, sources, now=ctx.now())


def settle(place: FeedPlace, sources: Iterable[FeedRead], *, now: datetime) -> HeardEvents:
    """Decide what of all that was read is told now, and what the follower has to remember of it."""
    read = [*sources]
    merged = sorted((one for source in read for one in source.news), key=lambda one: (one.moment, one.id))
    bounds = [source.up_to for source in read if source.up_to is not None]
    told_before = set(place.told)
    # Beyond what one source can tell of yet, the others wait for it.
    fresh = [
        one for one in merged if one.mark not in told_before and all(one.moment <= end for end in bounds)
    ]
    news = fresh[:MOST_TOLD]
    bounds += [one.moment for one in fresh[MOST_TOLD : MOST_TOLD + 1]]
    settled = max(place.settled, min([now - SETTLED_AFTER, *bounds]))
    moments = {one.mark: one.moment for one in merged}
    marks = [*place.told, *(one.mark for one in news)]
    kept = [mark for mark in marks if moments.get(mark, settled) >= settled]
    if len(kept) > MOST_REMEMBERED:
        # Not what was told first: it may bear a later time than what came late, and would be told again.
        earliest = sorted(moments[mark] for mark in kept if mark in moments)[: len(kept) - MOST_REMEMBERED]
        settled = max([settled, *(min([moment + _INSTANT, *bounds]) for moment in earliest)])
        kept = [mark for mark in kept if moments.get(mark, settled) >= settled]
    silences = 0 if news else place.silences
    return HeardEvents(news, FeedPlace(settled, tuple(kept), silences), is_cut=bool(bounds))


def _read_log(ctx: Context, shard: str, wanted: WantedEvents, place: FeedPlace) -> FeedRead:
    """From the table itself, because its indexes lag; whatever is not asked for is passed over."""
    start = SortRange(first=keys.sortable_time(place.settled))
    rows = ctx.table.query(shard, limit=MOST_READ, sort=start)
    is_cut, items = rows.next_position is not None, rows.of(LogItem)
    narrowed = is_narrowed(ctx.caller)
    told = set(place.told)
    found = [
        row
        for row in items
        if wanted.accepts(row)
        and wanted.subject_id in (None, row.subject_id)
        and feed.may_hear(ctx.caller, row)
    ]
    fresh = [row for row in found if row.id[-_MARK:] not in told]
    up_to = items[-1].created_at if is_cut else None
    if fresh and (narrowed or ctx.caller.agent_id is None):
        seen = feed.sight(ctx, wanted, narrowed=narrowed).look(fresh)
        if len(seen) < len(fresh):
            up_to = fresh[len(seen) - 1].created_at
        hidden = {row.id for row, is_shown in zip(fresh, seen, strict=False) if not is_shown}
        found = [row for row in found if row.id not in hidden]
    return FeedRead([_news(row) for row in found], up_to)


def _read_drafts(ctx: Context, thread_id: str, since: datetime) -> FeedRead:
    """Replies that are being written."""
    start = SortRange(
        PartItem.stored.prefix(), first=f"{PartItem.stored.prefix()}{keys.sortable_time(since)}"
    )
    stream = STREAM(ctx.caller.workspace_id, thread_id)
    rows = ctx.table.query(stream, limit=MOST_READ, sort=start)
    is_cut, parts = rows.next_position is not None, rows.of(PartItem)
    news = [
        FeedNews(one.created_at, one.id, DRAFT_EVENT, DraftPart.of(one).model_dump_json(by_alias=True))
        for one in parts
    ]
    return FeedRead(news, parts[-1].created_at if is_cut else None)


Source = Callable[[Context, str, datetime], FeedRead]
SOURCES: Mapping[str, Source] = {announcements.THREAD: _read_drafts}
"""What is told of a subject besides the log, by the subject's type."""


def _news(row: LogItem) -> FeedNews:
    shown = EventRow.of(row, actor_id=row.actor_user_id)
    return FeedNews(row.created_at, row.id, str(row.kind), shown.model_dump_json(by_alias=True))


class Places:
    """Places as followers carry them, each for what it was asked for."""

    def __init__(self, workspace_id: str, wanted: WantedEvents) -> None:
        self._cursors = Cursors(workspace_id, "followed", wanted.subject_type or "", wanted.subject_id or "")

    def write(self, place: FeedPlace) -> str:
        parts = (keys.sortable_time(place.settled), str(place.silences), ",".join(place.told))
        return self._cursors.after("|".join(parts))

    def read(self, text: str) -> FeedPlace:
        try:
            moment, silences, told = self._cursors.place_in(text).split("|")
            return FeedPlace(
                datetime.fromisoformat(moment), tuple(filter(None, told.split(","))), int(silences)
            )
        except (InvalidInput, ValueError):
            raise InvalidInput(
                "This Last-Event-ID is not of this feed.",
                issues={"Last-Event-ID": "Send the last id unchanged, for the same subject, or none."},
            ) from None
