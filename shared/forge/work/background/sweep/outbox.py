"""The outbox: log rows that somebody has to be told about, handed to the dispatch queue at least once."""

from collections.abc import Mapping, Sequence
from typing import Any

from forge.clock import new_id
from forge.context import Caller, KeyKind
from forge.errors import Unavailable
from forge.store.keys import Key
from forge.store.physical import INDEX_BY_NAME
from forge.store.readings import Attributes
from forge.store.store import Store
from forge.store.transactions import Origin, VersionMoved, decided_again
from forge.work.backlog.trackers.errands import ErrandItem
from forge.work.overviews.whole import find_texts
from forge.work.plans.waits.waits import WaitItem
from forge.work.record import texts
from forge.work.record.log.events import EventKind, LogItem
from forge.work.record.search import search
from forge.work.record.search.search import IssueText
from forge.work.workspace import jobs

_INDEXED = frozenset({"title", "description"})
_MOST_TRIES = 5


def relay(store: Store, row: LogItem) -> bool:
    """Send a row that is still due, then mark it as sent; whether it was.

    If we die in between, it is sent again: consumers tell repetitions by the event's id. The index comes
    first, so that who hears of an issue can find it by its words; if indexing fails, the row stays due.
    """
    if row.outbox_due is None:
        return False
    if row.issue_id is not None and _changes_text(row):
        nobody = Caller("relay", row.workspace_id, KeyKind.AGENT, frozenset(), "relay")
        origin = Origin(nobody, "relay", row.request_id, row.created_at, new_id)
        index(store, row.workspace_id, row.issue_id, origin=origin, old_titles=_titles_in(row))
    if row.kind is not None:
        store.queues.send("dispatch", message_of(row))
    for wait_id in row.waits:
        jobs.send_about(store, WaitItem, row.workspace_id, wait_id)
    if row.errand is not None:
        jobs.send_about(store, ErrandItem, row.workspace_id, row.errand)
    _mark_sent(store, row)
    return True


def relay_unless_sent(store: Store, key: Key) -> bool:
    """The same for a row that may have been sent meanwhile."""
    present = store.table.find(LogItem, key)
    return present is not None and relay(store, present)


def is_for_relay(image: Attributes) -> bool:
    """Whether the stream shows a row that nobody has tried to send yet.

    One that was put off or given up is the sweep's, which wrote it just now.
    """
    return "outbox_due" in image and image.get(INDEX_BY_NAME["due"].sort) == image["outbox_due"]


def message_of(row: LogItem) -> dict[str, object]:
    return {
        "id": row.id,
        "workspaceId": row.workspace_id,
        "kind": row.kind,
        "subjectType": row.subject_type,
        "subjectId": row.subject_id,
        "issueId": row.about_issue,
        "payload": row.payload,
        "wakes": [{"agentId": wake.agent_id, "runId": wake.run_id} for wake in row.wakes],
        "createdAt": row.created_at.isoformat(),
    }


def index(
    store: Store, workspace_id: str, issue_id: str, *, origin: Origin, old_titles: Sequence[str] = ()
) -> None:
    """Make an issue found by what it says now, which may be more than what a row tells of."""

    def settle() -> None:
        text = _text_of(store, workspace_id, issue_id)
        if text is not None:
            search.settle(store.table, text, origin=origin, old_titles=old_titles)

    spent = Unavailable("The issue changes too fast to be indexed.", hint="Try again in a few seconds.")
    decided_again(settle, tries=_MOST_TRIES, spent=spent)


def _changes_text(row: LogItem) -> bool:
    """Other events may name a title, too, and other subjects have one."""
    if row.subject_type != "issue":
        return False
    is_told_by_payload = row.kind in (EventKind.ISSUE_CREATED, EventKind.ISSUE_UPDATED)
    named = {*(row.before or ()), *(row.after or ()), *(row.payload if is_told_by_payload else ())}
    return not _INDEXED.isdisjoint(named)


def _text_of(store: Store, workspace_id: str, issue_id: str) -> IssueText | None:
    found = find_texts(store.table, workspace_id, issue_id)
    if found is None:
        return None
    head, body = found
    description = texts.read(store.blobs, body.description) if body.description else ""
    return IssueText(workspace_id, issue_id, head.title, description, read_from=(head, body))


def _titles_in(row: LogItem) -> list[str]:
    sources: tuple[Mapping[str, Any] | None, ...] = (row.before, row.after, row.payload)
    titles = [source.get("title") for source in sources if source]
    return [title for title in titles if isinstance(title, str)]


def _mark_sent(store: Store, row: LogItem) -> None:
    due = INDEX_BY_NAME["due"]
    try:
        store.table.assign(
            row.key, {"outbox_due": None, due.partition: None, due.sort: None}, only_if={"id": row.id}
        )
    except VersionMoved:
        # The row has been purged meanwhile; there is nothing left to mark.
        return
