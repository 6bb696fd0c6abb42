"""issues.create: what a new issue is, where it is counted and found, and who follows it."""

import json

from forge.work.issues.identifiers import ReferenceItem
from forge.work.record.log.kinds import EventKind
from tests.workshop.issues import (
    a_project,
    an_agents_key,
    an_issue,
    body,
    counts,
    description,
    events,
    status_id,
    table,
    watchers,
)
from tests.workshop.office import Office


def test_a_title_is_enough(office: Office) -> None:
    issue = office.call("issues.create", {"title": "Fix the login"})

    assert issue["title"] == "Fix the login"
    assert issue["status"]["name"] == "Backlog"
    assert (issue["priority"], issue["kind"], issue["queued"]) == ("NONE", "ISSUE", False)
    assert (issue["project"], issue["projectId"], issue["labels"]) == (None, None, [])
    assert (issue["assignedAgent"], issue["assignees"], issue["description"]) == (None, [], None)
    assert (issue["startedAt"], issue["completedAt"], issue["canceledAt"]) == (None, None, None)
    assert issue["createdAt"] == issue["updatedAt"]
    assert issue["authorId"] == issue["author"]["id"] == office.owner_id


def test_what_is_returned_is_what_is_stored(office: Office) -> None:
    label_id = office.a_label()["id"]
    created = office.call(
        "issues.create", {"title": "One", "description": "Text", "labelIds": [label_id], "priority": "LOW"}
    )

    read = office.call("issues.get", {"id": created["id"], "include": {"description": True}})

    assert read.items() >= created.items()


def test_the_default_status_is_the_workspaces(office: Office) -> None:
    first = office.a_status("Inbox", "TODO", isDefault=True)["id"]

    assert office.call("issues.create", {"title": "One"})["statusId"] == first


def test_numbers_follow_each_other_in_each_workspace(office: Office, other_office: Office) -> None:
    numbers = [office.call("issues.create", {"title": "One"})["number"] for _ in range(3)]

    assert numbers == [1, 2, 3]
    assert other_office.call("issues.create", {"title": "One"})["number"] == 1


def test_identifier_and_url_are_made_of_the_number(office: Office) -> None:
    issue = office.call("issues.create", {"title": "One"})

    assert issue["identifier"] == f"{office.workspace.key_prefix}-1"
    assert issue["url"] == f"/w/{office.workspace.slug}/i/{issue['identifier']}"
    place = ReferenceItem.at(office.workspace.id, "1")
    reference = table(office).find(ReferenceItem, place)
    assert reference is not None
    assert reference.issue_id == issue["id"]


def test_a_refused_call_uses_up_no_number(office: Office) -> None:
    office.refused("issues.create", {"title": "One", "projectId": "prj_none"})
    office.refused("issues.create", {"title": "One", "statusId": "sta_none"})

    assert office.call("issues.create", {"title": "One"})["number"] == 1


def test_it_is_counted_by_status_and_project(office: Office) -> None:
    project_id = a_project(office)
    an_issue(office, projectId=project_id)
    an_issue(office)

    backlog = f"S#{status_id(office, 'BACKLOG')}"
    assert counts(office) == {backlog: 2}
    assert counts(office, f"issues#{project_id}") == {backlog: 1}


def test_its_labels_are_counted_once_each(office: Office) -> None:
    label = office.a_label()

    issue = office.call("issues.create", {"title": "One", "labelIds": [label["id"], label["id"]]})

    assert [one["id"] for one in issue["labels"]] == [label["id"]]
    assert [row["issueCount"] for row in office.rows("labels.list")] == [1]


def test_one_event_tells_of_it(office: Office) -> None:
    issue = office.call("issues.create", {"title": "Fix the login"})

    (event,) = events(office, EventKind.ISSUE_CREATED)
    assert (event.subject_type, event.subject_id, event.issue_id) == ("issue", issue["id"], issue["id"])
    assert event.payload == {"number": 1, "title": "Fix the login"}
    assert (event.actor_user_id, event.wakes) == (office.owner_id, [])


def test_whoever_creates_it_watches_it(office: Office) -> None:
    agent_id = office.an_agent()["id"]

    by_person = an_issue(office)
    by_agent = an_issue(office, key=an_agents_key(office, agent_id))

    assert watchers(office, by_person) == {office.owner_id}
    assert watchers(office, by_agent) == {agent_id}


def test_a_title_is_kept_without_the_space_around_it(office: Office) -> None:
    assert office.call("issues.create", {"title": "  One  "})["title"] == "One"


def test_a_text_of_more_than_a_hundred_kilobytes_is_kept_elsewhere(office: Office) -> None:
    text = "語" * 50_000

    issue_id = an_issue(office, description=text)

    kept = body(office, issue_id).description
    assert kept is not None
    assert (kept.text, kept.blob is None) == ("", False)
    assert description(office, issue_id) == text


def test_a_key_narrowed_to_projects_creates_only_in_them(office: Office) -> None:
    inside, outside = a_project(office), a_project(office, "OTHER")
    key = office.a_narrowed_key(project_ids=[inside])

    assert an_issue(office, key=key, projectId=inside)

    for project in ({}, {"projectId": outside}):
        assert office.refused("issues.create", {"title": "One", **project}, key=key)[:2] == (403, "forbidden")


def test_whoever_may_not_create_it_there_is_told_where(office: Office) -> None:
    inside = a_project(office)
    key = office.a_narrowed_key(project_ids=[inside])

    answer = office.send("issues.create", {"title": "One"}, key=key)

    assert json.loads(answer.body)["details"] == {"projectIds": [inside]}


def test_a_key_narrowed_to_labels_creates_only_under_them(office: Office) -> None:
    inside, outside = office.a_label("in")["id"], office.a_label("out")["id"]
    key = office.a_narrowed_key(label_ids=[inside])

    assert an_issue(office, key=key, labelIds=[outside, inside])

    for labels in ({}, {"labelIds": [outside]}):
        assert office.refused("issues.create", {"title": "One", **labels}, key=key)[:2] == (403, "forbidden")
