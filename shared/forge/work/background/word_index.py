"""The word index of issues, kept up by a worker of its own: what each is found by follows what it says.

Messages about an issue are taken one after the other, and each has its words made right as it reads now.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, ValidationError

from forge.contract.models import Model
from forge.store.store import Store
from forge.work.overviews.whole import find_texts
from forge.work.record import texts
from forge.work.record.log.rows import LogItem
from forge.work.record.search import search
from forge.work.record.search.search import IssueText
from forge.work.workspace.jobs import Unreadable
from forge.work.workspace.workers import Worker

QUEUE = "words"


class WordsMessage(Model):
    """That an issue says something else now, and which titles it had."""

    workspace_id: str
    issue_id: str
    titles: Annotated[list[str], Field(default_factory=list)]


def messages_about(rows: list[LogItem]) -> list[dict[str, object]]:
    """One for each issue that says something else because of these."""
    titles: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.issue_id is not None and row.changes_text:
            titles.setdefault((row.workspace_id, row.issue_id), []).extend(_titles_in(row))
    return [
        {"workspaceId": workspace_id, "issueId": issue_id, "titles": [*dict.fromkeys(known)]}
        for (workspace_id, issue_id), known in titles.items()
    ]


def consume(worker: Worker, text: str) -> bool:
    """Whether there was something to make right."""
    try:
        message = WordsMessage.model_validate_json(text)
    except ValidationError as error:
        raise Unreadable(str(error)) from error
    return index(worker.store, message.workspace_id, message.issue_id, old_titles=message.titles)


def index(store: Store, workspace_id: str, issue_id: str, *, old_titles: Sequence[str] = ()) -> bool:
    """Make an issue found by what it says now; whether there was something to do."""
    text = _text_of(store, workspace_id, issue_id)
    return text is not None and search.settle(store.table, text, old_titles=old_titles)


def _titles_in(row: LogItem) -> list[str]:
    sources: tuple[Mapping[str, Any] | None, ...] = (row.before, row.after, row.payload)
    titles = [source.get("title") for source in sources if source]
    return [title for title in titles if isinstance(title, str)]


def _text_of(store: Store, workspace_id: str, issue_id: str) -> IssueText | None:
    found = find_texts(store.table, workspace_id, issue_id)
    if found is None:
        return None
    head, body = found
    description = texts.read(store.blobs, body.description) if body.description else ""
    return IssueText(workspace_id, issue_id, head.title, description)
