"""Who comes too late gets their work back, unless somebody else took the issue meanwhile."""

import pytest

from tests.workshop.backlog import Session, a_repository, backlog, filed, identifier, labels_of
from tests.workshop.office import Office


def late(office: Office, *phases: str) -> tuple[Session, int]:
    """A session whose lock expired and was given back by the sweep, and the issue's number."""
    a_repository(office)
    number = filed(office)
    session = Session(office, "a")
    session.taken()
    for phase in phases:
        session.advance(number, phase, skipJustification="It is urgent.")
    office.world.clock.advance(minutes=31)
    office.sweep()
    return session, number


def test_work_that_the_sweep_gave_back_goes_on_where_it_was(office: Office) -> None:
    session, number = late(office, "research", "branch")
    before = backlog(office)[0]["isLocked"]

    renewed = session.renew(number)["lock"]

    (status,) = session.status()
    (row,) = backlog(office)
    assert (before, row["isLocked"], row["lockedBy"], row["status"]) == (
        False,
        True,
        session.id,
        "in-progress",
    )
    assert (status["currentPhase"], status["branchName"]) == ("branch", f"{number}-login-hangs")
    assert [one["to"] for one in status["phaseHistory"]] == ["selection", "research", "branch"]
    assert (renewed["sessionId"], renewed["fence"]) == (session.id, 2)
    assert session.advance(number, "implementation")["success"] is True
    assert session.release(number, "merged")["success"] is True


def test_work_that_has_a_pull_request_is_in_review_again(office: Office) -> None:
    session, number = late(office, "pr")

    session.renew(number)

    assert labels_of(office, number) == {"type:bug", "status:in-review"}
    assert session.status()[0]["prNumber"] == 1


def test_work_can_be_lost_and_got_back_more_than_once(office: Office) -> None:
    session, number = late(office, "research")
    session.renew(number)
    office.world.clock.advance(minutes=31)
    office.sweep()

    session.renew(number)

    assert session.status()[0]["currentPhase"] == "research"


def test_what_another_session_took_meanwhile_stays_theirs(office: Office) -> None:
    session, number = late(office)
    other = Session(office, "b")
    other.taken()

    held = session.renew(number)
    other.release(number, "abandoned")
    given_back = session.renew(number)

    assert [held["code"], given_back["code"]] == ["NOT_LOCKED"] * 2


@pytest.mark.parametrize("what", ["another session", "given back", "closed", "claimed"])
def test_nobody_gets_back_what_they_did_not_lose(office: Office, what: str) -> None:
    session, number = late(office)
    issue = identifier(office, number)
    if what == "another session":
        session = Session(office, "b")
    if what == "given back":
        session.taken()
        session.release(number, "abandoned")
    if what == "closed":
        office.call("issues.transition", {"id": issue, "statusId": "DONE"})
    if what == "claimed":
        office.call("issues.claim", {"issueId": issue}, key=office.an_agents_key())

    assert session.renew(number)["code"] == "NOT_LOCKED"
