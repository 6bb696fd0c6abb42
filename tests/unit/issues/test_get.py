"""issues.get: lean by itself, and with each section that can be asked for."""

import pytest

from tests.workshop.issues import a_project, an_agents_key, an_issue, assign, block, delete, live_run, move
from tests.workshop.office import Body, Office

SECTIONS = {
    "description": {"description", "expectedOutput", "verificationChecklist"},
    "comments": {"comments"},
    "attachments": {"attachments"},
    "relations": {"relations"},
    "currentRun": {"currentRun"},
    "labels": set(),
}


def get(office: Office, issue_id: str, include: Body | None = None, **how: str) -> Body:
    return office.call("issues.get", {"id": issue_id, **({"include": include} if include else {})}, **how)


def comment(office: Office, issue_id: str, body: str) -> str:
    return str(office.call("comments.create", {"issueId": issue_id, "body": body})["id"])


def test_by_itself_it_shows_the_head_alone(office: Office) -> None:
    issue_id = an_issue(office, description="Long text")
    comment(office, issue_id, "Hello")

    lean = get(office, issue_id)

    assert not set().union(*SECTIONS.values()) & lean.keys()
    assert lean["status"]["category"] == "BACKLOG"
    assert (lean["project"], lean["assignees"], lean["labels"]) == (None, [], [])


@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_comes_alone(office: Office, section: str) -> None:
    issue_id = an_issue(office)
    lean = get(office, issue_id)

    shown = get(office, issue_id, {section: True})

    assert shown.keys() - lean.keys() == SECTIONS[section]
    assert shown.items() >= lean.items()
    assert all(shown[name] in (None, []) for name in SECTIONS[section])


def test_a_section_that_is_not_wanted_is_left_out(office: Office) -> None:
    issue_id = an_issue(office)

    shown = get(office, issue_id, {"description": False, "comments": False, "relations": True})

    assert not {"description", "comments"} & shown.keys()
    assert shown["relations"] == []


def test_the_texts_are_as_they_were_written(office: Office) -> None:
    issue_id = an_issue(office, description="# Why\n\nBecause.")
    check = {"id": "c1", "label": "Tests pass", "kind": "command", "value": "make test", "done": True}
    more = {"expectedOutput": "A report", "verificationChecklist": [check]}
    office.call("issues.update", {"id": issue_id, **more})

    shown = get(office, issue_id, {"description": True})

    assert shown["description"] == "# Why\n\nBecause."
    assert {name: shown[name] for name in more} == more


def test_people_are_named(office: Office) -> None:
    owner = office.owner_id
    office.call("members.update", {"userId": owner, "name": "Olga", "handle": "olga"})
    issue_id = an_issue(office)
    office.call("issues.claim", {"issueId": issue_id})

    shown = get(office, issue_id)

    brief = {"id": owner, "name": "Olga", "handle": "olga"}
    assert (shown["author"], shown["assignees"]) == (brief, [{"user": brief}])
    assert shown["claimedById"] == owner
    assert shown["claimedAt"]


def test_comments_are_the_newest_so_many_oldest_first(office: Office) -> None:
    issue_id = an_issue(office)
    made = []
    for place in range(4):
        made.append(comment(office, issue_id, f"number {place}"))
        office.world.clock.advance(seconds=1)

    some = get(office, issue_id, {"comments": {"limit": 3}})
    everything = get(office, issue_id, {"comments": {"limit": 4}})

    assert [one["id"] for one in some["comments"]] == made[1:]
    assert some["commentsTruncated"] is True
    assert [one["id"] for one in everything["comments"]] == made
    assert "commentsTruncated" not in everything


def test_true_means_twenty_comments(office: Office) -> None:
    issue_id = an_issue(office)
    for place in range(21):
        comment(office, issue_id, f"number {place}")

    assert len(get(office, issue_id, {"comments": True})["comments"]) == 20
    assert len(get(office, issue_id, {"comments": {}})["comments"]) == 20


def test_a_deleted_comment_is_not_shown(office: Office) -> None:
    issue_id = an_issue(office)
    kept, deleted = comment(office, issue_id, "kept"), comment(office, issue_id, "deleted")
    office.call("comments.delete", {"id": deleted})

    shown = get(office, issue_id, {"comments": {"limit": 1}})

    assert [one["id"] for one in shown["comments"]] == [kept]
    assert "commentsTruncated" not in shown


def test_comments_say_who_wrote_them(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker", name="Wanda")
    comment(office, issue_id, "By a person")
    said = {"issueId": issue_id, "body": "By an agent"}
    office.call("comments.create", said, key=an_agents_key(office, agent["id"]))

    by_person, by_agent = get(office, issue_id, {"comments": True})["comments"]

    assert (by_person["body"], by_person["author"]["id"]) == ("By a person", office.owner_id)
    assert by_agent["authoringAgent"] == {"id": agent["id"], "profileKey": "worker", "name": "Wanda"}


def test_relations_are_what_the_issue_says_of_others_oldest_first(office: Office) -> None:
    issue_id = an_issue(office)
    others = [an_issue(office, f"Other {place}") for place in range(3)]
    for other, kind in zip(others[::-1], ("RELATES_TO", "BLOCKS", "DUPLICATES"), strict=True):
        office.call("relations.add", {"fromIssueId": issue_id, "toIssueId": other, "kind": kind})
        office.world.clock.advance(seconds=1)

    shown = get(office, issue_id, {"relations": True})["relations"]

    assert [one["toIssueId"] for one in shown] == others[::-1]
    assert [one["kind"] for one in shown] == ["RELATES_TO", "BLOCKS", "DUPLICATES"]
    assert {one["direction"] for one in shown} == {"outbound"}
    assert shown[0]["issue"]["title"] == "Other 2"


def test_a_blocked_issue_says_so(office: Office) -> None:
    blocker, blocked = an_issue(office), an_issue(office)
    block(office, blocker, blocked)

    shown = get(office, blocked, {"relations": True})

    assert shown["openBlockers"] == 1
    assert [(one["kind"], one["toIssueId"]) for one in shown["relations"]] == [("BLOCKED_BY", blocker)]


def test_relations_to_what_the_key_may_not_see_are_left_out(office: Office) -> None:
    project_id = a_project(office)
    seen, hidden = an_issue(office, projectId=project_id), an_issue(office)
    block(office, seen, hidden)
    key = office.a_narrowed_key(project_ids=[project_id])

    assert get(office, seen, {"relations": True}, key=key)["relations"] == []


def test_the_current_run_is_the_latest_that_has_not_ended(office: Office) -> None:
    issue_id = an_issue(office)
    first, second = office.an_agent("one"), office.an_agent("two")
    office.call("comments.create", {"issueId": issue_id, "body": "@one look"})
    office.world.clock.advance(minutes=1)
    assign(office, issue_id, second["id"], "RESEARCH")

    current = get(office, issue_id, {"currentRun": True})["currentRun"]

    assert current["id"] == live_run(office, issue_id, second["id"]).id
    assert (current["status"], current["engagementMode"]) == ("ACTIVE", "RESEARCH")
    assert current["agent"]["profileKey"] == "two"

    assign(office, issue_id, None)
    left = get(office, issue_id, {"currentRun": True})["currentRun"]
    assert left["agent"]["profileKey"] == "one"
    assert left["agentId"] == first["id"]


def test_a_run_that_stalled_is_still_the_current_one(office: Office) -> None:
    given, called = an_issue(office), an_issue(office)
    agent_id = office.an_agent("worker")["id"]
    assign(office, given, agent_id)
    comment(office, called, "@worker execute: go on")
    runs = {issue_id: live_run(office, issue_id, agent_id).id for issue_id in (given, called)}

    office.world.clock.advance(hours=1)
    office.sweep()

    for issue_id, run_id in runs.items():
        current = get(office, issue_id, {"currentRun": True})["currentRun"]
        assert (current["id"], current["status"]) == (run_id, "STALLED")
        assert current["agent"]["profileKey"] == "worker"


def test_an_issue_whose_runs_have_ended_has_no_current_one(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)
    move(office, issue_id, "DONE")

    assert get(office, issue_id, {"currentRun": True})["currentRun"] is None


def test_a_foreign_or_deleted_issue_is_not_found(office: Office, other_office: Office) -> None:
    foreign, deleted = an_issue(other_office), an_issue(office)
    delete(office, deleted)

    for unknown in (foreign, deleted):
        assert office.refused("issues.get", {"id": unknown})[:2] == (404, "not_found")
