"""Who is removed leaves nothing behind that others would have to wait for, and is still known by their id."""

from tests.workshop.backlog import Session, a_repository, filed, labels_of
from tests.workshop.office import Colleague, Office


def remove(office: Office, colleague: Colleague) -> None:
    office.call("members.remove", {"userId": colleague.id})
    office.sweep()


def a_claimed_issue(office: Office, colleague: Colleague) -> str:
    issue_id = str(office.call("issues.create", {"title": "Ship"})["id"])
    claimed = office.call("issues.claim", {"issueId": issue_id, "claimTtlMinutes": 1440}, key=colleague.key)
    assert claimed["claimed"]
    return issue_id


def test_what_they_had_claimed_is_free_for_others(office: Office) -> None:
    colleague, other = office.a_colleague(), office.a_colleague()
    issue_id = a_claimed_issue(office, colleague)

    remove(office, colleague)

    shown = office.call("issues.get", {"id": issue_id})
    assert (shown["claimedAt"], shown["assignees"]) == (None, [])
    assert office.call("issues.claim", {"issueId": issue_id}, key=other.key)["claimed"]
    told = [row.action for row in office.log() if row.subject_id == issue_id][-3:]
    assert told == ["assign-people", "release", "claim"]


def test_others_keep_what_they_have(office: Office) -> None:
    colleague, other = office.a_colleague(), office.a_colleague()
    issue_id = a_claimed_issue(office, other)
    before = office.call("issues.get", {"id": issue_id})

    remove(office, colleague)

    assert office.call("issues.get", {"id": issue_id}) == before


def test_the_log_says_who_removed_them(office: Office) -> None:
    colleague = office.a_colleague()
    issue_id = a_claimed_issue(office, colleague)

    remove(office, colleague)

    row = [row for row in office.log() if row.subject_id == issue_id][-1]
    assert (row.actor_user_id, row.tool) == (office.owner_id, "members.remove")


def test_what_they_had_locked_is_taken_by_the_next(office: Office) -> None:
    a_repository(office)
    number, colleague = filed(office), office.a_colleague()
    assert Session(office, "theirs", colleague.key).taken() == number

    remove(office, colleague)

    assert labels_of(office, number) == {"type:bug", "status:backlog"}
    assert Session(office, "next").taken() == number


def test_an_archived_agents_lock_is_taken_by_the_next_too(office: Office) -> None:
    a_repository(office)
    number, agent_id = filed(office), office.an_agent()["id"]
    assert Session(office, "its", office.an_agents_key(agent_id)).taken() == number

    office.call("agents.archive", {"id": agent_id})
    office.sweep()

    assert Session(office, "next").taken() == number


def test_what_was_theirs_and_is_done_is_found_by_their_id(office: Office) -> None:
    office.call("workspaces.update", {"timeTrackingEnabled": True})
    colleague = office.a_colleague()
    issue_id = a_claimed_issue(office, colleague)
    done = next(one["id"] for one in office.rows("statuses.list") if one["category"] == "DONE")
    office.call("issues.transition", {"id": issue_id, "statusId": done})

    remove(office, colleague)

    wanted = {"assigneeId": colleague.id, "includeDone": True}
    assert [row["id"] for row in office.rows("issues.list", wanted)] == [issue_id]
    assert office.rows("actionRequests.list", {"assignedUserId": colleague.id}) == []
    assert office.rows("time.list", {"userId": colleague.id}) == []


def test_nothing_new_is_given_to_who_has_left(office: Office) -> None:
    colleague = office.a_colleague()
    remove(office, colleague)

    order = {"name": "again", "userId": colleague.id, "scopes": ["READ_ISSUES"]}
    assert office.refused("keys.create", order)[0] == 400


def test_who_is_back_before_the_sweep_keeps_what_they_had(office: Office) -> None:
    address = f"ada@{office.workspace.slug}.example"
    colleague = office.a_colleague(email=address)
    issue_id = a_claimed_issue(office, colleague)
    office.call("members.remove", {"userId": colleague.id})
    back = office.a_colleague(email=address)

    office.sweep()

    assert office.call("issues.get", {"id": issue_id})["claimedById"] == back.id == colleague.id
    remove(office, back)
    assert office.call("issues.get", {"id": issue_id})["claimedAt"] is None
