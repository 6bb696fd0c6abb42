"""Sprints: cycles with issues in them, as callers make them and as they are stored."""

from datetime import timedelta
from typing import Any

from forge.testing.builders import WORKSPACE_ID
from forge.testing.clock import NOON
from forge.work.content.cycles.cycles import CycleItem
from forge.work.issues.issues import ISSUES_OF_CYCLE, IssueItem
from forge.work.workspace.projects.projects import CYCLE_COUNT
from tests.workshop.issues import head, status_id, stored_issues, table
from tests.workshop.office import Body, Office


def cycle(**fields: Any) -> CycleItem:
    """A week from noon on, PLANNED."""
    usual = CycleItem(
        workspace_id=WORKSPACE_ID,
        id="cyc_1",
        name="Sprint 1",
        starts_at=NOON,
        ends_at=NOON + timedelta(days=7),
        length_days=7,
        created_at=NOON,
        updated_at=NOON,
    )
    return usual.changed(**fields)


def a_cycle(office: Office, name: str = "Sprint 1", **more: object) -> str:
    return str(office.call("cycles.create", {"name": name, **more})["id"])


def an_active_cycle(office: Office, name: str = "Sprint 1", **more: object) -> str:
    cycle_id = a_cycle(office, name, **more)
    activate(office, cycle_id)
    return cycle_id


def activate(office: Office, cycle_id: str) -> Body:
    return office.call("cycles.update", {"id": cycle_id, "status": "ACTIVE"})


def add(office: Office, cycle_id: str, *issue_ids: str) -> None:
    office.call("cycles.plan", {"cycleId": cycle_id, "issueIds": list(issue_ids)})


def cycles_of(office: Office, *issue_ids: str) -> list[str | None]:
    return [head(office, issue_id).cycle_id for issue_id in issue_ids]


def members(office: Office, cycle_id: str) -> set[str]:
    """The issues of a cycle as its index has them; its count must say the same."""
    partition = ISSUES_OF_CYCLE(office.workspace.id, cycle_id)
    rows = table(office).query_all(partition, index="subject", most=500)
    found = {issue.id for issue in rows.of(IssueItem)}
    assert count(office, cycle_id) == len(found)
    return found


def count(office: Office, cycle_id: str) -> int:
    place = CYCLE_COUNT(office.workspace.id, cycle_id)
    return table(office).read([place]).number(place, "issue_count")


def stored_members(office: Office, cycle_id: str, number: int) -> list[str]:
    """Issues that have been in a cycle for long, stored without a call for each."""
    backlog = {"status_id": status_id(office, "BACKLOG"), "category": "BACKLOG"}
    ids = stored_issues(office, number, cycle_id=cycle_id, **backlog)
    tx = office.begin()
    tx.tally(CYCLE_COUNT(office.workspace.id, cycle_id), "issue_count", number)
    office.commit(tx)
    return ids
