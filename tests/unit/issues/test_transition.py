"""issues.transition: the status, its time stamps, its event, and what is counted by it."""

import pytest

from forge.work.record.log.events import EventKind
from tests.unit.issues.board import (
    CLOSED,
    a_project,
    a_queued_issue,
    an_agents_key,
    an_issue,
    assign,
    block,
    counts,
    events,
    head,
    load,
    move,
    queue,
    status_id,
    with_a_short_prefix,
)
from tests.unit.office import Office


def test_an_issue_is_returned_in_its_new_status(office: Office) -> None:
    issue_id, todo = an_issue(office), status_id(office, "TODO")

    moved = office.call("issues.transition", {"id": issue_id, "statusId": todo})

    assert moved["statusId"] == moved["status"]["id"] == todo
    assert moved["status"]["category"] == "TODO"
    assert (head(office, issue_id).status_id, head(office, issue_id).category) == (todo, "TODO")


def test_one_event_tells_where_it_went_and_where_it_came_from(office: Office) -> None:
    issue_id = an_issue(office)
    backlog, todo = status_id(office, "BACKLOG"), status_id(office, "TODO")

    move(office, issue_id, "TODO")

    (event,) = events(office, EventKind.ISSUE_STATUS_CHANGED)
    assert (event.subject_type, event.subject_id, event.issue_id) == ("issue", issue_id, issue_id)
    assert event.payload == {"statusId": todo, "statusName": "Todo", "from": backlog, "fromName": "Backlog"}
    assert (event.before or {})["status_id"] == backlog
    assert (event.after or {})["status_id"] == todo


def test_where_it_is_already_nothing_happens(office: Office) -> None:
    issue_id = an_issue(office)
    before, rows = head(office, issue_id), len(office.log())
    office.world.clock.advance(minutes=1)

    answer = move(office, issue_id, "BACKLOG")

    assert answer["id"] == issue_id
    assert head(office, issue_id) == before
    assert len(office.log()) == rows


@pytest.mark.parametrize(("category", "stamp"), [("DONE", "completedAt"), ("CANCELED", "canceledAt")])
def test_a_closed_issue_is_stamped_until_it_is_opened_again(
    office: Office, category: str, stamp: str
) -> None:
    issue_id = an_issue(office)

    move(office, issue_id, category)
    closed = office.call("issues.get", {"id": issue_id})
    move(office, issue_id, "TODO")

    assert closed[stamp] == closed["updatedAt"]
    opened = office.call("issues.get", {"id": issue_id})
    assert (opened["completedAt"], opened["canceledAt"]) == (None, None)


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


def test_an_identifier_does_in_any_case(office: Office) -> None:
    short = with_a_short_prefix(office)
    issue = short.call("issues.create", {"title": "One"})

    moved = move(short, issue["identifier"].lower(), "TODO")

    assert moved["id"] == issue["id"]
    assert head(short, issue["id"]).category == "TODO"


def test_an_unknown_status_is_a_mistake_in_the_arguments(office: Office, other_office: Office) -> None:
    issue_id = an_issue(office)
    foreign = status_id(other_office, "DONE")

    for unknown in ("sta_none", foreign):
        refused = office.refused("issues.transition", {"id": issue_id, "statusId": unknown})
        assert refused == (400, "invalid_input", {"statusId"})
    assert head(office, issue_id).category == "BACKLOG"


def test_an_unknown_or_foreign_issue_is_not_found(office: Office, other_office: Office) -> None:
    foreign, done = an_issue(other_office), status_id(office, "DONE")

    for unknown in ("iss_none", foreign):
        refused = office.refused("issues.transition", {"id": unknown, "statusId": done})
        assert refused[:2] == (404, "not_found")
    assert head(other_office, foreign).category == "BACKLOG"


def test_the_identifier_of_another_workspace_is_not_found(office: Office) -> None:
    short = with_a_short_prefix(office)
    number = short.call("issues.create", {"title": "One"})["number"]

    refused = short.refused(
        "issues.transition", {"id": f"ELSE-{number}", "statusId": status_id(short, "DONE")}
    )

    assert refused[:2] == (404, "not_found")


def test_a_narrowed_key_moves_only_what_it_may_see(office: Office) -> None:
    inside = a_project(office)
    key = office.a_narrowed_key(project_ids=[inside])
    seen, hidden = an_issue(office, projectId=inside), an_issue(office)

    move(office, seen, "TODO", key=key)
    wanted = {"id": hidden, "statusId": status_id(office, "TODO")}

    assert office.refused("issues.transition", wanted, key=key)[:2] == (403, "forbidden")
    assert (head(office, seen).category, head(office, hidden).category) == ("TODO", "BACKLOG")


def test_a_repeated_call_gets_the_first_answer(office: Office) -> None:
    issue_id = an_issue(office)
    wanted = {"id": issue_id, "statusId": status_id(office, "TODO")}
    first = office.call("issues.transition", wanted, idempotency_key="once")
    office.world.clock.advance(minutes=1)
    move(office, issue_id, "IN_PROGRESS")

    again = office.call("issues.transition", wanted, idempotency_key="once")

    assert again == first
    assert head(office, issue_id).category == "IN_PROGRESS"


def test_an_agent_moves_what_nobody_gave_to_it(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]

    move(office, issue_id, "TODO", key=an_agents_key(office, agent_id))

    (event,) = events(office, EventKind.ISSUE_STATUS_CHANGED)
    assert (event.actor_agent_id, event.actor_user_id) == (agent_id, None)
    assert head(office, issue_id).assigned_agent_id is None
