"""Locks of the backlog and claims of other tools: whoever has an issue by the one has it for the other."""

from tests.workshop.backlog import Session, a_repository, backlog, filed, identifier
from tests.workshop.office import Office


def claimed(office: Office, number: int, key: str) -> str | None:
    """Why an issue can't be claimed; None if it was."""
    answer = office.call("issues.claim", {"issueId": identifier(office, number)}, key=key)
    return None if answer["claimed"] else str(answer["reason"])


def test_what_others_have_claimed_is_locked_and_not_missing(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    claimed(office, number, office.an_agents_key())

    answer = Session(office, "a").select()

    assert (answer["code"], answer["reason"]) == ("ALL_ISSUES_LOCKED", "all_locked")
    assert answer["details"] == {"totalIssues": 1, "matchingFilter": 1, "locked": 1}


def test_of_issues_that_are_assigned_to_others_one_is_told_how_many_there_are(office: Office) -> None:
    a_repository(office)
    agent = office.an_agent()["id"]
    for number in (filed(office), filed(office)):
        office.call("issues.assign", {"id": identifier(office, number), "agentId": agent})

    answer = Session(office, "a").select(includeTypes=["bug"])

    assert (answer["code"], answer["reason"]) == ("NO_ISSUES_AVAILABLE", "no_issues")
    assert answer["details"] == {"totalIssues": 2, "matchingFilter": 2, "locked": 0}


def test_whose_an_issue_is_without_a_lock_is_in_its_row(office: Office) -> None:
    a_repository(office)
    assigned, taken, locked, free = (filed(office, title) for title in ("One", "Two", "Three", "Four"))
    agent = office.an_agent()["id"]
    office.call("issues.assign", {"id": identifier(office, assigned), "agentId": agent})
    claimed(office, taken, office.an_agents_key(agent))
    Session(office, "a").taken()

    rows = {row["number"]: row for row in backlog(office)}

    assert rows[assigned]["takenBy"] == rows[taken]["takenBy"] == [agent]
    assert ("takenBy" in rows[locked], "takenBy" in rows[free]) == (False, False)
    assert (rows[locked]["isLocked"], rows[taken]["isLocked"]) == (True, False)


def test_a_lock_is_not_given_back_as_a_claim(office: Office) -> None:
    a_repository(office)
    number, session = filed(office), Session(office, "a")
    session.taken()

    refused = office.refused("issues.release", {"id": identifier(office, number)})

    assert refused == (409, "conflict", set())
    assert session.advance(number, "research")["success"] is True
    assert session.release(number, "abandoned")["success"] is True


def test_a_lock_that_has_expired_keeps_nobody_from_giving_the_claim_back(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    Session(office, "a").taken()
    office.world.clock.advance(minutes=31)

    office.call("issues.release", {"id": identifier(office, number)})

    assert claimed(office, number, office.an_agents_key()) is None


def test_an_issue_that_was_reopened_under_its_lock_is_nobody_elses(office: Office) -> None:
    a_repository(office)
    number, session = filed(office), Session(office, "a")
    session.taken()
    statuses = {one["category"]: one["id"] for one in office.rows("statuses.list", {})}
    for category in ("DONE", "TODO"):
        office.call("issues.transition", {"id": identifier(office, number), "statusId": statuses[category]})

    assert claimed(office, number, office.an_agents_key()) == "already-claimed"
    assert session.advance(number, "research")["success"] is True


def test_a_key_that_is_narrowed_to_a_label_counts_what_it_sees(office: Office) -> None:
    a_repository(office)
    for kind in ("docs", "docs", "docs", "bug"):
        filed(office, type=kind)
    label = next(one["id"] for one in office.rows("labels.list", {}) if one["name"] == "type:docs")
    session = Session(office, "a", office.a_narrowed_key(label_ids=[label]))

    listed = session.call("list_backlog", limit=1)
    for _ in range(3):
        session.taken()

    assert (len(listed["backlog"]), listed["total"]) == (1, 3)
    assert session.select()["details"] == {"totalIssues": 3, "matchingFilter": 3, "locked": 3}
    assert len(backlog(office)) == 4
