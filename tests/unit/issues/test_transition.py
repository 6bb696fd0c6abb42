"""issues.transition: the status, its time stamps, its event, and what is counted by it."""

import pytest

from tests.workshop.issues import (
    CLOSED,
    a_project,
    a_queued_issue,
    an_issue,
    assign,
    block,
    counts,
    head,
    load,
    move,
    queue,
    status_id,
)
from tests.workshop.office import Office


def test_an_issue_is_counted_in_one_status_and_its_project_too(office: Office) -> None:
    project_id = a_project(office)
    issue_id = an_issue(office, projectId=project_id)

    move(office, issue_id, "TODO")

    expected = {f"S#{status_id(office, 'TODO')}": 1}
    assert counts(office) == expected
    assert counts(office, f"issues#{project_id}") == expected


def test_what_is_done_counts_for_its_day_until_it_is_opened_again(office: Office) -> None:
    issue_id = an_issue(office)

    move(office, issue_id, "DONE")
    done = counts(office)
    office.world.clock.advance(days=2)
    move(office, issue_id, "TODO")

    day = f"D#{head(office, issue_id).created_at.date()}"
    assert done == {f"S#{status_id(office, 'DONE')}": 1, day: 1}
    assert counts(office) == {f"S#{status_id(office, 'TODO')}": 1}


@pytest.mark.parametrize("category", CLOSED)
def test_a_closed_issue_is_no_load_for_its_agent(office: Office, category: str) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)

    move(office, issue_id, category)
    closed = load(office, agent_id)
    move(office, issue_id, "TODO")

    assert (closed, load(office, agent_id)) == (0, 1)


@pytest.mark.parametrize("category", CLOSED)
def test_a_closed_issue_is_not_in_the_queue_until_it_is_opened_again(office: Office, category: str) -> None:
    issue_id = a_queued_issue(office)

    move(office, issue_id, category)
    closed = queue(office)
    move(office, issue_id, "TODO")

    assert (closed, queue(office)) == ([], [issue_id])


@pytest.mark.parametrize("category", CLOSED)
def test_closing_frees_what_it_blocks_and_opening_blocks_it_again(office: Office, category: str) -> None:
    blocker, blocked = an_issue(office), a_queued_issue(office)
    block(office, blocker, blocked)

    move(office, blocker, category)
    freed = head(office, blocked).open_blockers, queue(office)
    move(office, blocker, "IN_PROGRESS")

    assert freed == (0, [blocked])
    assert (head(office, blocked).open_blockers, queue(office)) == (1, [])


def test_from_one_closed_status_to_the_other_frees_nothing_twice(office: Office) -> None:
    first, second, blocked = an_issue(office), an_issue(office), a_queued_issue(office)
    block(office, first, blocked)
    block(office, second, blocked)

    move(office, first, "DONE")
    move(office, first, "CANCELED")

    assert (head(office, blocked).open_blockers, queue(office)) == (1, [])
