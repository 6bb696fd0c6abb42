"""A board of issues, as callers make it and as it is stored."""

from datetime import datetime
from typing import Any

from forge.context import KeyKind, Narrowing
from forge.store.counters import read_counts
from forge.store.physical import SORT
from forge.store.ranges import SortRange
from forge.store.table import Table
from forge.testing.builders import an_issue as an_issue_item
from forge.work.content.comments.comments import CommentItem
from forge.work.issues.followers import HELD_QUEUE, QUEUE, QueueItem
from forge.work.issues.inbox.rows import OF_AGENT
from forge.work.issues.issues import OF_ISSUE, BodyItem, IssueItem
from forge.work.issues.runs.runs import LiveRunItem, RunEventItem, RunItem
from forge.work.issues.watchers import WatchItem
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from forge.work.workspace.people.agents import LOAD, LoadItem
from tests.workshop.events import relay as relay_marks
from tests.workshop.office import Body, Office, ids_in

PRIORITIES = ("NONE", "LOW", "MEDIUM", "HIGH", "URGENT")
CLOSED = ("DONE", "CANCELED")


def an_issue(office: Office, title: str = "Fix the login", *, key: str | None = None, **more: Any) -> str:
    return str(office.call("issues.create", {"title": title, **more}, key=key or office.owner_key)["id"])


def issues(office: Office, number: int, **more: Any) -> list[str]:
    return [an_issue(office, f"Number {place}", **more) for place in range(number)]


def stored_heads(office: Office, number: int, *, padding: str = "", **fields: Any) -> list[IssueItem]:
    """So many open issues, stored without a call for each."""
    usual = {"workspace_id": office.workspace.id, "status_id": "sta_any", "category": "TODO"}
    usual |= {"created_at": now(office), "updated_at": now(office)} | fields
    heads = [
        an_issue_item(
            id=office.world.ids("iss"),
            number=10_000 + place,
            title=f"Number {place:03}{padding}" if padding else f"Number {place}",
            **usual,
        )
        for place in range(number)
    ]
    office.put(*heads)
    return heads


def stored_issues(office: Office, number: int, **fields: Any) -> list[str]:
    return [issue.id for issue in stored_heads(office, number, **fields)]


def a_project(office: Office, key: str = "SITE", **more: object) -> str:
    return str(office.call("projects.create", {"key": key, "name": "Website", **more})["id"])


def status_id(office: Office, category: str) -> str:
    """Of the first status of a category."""
    return str(office.rows("statuses.list", {"category": category})[0]["id"])


def move(office: Office, issue_id: str, category: str, **how: str) -> Body:
    return office.call("issues.transition", {"id": issue_id, "statusId": status_id(office, category)}, **how)


def assign(office: Office, issue_id: str, agent_id: str | None, mode: str | None = None, **how: str) -> Body:
    wanted = {"issueId": issue_id, "agentId": agent_id, **({"mode": mode} if mode else {})}
    return office.call("issues.assign", wanted, **how)


def block(office: Office, blocker_id: str, blocked_id: str) -> None:
    office.call("relations.add", {"fromIssueId": blocker_id, "toIssueId": blocked_id, "kind": "BLOCKS"})


def a_queued_issue(office: Office, title: str = "Fix the login", **more: Any) -> str:
    issue_id = an_issue(office, title, **more)
    office.call("issues.queue", {"id": issue_id})
    return issue_id


def an_agents_key(office: Office, agent_id: str, **narrowed_to: list[str]) -> str:
    narrowing = Narrowing(**{name: frozenset(ids) for name, ids in narrowed_to.items()})
    return office.world.a_key(
        kind=KeyKind.AGENT, linked_agent_id=agent_id, workspace=office.workspace, narrowing=narrowing
    )


def with_a_short_prefix(office: Office) -> Office:
    """Another workspace, whose issues have identifiers of the usual length."""
    slug = office.world.ids("w").replace("_", "")
    return Office(office.world, office.world.add_workspace(slug))


def table(office: Office) -> Table:
    return office.world.services.store.table


def now(office: Office) -> datetime:
    return office.world.clock()


def head(office: Office, issue_id: str) -> IssueItem:
    found = table(office).find(IssueItem, IssueItem.at(office.workspace.id, issue_id))
    assert found is not None
    return found


def body(office: Office, issue_id: str) -> BodyItem:
    found = table(office).find(BodyItem, BodyItem.at(office.workspace.id, issue_id))
    assert found is not None
    return found


def description(office: Office, issue_id: str) -> str | None:
    shown = office.call("issues.get", {"id": issue_id, "include": {"description": True}})
    text: str | None = shown["description"]
    return text


def run(office: Office, run_id: str) -> RunItem:
    found = table(office).find(RunItem, RunItem.at(office.workspace.id, run_id))
    assert found is not None
    return found


def live_run(office: Office, issue_id: str, agent_id: str) -> RunItem:
    """The one live run of an agent on an issue: the head, its place and the run itself agree."""
    (live,) = head(office, issue_id).live_runs_of(agent_id)
    found = run(office, live.run_id)
    assert live_runs(office, agent_id, issue_id) == [LiveRunItem.of_run(found)]
    assert found.as_live == live
    assert found.is_live
    return found


def has_no_live_run(office: Office, issue_id: str, agent_id: str) -> bool:
    return not head(office, issue_id).live_runs_of(agent_id) and not live_runs(office, agent_id, issue_id)


def live_runs(office: Office, agent_id: str, issue_id: str) -> list[LiveRunItem]:
    partition = OF_AGENT(office.workspace.id, agent_id)
    among = SortRange(prefix=f"{LiveRunItem.stored.prefix()}{issue_id}#")
    rows = table(office).query_all(partition, most=100, sort=among)
    return [LiveRunItem.from_attributes(row) for row in rows]


def run_events(office: Office, run_id: str) -> list[tuple[str, dict[str, Any]]]:
    """The kinds and payloads of a run's own events, oldest first."""
    partition = RunItem.at(office.workspace.id, run_id).partition
    rows = table(office).query_all(partition, most=100)
    found = [RunEventItem.from_attributes(row) for row in rows if row[SORT]["S"].startswith("E#")]
    return [(event.kind, event.payload) for event in found]


def load(office: Office, agent_id: str) -> int:
    found = table(office).find(LoadItem, LOAD(office.workspace.id, agent_id))
    assert found is not None
    return found.open


def queue(office: Office) -> list[str]:
    """What waits, as the queue's rows say, in their order."""
    rows = table(office).query_all(QUEUE(office.workspace.id), most=500)
    return [QueueItem.from_attributes(row).issue_id for row in rows]


def held(office: Office) -> list[str]:
    rows = table(office).query_all(HELD_QUEUE(office.workspace.id), most=500)
    return [QueueItem.from_attributes(row).issue_id for row in rows]


def watchers(office: Office, issue_id: str) -> set[str]:
    partition = OF_ISSUE(office.workspace.id, issue_id)
    rows = table(office).query_all(partition, most=500, sort=SortRange(prefix=WatchItem.stored.prefix()))
    return {WatchItem.from_attributes(row).watcher_id for row in rows}


def comments(office: Office, issue_id: str) -> list[CommentItem]:
    partition = OF_ISSUE(office.workspace.id, issue_id)
    rows = table(office).query_all(partition, most=500, sort=SortRange(prefix=CommentItem.stored.prefix()))
    return [CommentItem.from_attributes(row) for row in rows]


def counts(office: Office, name: str = "issues") -> dict[str, int]:
    """What is counted, without what has come to nothing."""
    found = read_counts(table(office), office.workspace.id, name)
    return {dimension: count for dimension, count in found.items() if count}


def events(office: Office, *kinds: EventKind) -> list[LogItem]:
    return [row for row in office.log() if row.kind in kinds]


def last(office: Office, kind: EventKind) -> LogItem:
    return events(office, kind)[-1]


def woken(office: Office, place: int = 0) -> list[tuple[str, str]]:
    """Who was woken after so many rows of the log, each with the kind of the event."""
    return [(wake.agent_id, str(row.kind)) for row in office.log()[place:] for wake in row.wakes]


def relay(office: Office) -> None:
    relay_marks(office.world.services.store, office.workspace.id)


def ids(rows: list[Body]) -> list[str]:
    return [str(row["id"]) for row in rows]


def listed(office: Office, filters: Body | None = None, **how: str) -> set[str]:
    """The issues that a list shows, on one page of up to a hundred."""
    return set(ids(office.rows("issues.list", {"limit": 100, **(filters or {})}, **how)))


def chained(office: Office, tool: str, arguments: Body, **how: str) -> list[str]:
    """The ids of all pages, one after the other; every page but the last is full."""
    pages = office.pages(tool, arguments, **how)
    assert {len(page["data"]) for page in pages[:-1]} <= {arguments["limit"]}
    return ids_in(*pages)


def delete(office: Office, issue_id: str) -> None:
    """No tool does it yet."""
    tx = office.begin()
    tx.replace(head(office, issue_id).changed(deleted_at=now(office)))
    office.commit(tx)
