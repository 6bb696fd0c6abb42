"""Opening a thread for its agent, with what a call says in it; and reading it back in time."""

from collections.abc import Iterable

from forge.context import Context
from forge.errors import InvalidInput
from forge.store.counters import next_number_until
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.content.chat import drafts, threads
from forge.work.content.chat.drafts import DraftItem, NumberedItem
from forge.work.content.chat.threads import ThreadItem
from forge.work.issues.runs import runs
from forge.work.issues.runs.runs import RunItem
from functions.chat.models import AppendDraftChunk


def open_thread(ctx: Context, thread_id: str, also: Iterable[Key] = ()) -> tuple[ThreadItem, Readings]:
    """A thread of the calling agent's, and what else was asked for; one request."""
    key = ThreadItem.at(ctx.caller.workspace_id, thread_id)
    readings = ctx.table.read([key, *also])
    thread = readings.find(ThreadItem, key)
    if thread is None:
        raise threads.no_such_thread(thread_id)
    threads.require_party(thread, ctx.caller)
    return thread, readings


def open_to_reply(
    ctx: Context, thread_id: str, *, run_id: str | None, also: Iterable[Key] = ()
) -> tuple[ThreadItem, Readings]:
    """The same for a reply, whose run must be one of the agent's."""
    workspace_id = ctx.caller.workspace_id
    run_key = RunItem.at(workspace_id, run_id) if run_id else None
    thread, readings = open_thread(ctx, thread_id, [*also, *([run_key] if run_key else [])])
    threads.require_open(thread)
    if run_key is None:
        return thread, readings
    run = readings.find(RunItem, run_key)
    if run is None:
        raise InvalidInput("Unknown run.", issues={"sourceRunId": "runs.list shows your own."})
    runs.require_own(run, ctx.caller)
    return thread, readings


def draft_in(ctx: Context, readings: Readings, thread: ThreadItem, draft_id: str) -> DraftItem:
    """The draft, which can still become a message."""
    found = readings.find(DraftItem, DraftItem.at(thread.workspace_id, thread.id, draft_id))
    return drafts.require_writable(found, draft_id=draft_id, now=ctx.now())


def open_draft(ctx: Context, chunk: AppendDraftChunk) -> tuple[DraftItem, bool]:
    """The draft of a chunk, and whether the chunk is stored already, where its writer counts."""
    workspace_id, thread_id, draft_id = ctx.caller.workspace_id, chunk.thread_id, chunk.draft_id
    seq, key = chunk.seq, DraftItem.at(workspace_id, thread_id, draft_id)
    place = NumberedItem.at(workspace_id, thread_id, draft_id, seq) if seq is not None else None
    thread, known = open_thread(ctx, thread_id, [key, *([place] if place else [])])
    return draft_in(ctx, known, thread, draft_id), place is not None and known.has(place)


def next_seq(ctx: Context, draft: DraftItem) -> int:
    """For a writer that does not count; a try that came to nothing leaves a gap."""
    return next_number_until(ctx.table, draft.workspace_id, draft.id, purge_after=draft.ends_at) - 1
