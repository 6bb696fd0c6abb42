"""A workspace with many issues, stored as the tools store them, but without a call for each.

Of the issues that are only there in number nothing is stored but what lists, the queue and searches read.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from ministack.services import dynamodb as engine

from forge.store.items import Item
from forge.store.store import Store
from forge.work.content.artifacts.artifacts import ArtifactItem
from forge.work.content.comments.comments import CommentItem
from forge.work.issues.followers import queue_row
from forge.work.issues.issues import IssueItem, Priority
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from forge.work.record.search.words import first_title_terms
from forge.work.record.texts import KeptText
from forge.work.workspace.projects.projects import ProjectItem
from tests.workshop.office import Body, Office

COMMENTS = 400
_ISSUES_OF_RUNS = 50
OTHERS = 600
"""Runs, artifacts, projects and events, where there are as many issues: more than one call may read."""


def a_crowd(office: Office, size: int) -> Body:
    """One issue made with the tools and so many beside it, half of them of its project; the one."""
    project = office.call("projects.create", {"key": "MANY", "name": "Many"})
    label = office.a_label("common")
    agent = office.an_agent("worker")
    given = {
        "projectId": project["id"],
        "labelIds": [label["id"]],
        "description": "A text.",
        "priority": "LOW",
    }
    issue = office.call("issues.create", {"title": "The common needle", **given})
    office.call("issues.assign", {"issueId": issue["id"], "agentId": agent["id"]})
    head = _head(office, issue["id"])
    items: list[Item] = []
    for number in range(2, size + 1):
        items += _another(head, number, is_of_project=number % 2 == 0)
    _store(office.world.services.store, items)
    _store(office.world.services.store, _comments(head))
    heads = [item for item in items if isinstance(item, IssueItem)]
    for place, one in enumerate(heads[:OTHERS]):
        beside = _beside(one, run_for=heads[place % _ISSUES_OF_RUNS], agent_id=agent["id"])
        _store(office.world.services.store, beside)
    _index(office, items)
    return {**issue, "projectId": project["id"], "labelId": label["id"], "agentId": agent["id"]}


def beside(office: Office, issue_id: str, size: int) -> None:
    """So many issues like this one, and nothing more of them than their heads and rows of the queue."""
    head = _head(office, issue_id)
    items = [item for number in range(2, size + 2) for item in _another(head, number, is_of_project=False)]
    _store(office.world.services.store, items)


def _head(office: Office, issue_id: str) -> IssueItem:
    found = office.world.services.store.table.find(IssueItem, IssueItem.at(office.workspace.id, issue_id))
    assert found is not None
    return found


def _another(head: IssueItem, number: int, *, is_of_project: bool) -> Iterator[Item]:
    made_at = head.created_at + timedelta(seconds=number)
    issue = head.changed(
        id=f"iss_{900_000 + number:06}",
        number=number,
        title=f"A common thing number {number}",
        priority=(Priority.NONE, Priority.LOW, Priority.MEDIUM, Priority.HIGH)[number % 4],
        project_id=head.project_id if is_of_project else None,
        queued=number % 3 == 0,
        assigned_agent_id=head.assigned_agent_id if number % 5 else None,
        live_runs=[],
        current_run_id=None,
        created_at=made_at,
        updated_at=made_at,
    )
    yield issue
    row = queue_row(issue)
    if row is not None:
        yield row


def _beside(issue: IssueItem, *, run_for: IssueItem, agent_id: str) -> Iterator[Item]:
    """An artifact and an event of an issue, a run for another, and a project that is nothing to them."""
    workspace_id, number, moment = issue.workspace_id, f"{issue.number:06}", issue.created_at
    yield RunItem(
        workspace_id=workspace_id,
        id=f"run_{number}",
        issue_id=run_for.id,
        agent_id=agent_id,
        status=RunStatus.COMPLETED,
        started_at=moment,
        last_event_at=moment,
    )
    yield ArtifactItem(
        workspace_id=workspace_id,
        id=f"art_{number}",
        slug=f"art-{number}",
        title="An artifact",
        issue_id=issue.id,
        created_at=moment,
        updated_at=moment,
    )
    yield ProjectItem(
        workspace_id=workspace_id,
        id=f"prj_{number}",
        project_key=f"P{number}",
        name="A project",
        created_at=moment,
        updated_at=moment,
    )
    yield _event(issue)


def _event(issue: IssueItem) -> LogItem:
    return LogItem(
        workspace_id=issue.workspace_id,
        id=f"evt_{issue.number:06}",
        kind=EventKind.ISSUE_UPDATED,
        subject_type="issue",
        subject_id=issue.id,
        issue_id=issue.id,
        action="update",
        tool="issues.update",
        key_id="key_1",
        request_id="req_1",
        # After whatever the tools did here, so that the newest are many of one kind.
        created_at=issue.created_at + timedelta(days=1_000),
    )


def _comments(head: IssueItem) -> Iterator[CommentItem]:
    for number in range(COMMENTS):
        said_at = head.created_at + timedelta(minutes=number)
        yield CommentItem(
            workspace_id=head.workspace_id,
            issue_id=head.id,
            id=f"cmt_{900_000 + number:06}",
            author_id=head.author_id,
            body=KeptText(text=f"Remark {number}"),
            created_at=said_at,
            updated_at=said_at,
        )


def _store(store: Store, items: Iterable[Item]) -> None:
    write_rows(store, (item.attributes() for item in items))


def _index(office: Office, items: Iterable[Item]) -> None:
    """The words of the titles, which the tools would have stored as well."""
    rows = []
    for issue in items:
        if isinstance(issue, IssueItem):
            for term in first_title_terms(issue.title)[1:3]:
                place = {"pk": {"S": f"WS#{issue.workspace_id}#TERM#{term}"}, "sk": {"S": issue.id}}
                rows.append({**place, "places": {"SS": ["title"]}})
    write_rows(office.world.services.store, rows)


def write_rows(store: Store, rows: Iterable[Any]) -> None:
    """Inside the engine, like a dump that is restored: asking it takes a hundred times as long."""
    table = engine._tables[store.table.name]
    for row in rows:
        engine._set_item(table, row["pk"]["S"], row["sk"]["S"], row)
