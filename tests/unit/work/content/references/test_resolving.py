"""What callers say for things in whole calls: themselves, names of projects, and who is told what."""

import json

import pytest

from tests.workshop.issues import a_project, an_issue
from tests.workshop.office import Office


def told_of(office: Office, field: str, tool: str, arguments: dict[str, object], *, key: str) -> str:
    answer = office.send(tool, arguments, key=key)
    assert answer.status == 400, answer.body
    return str(json.loads(answer.body)["issues"][field])


def test_an_agent_is_me_for_its_own_key(office: Office) -> None:
    agent = office.an_agent("worker")
    issue_id = an_issue(office, assignedAgentId="WORKER")
    own = office.an_agents_key(agent["id"])

    (row,) = office.rows("issues.list", {"assignedAgentId": "Me"}, key=own)

    assert row["id"] == issue_id
    assert office.refused("issues.list", {"assignedAgentId": "me"}) == (
        400,
        "invalid_input",
        {"assignedAgentId"},
    )


def test_a_person_is_me_for_their_own_key(office: Office) -> None:
    key = office.a_key(userId="me", scopes=["READ_ISSUES"])

    assert key["userId"] == office.owner_id
    assert office.rows("issues.list", {"assigneeId": "me"}) == []


def test_a_project_is_named_by_its_name_where_no_other_has_it(office: Office) -> None:
    project_id = a_project(office, "SITE", name="Website")

    renamed = office.call("projects.update", {"id": "website", "name": "Home page"})
    a_project(office, "HOME", name="Home page")
    ambiguous = office.refused("projects.update", {"id": "Home page", "name": "Other"})

    assert renamed["id"] == project_id
    assert ambiguous == (400, "invalid_input", {"id"})


def test_a_project_that_a_key_does_not_see_is_neither_told_nor_in_the_way(office: Office) -> None:
    own, _hidden = a_project(office, "OWN", name="Website"), a_project(office, "HIDDEN", name="Website")
    key = office.a_narrowed_key(project_ids=[own])

    told = told_of(office, "projectId", "issues.list", {"projectId": "Nothing"}, key=key)

    assert "OWN" in told
    assert "HIDDEN" not in told
    assert office.call("issues.create", {"title": "One", "projectId": "Website"}, key=key)["projectId"] == own


def test_who_may_not_see_people_is_not_told_of_them(office: Office) -> None:
    office.an_agent("secretive")
    blind = office.a_key(scopes=["READ_ISSUES"])["rawKey"]
    seeing = office.a_key(scopes=["READ_ISSUES", "READ_USERS"])["rawKey"]
    wanted: dict[str, object] = {"assignedAgentId": "nobody"}

    assert "secretive" not in told_of(office, "assignedAgentId", "issues.list", wanted, key=blind)
    assert "secretive" in told_of(office, "assignedAgentId", "issues.list", wanted, key=seeing)


def test_a_deleted_label_is_unknown_by_id_and_by_name(office: Office) -> None:
    label = office.a_label("bug")
    issue_id = an_issue(office)

    assert office.call("labels.delete", {"id": "BUG"}) == {"id": label["id"], "deleted": True}
    for gone in (label["id"], "bug"):
        refused = office.refused("issues.setLabels", {"issueId": issue_id, "add": [gone]})
        assert refused == (400, "invalid_input", {"add"})


def test_a_repeated_call_by_name_gets_its_first_answer_though_the_name_is_gone(office: Office) -> None:
    office.a_label("bug")
    first = office.call("labels.delete", {"id": "bug"}, idempotency_key="once")

    assert office.call("labels.delete", {"id": "bug"}, idempotency_key="once") == first
    assert office.refused("labels.delete", {"id": "bug"}) == (404, "not_found", set())


def test_a_label_that_is_named_twice_is_one(office: Office) -> None:
    label = office.a_label("bug")
    issue_id = an_issue(office)

    answer = office.call("issues.setLabels", {"issueId": issue_id, "add": ["bug", label["id"], "Bug"]})

    assert answer["added"] == [label["id"]]


def test_an_agent_is_handed_work_by_id_too(office: Office) -> None:
    first, second = office.an_agent("first"), office.an_agent("second")
    issue_id = an_issue(office, assignedAgentId="first")

    handed = office.call(
        "issues.reassign",
        {"issueId": issue_id, "toProfileKey": second["id"], "rationale": "Needs another pair of eyes."},
    )

    assert (handed["from"], handed["to"]) == (first["profileKey"], second["profileKey"])


@pytest.mark.parametrize(
    ("named", "more"), [({}, 0), ({"labelIds": ["bug", "chore"], "projectId": "SITE"}, 1)]
)
def test_names_are_read_together_and_ids_not_at_all(
    office: Office, named: dict[str, object], more: int
) -> None:
    counter = office.counted()
    ids = [office.a_label(name)["id"] for name in ("bug", "chore")]
    by_id = {"title": "One", "labelIds": ids, "projectId": a_project(office, "SITE")}
    counter.reset()
    office.call("issues.create", by_id)
    usual = counter.reads
    counter.reset()

    office.call("issues.create", {**by_id, **named})

    assert counter.reads == usual + more
