"""issues.claim without an id: the best that waits in the queue for this caller."""

import pytest

from forge.work.issues.followers import queue_row
from tests.workshop.issues import PRIORITIES, a_project, a_queued_issue, an_issue, head, stored_heads
from tests.workshop.office import Office

NOTHING = {"claimed": None, "reason": "nothing-queued"}


def best(office: Office, minutes: int = 60, **how: str) -> str | None:
    """The id of what is given."""
    claimed = office.call("issues.claim", {"claimTtlMinutes": minutes}, **how)["claimed"]
    return str(claimed["id"]) if claimed else None


def test_an_empty_queue_gives_nothing(office: Office) -> None:
    an_issue(office)

    assert office.call("issues.claim", {}) == NOTHING


def test_the_most_urgent_comes_first_and_then_the_oldest(office: Office) -> None:
    waiting: dict[str, list[str]] = {}
    for priority in ("LOW", "URGENT", "NONE", "MEDIUM", "HIGH", "URGENT", "LOW"):
        waiting.setdefault(priority, []).append(a_queued_issue(office, priority=priority))
        office.world.clock.advance(minutes=1)

    given = [best(office) for _ in range(8)]

    assert given == [*(one for priority in reversed(PRIORITIES) for one in waiting[priority]), None]


def test_what_is_queued_late_keeps_the_place_of_its_age(office: Office) -> None:
    older = an_issue(office)
    office.world.clock.advance(minutes=1)
    a_queued_issue(office)

    office.call("issues.queue", {"id": older})

    assert best(office) == older


def test_a_new_priority_is_a_new_place(office: Office) -> None:
    a_queued_issue(office)
    office.world.clock.advance(minutes=1)
    later = a_queued_issue(office)

    office.call("issues.update", {"id": later, "priority": "URGENT"})

    assert best(office) == later


def test_who_asks_again_gets_the_next_and_not_its_own(office: Office) -> None:
    first = a_queued_issue(office)
    office.world.clock.advance(minutes=1)
    second = a_queued_issue(office)

    assert [best(office), best(office), best(office)] == [first, second, None]


def test_the_issues_of_others_do_not_hide_what_is_free(office: Office) -> None:
    of_another = {"queued": True, "priority": "URGENT", "assigned_agent_id": office.an_agent()["id"]}
    office.put(*(row for issue in stored_heads(office, 120, **of_another) if (row := queue_row(issue))))
    free = a_queued_issue(office)

    assert best(office) == free


def test_an_expired_claim_is_given_again_in_its_old_place(office: Office) -> None:
    urgent = a_queued_issue(office, priority="URGENT")
    a_queued_issue(office, priority="LOW")
    best(office, 30)
    colleague = office.a_colleague()
    office.world.clock.advance(minutes=31)

    assert best(office, key=colleague.key) == urgent
    assert head(office, urgent).claimed_by_id == colleague.id


@pytest.mark.parametrize("tool", ["issues.setLabels", "issues.update"])
def test_the_queue_knows_where_an_issue_has_moved(office: Office, tool: str) -> None:
    project_id, label_id = a_project(office), office.a_label()["id"]
    issue_id = a_queued_issue(office)
    wanted = (
        {"issueId": issue_id, "add": [label_id]}
        if tool == "issues.setLabels"
        else {"id": issue_id, "projectId": project_id}
    )
    key = (
        office.a_narrowed_key(label_ids=[label_id])
        if tool == "issues.setLabels"
        else office.a_narrowed_key(project_ids=[project_id])
    )

    office.call(tool, wanted)

    assert best(office, key=key) == issue_id
