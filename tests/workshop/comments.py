"""An issue to talk about, and what its partition and the log hold afterwards."""

from typing import Any

from forge.store.physical import SORT
from forge.testing.builders import a_comment as a_comment_item
from forge.work.content.comments.comments import CommentItem, RevisionItem
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.issues import OF_ISSUE
from forge.work.issues.watchers import WatchingItem
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from forge.work.record.texts import KeptText
from tests.workshop.issues import events, table
from tests.workshop.office import Body, Office

READ_AND_WRITE = ["READ_ISSUES", "WRITE_ISSUES", "WRITE_COMMENTS"]


def a_comment(office: Office, issue_id: str, body: str = "Hello", **how: str) -> Body:
    return office.call("comments.create", {"issueId": issue_id, "body": body}, **how)


def edit(office: Office, comment_id: str, body: str = "Better", **how: str) -> Body:
    return office.call("comments.update", {"id": comment_id, "body": body}, **how)


def say(office: Office, issue_id: str, body: str = "Going", *, key: str, **more: object) -> Body:
    """A status of the key's agent."""
    return office.call("comments.upsertStatus", {"issueId": issue_id, "body": body, **more}, key=key)


def an_agents_key(office: Office, agent_id: str, scopes: list[str] | None = None) -> str:
    """One that is no admin's."""
    key = office.a_key(kind="AGENT", linkedAgentId=agent_id, scopes=scopes or READ_AND_WRITE)
    return str(key["rawKey"])


def many_comments(office: Office, issue_id: str, number: int, **fields: Any) -> list[CommentItem]:
    """As stored, without their references, all of this moment."""
    usual = {**office.here_and_now, "issue_id": issue_id, **fields}
    made = [a_comment_item(f"number {n}", **usual, id=office.world.ids("cmt")) for n in range(number)]
    office.put(*made)
    return made


def stored(office: Office, issue_id: str) -> list[CommentItem]:
    """Every comment of an issue, deleted ones included, oldest first."""
    rows = table(office).query_all(OF_ISSUE(office.workspace.id, issue_id), most=500)
    return [CommentItem.from_attributes(row) for row in rows if row[SORT]["S"].startswith("C#")]


def revisions(office: Office, comment_id: str) -> list[RevisionItem]:
    """By slot."""
    partition = ReferenceItem.at(office.workspace.id, comment_id).partition
    rows = table(office).query_all(partition, most=500)
    return [RevisionItem.from_attributes(row) for row in rows if row[SORT]["S"].startswith("REV#")]


def comment_events(office: Office) -> list[LogItem]:
    return events(office, EventKind.COMMENT_CREATED, EventKind.COMMENT_UPDATED)


def text_of(office: Office, kept: KeptText) -> str:
    blobs = office.world.services.store.blobs
    return blobs.get_text(kept.blob) if kept.blob else kept.text


def watching(office: Office, watcher_id: str) -> list[str]:
    """The issues that somebody watches, as seen from them."""
    rows = table(office).query_all(WatchingItem.stored.partition(office.workspace.id, watcher_id), most=100)
    return [row["issue_id"]["S"] for row in rows]


def archive(office: Office, agent_id: str) -> None:
    office.call("agents.archive", {"id": agent_id})
