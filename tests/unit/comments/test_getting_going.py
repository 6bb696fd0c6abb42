"""The first work on an issue moves it, forwards and by itself."""

import pytest

from forge.work.record.log.kinds import EventKind
from tests.workshop.issues import an_issue, assign, events, head, move, status_id
from tests.workshop.office import Office


@pytest.fixture
def agent_id(office: Office) -> str:
    return str(office.an_agent()["id"])


@pytest.fixture
def key(office: Office, agent_id: str) -> str:
    return office.an_agents_key(agent_id)


def report(office: Office, issue_id: str, key: str) -> None:
    office.call("comments.upsertStatus", {"issueId": issue_id, "body": "Begun."}, key=key)


def talk(office: Office, issue_id: str, key: str) -> None:
    office.call("comments.create", {"issueId": issue_id, "body": "I begin."}, key=key)


@pytest.mark.parametrize("category", ["BACKLOG", "TODO"])
def test_the_first_status_of_an_execution_puts_the_issue_in_progress(
    office: Office, key: str, category: str
) -> None:
    issue_id, begun = an_issue(office), status_id(office, "IN_PROGRESS")
    move(office, issue_id, category)
    before, place = head(office, issue_id), len(office.log())

    report(office, issue_id, key)
    report(office, issue_id, key)

    issue = head(office, issue_id)
    assert (issue.status_id, issue.category, issue.started_at) == (begun, "IN_PROGRESS", office.world.clock())
    moved = [row for row in office.log()[place:] if row.kind is EventKind.ISSUE_STATUS_CHANGED]
    (told,) = (row.payload for row in moved)
    assert (told["statusId"], told["from"], told["auto"]) == (begun, before.status_id, True)


def test_it_goes_where_the_workspace_says(office: Office, key: str) -> None:
    issue_id, named = an_issue(office), office.a_status("Coding")["id"]
    office.call("workspaces.update", {"startedStatusId": named})

    report(office, issue_id, key)

    assert head(office, issue_id).status_id == named


@pytest.mark.parametrize("category", ["IN_PROGRESS", "IN_REVIEW", "DONE", "CANCELED"])
def test_what_is_further_stays_there(office: Office, key: str, category: str) -> None:
    issue_id = an_issue(office)
    move(office, issue_id, category)
    before = len(events(office, EventKind.ISSUE_STATUS_CHANGED))

    report(office, issue_id, key)

    assert head(office, issue_id).category == category
    assert len(events(office, EventKind.ISSUE_STATUS_CHANGED)) == before


def test_it_stays_where_the_workspace_wants_that(office: Office, key: str) -> None:
    office.call("workspaces.update", {"moveOnStart": False})
    issue_id = an_issue(office)

    report(office, issue_id, key)

    assert head(office, issue_id).category == "BACKLOG"


@pytest.mark.parametrize("mode", ["RESEARCH", "REVIEW", "DISCUSS"])
def test_who_only_looks_moves_nothing(office: Office, key: str, agent_id: str, mode: str) -> None:
    issue_id = an_issue(office)
    assign(office, issue_id, agent_id, mode)

    report(office, issue_id, key)
    talk(office, issue_id, key)

    assert head(office, issue_id).category == "BACKLOG"


def test_a_word_of_whoever_has_it_is_work_and_that_of_others_is_talk(office: Office, key: str) -> None:
    claimed, other = an_issue(office), an_issue(office)
    office.call("issues.claim", {"issueId": claimed}, key=key)
    at_first = head(office, claimed).category

    talk(office, claimed, key)
    talk(office, other, key)

    assert at_first == "BACKLOG"
    assert [head(office, one).category for one in (claimed, other)] == ["IN_PROGRESS", "BACKLOG"]


def test_a_status_that_an_agent_names_itself_stays(office: Office, key: str) -> None:
    issue_id = an_issue(office)
    office.call("issues.claim", {"issueId": issue_id}, key=key)

    move(office, issue_id, "TODO", key=key)

    assert head(office, issue_id).category == "TODO"
