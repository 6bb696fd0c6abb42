"""An issue that was imported, and the one on GitHub that it was made of: whoever has one of them has both."""

import pytest

from tests.unit.backlog.github.workshop import NAME, Workshop
from tests.workshop.backlog import Session, backlog
from tests.workshop.issues import delete
from tests.workshop.office import Body


def imported(workshop: Workshop, number: int) -> str:
    made = workshop.office.call("github.importIssue", {"repoFullName": NAME, "number": number})
    return str(made["issueId"])


def shown(workshop: Workshop, issue_id: str) -> Body:
    return workshop.office.call("issues.get", {"id": issue_id})


@pytest.fixture
def others(workshop: Workshop) -> str:
    """The key of somebody else."""
    return workshop.office.a_colleague().key


def test_who_locks_the_one_has_claimed_the_other(workshop: Workshop, others: str) -> None:
    number = workshop.an_issue()
    issue_id = imported(workshop, number)

    lock = workshop.session().select()["lock"]

    now = shown(workshop, issue_id)
    assert now["claimedById"] == workshop.office.owner_id
    assert now["claimExpiresAt"] == lock["leaseExpiresAt"]
    refused = workshop.office.call("issues.claim", {"issueId": issue_id}, key=others)
    assert (refused["claimed"], refused["reason"]) == (None, "already-claimed")


@pytest.mark.parametrize("reason", ["abandoned", "completed"])
def test_who_gives_the_lock_back_gives_back_both(workshop: Workshop, others: str, reason: str) -> None:
    number = workshop.an_issue()
    issue_id = imported(workshop, number)
    session = workshop.session()
    session.taken()
    session.advance(number, "research")

    session.release(number, reason)

    assert shown(workshop, issue_id)["claimedAt"] is None
    assert workshop.office.call("issues.claim", {"issueId": issue_id}, key=others)["claimed"]


def test_a_lock_that_expires_leaves_no_claim(workshop: Workshop) -> None:
    issue_id = imported(workshop, workshop.an_issue())
    workshop.session().taken()

    workshop.office.world.clock.advance(minutes=31)
    workshop.office.sweep()

    assert shown(workshop, issue_id)["claimedAt"] is None


def test_what_somebody_has_claimed_here_is_not_selected_there(workshop: Workshop, others: str) -> None:
    first, second = workshop.an_issue("First"), workshop.an_issue("Second", "priority:low", "type:bug")
    issue_id = imported(workshop, first)
    workshop.office.call("issues.claim", {"issueId": issue_id}, key=others)

    session = workshop.session()

    assert session.taken() == second
    nothing = session.select()
    assert (nothing["code"], nothing["details"]["locked"]) == ("ALL_ISSUES_LOCKED", 2)
    (row,) = [one for one in backlog(workshop.office) if one["number"] == first]
    assert (row["isLocked"], len(row["takenBy"])) == (False, 1)
    assert Session(workshop.office, "theirs", others).taken() == first


def test_what_an_agent_was_given_here_is_that_agents_there(workshop: Workshop) -> None:
    number, agent_id = workshop.an_issue(), workshop.office.an_agent()["id"]
    issue_id = imported(workshop, number)
    workshop.office.call("issues.assign", {"issueId": issue_id, "agentId": agent_id})

    assert workshop.session().select()["success"] is False
    its = Session(workshop.office, "its", workshop.office.an_agents_key(agent_id))
    assert its.taken() == number
    assert shown(workshop, issue_id)["claimedByAgentId"] == agent_id


def test_what_is_imported_under_its_lock_is_claimed_with_the_next_step(workshop: Workshop) -> None:
    number = workshop.an_issue()
    session = workshop.session()
    session.taken()
    issue_id = imported(workshop, number)

    session.advance(number, "research")

    assert shown(workshop, issue_id)["claimedById"] == workshop.office.owner_id


def test_what_somebody_else_claims_before_the_next_step_stays_theirs(workshop: Workshop, others: str) -> None:
    number = workshop.an_issue()
    session = workshop.session()
    session.taken()
    issue_id = imported(workshop, number)
    theirs = workshop.office.call("issues.claim", {"issueId": issue_id}, key=others)["claimed"]["claimedById"]

    session.advance(number, "research")
    claimed_by = [shown(workshop, issue_id)["claimedById"]]
    session.release(number, "abandoned")
    claimed_by.append(shown(workshop, issue_id)["claimedById"])

    assert claimed_by == [theirs, theirs]


def test_who_has_the_one_goes_on_when_the_other_is_gone(workshop: Workshop) -> None:
    number = workshop.an_issue()
    delete(workshop.office, imported(workshop, number))
    session = workshop.session()

    assert session.taken() == number
    assert session.advance(number, "research")["success"] is True
    assert session.release(number, "abandoned")["success"] is True


def test_who_takes_it_over_has_both(workshop: Workshop, others: str) -> None:
    number = workshop.an_issue()
    issue_id = imported(workshop, number)
    workshop.session().taken()
    before = shown(workshop, issue_id)["claimedById"]

    Session(workshop.office, "theirs", others).force(number)

    assert shown(workshop, issue_id)["claimedById"] not in (before, None)
