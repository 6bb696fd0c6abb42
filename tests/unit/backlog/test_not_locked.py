"""Who asks under a lock that is not theirs is told whose it is, and what became of their own."""

import pytest

from tests.workshop.backlog import Session, a_repository, filed, identifier
from tests.workshop.office import Body, Office

CALLS = ["advance_workflow", "renew_lock", "release_lock"]


def refused(session: Session, tool: str, number: int) -> Body:
    more = {"advance_workflow": {"targetPhase": "research"}, "release_lock": {"reason": "abandoned"}}
    answer = session.call(tool, issueNumber=number, **more.get(tool, {}))
    assert (answer["code"], answer["reason"]) == ("NOT_LOCKED", "not_locked")
    details: Body = answer["details"]
    return details


@pytest.mark.parametrize("tool", CALLS)
def test_a_lock_of_somebody_else_is_told_with_its_end(office: Office, tool: str) -> None:
    a_repository(office)
    number, holder = filed(office), Session(office, "holder")
    lock = holder.select()["lock"]

    details = refused(Session(office, "other"), tool, number)

    assert details["lockedBy"] == lock["sessionId"] == holder.id
    assert details["leaseExpiresAt"][:19] == lock["leaseExpiresAt"][:19]


@pytest.mark.parametrize("tool", CALLS)
def test_what_nobody_holds_is_told_so(office: Office, tool: str) -> None:
    a_repository(office)
    number = filed(office)

    assert refused(Session(office, "other"), tool, number) == {"lockedBy": None}


@pytest.mark.parametrize("tool", CALLS)
def test_a_lock_of_somebody_else_that_has_expired_is_nobodys(office: Office, tool: str) -> None:
    a_repository(office)
    number = filed(office)
    Session(office, "late").taken()
    office.world.clock.advance(minutes=31)

    assert refused(Session(office, "other"), tool, number) == {"lockedBy": None}


def test_who_came_too_late_is_told_that_it_can_not(office: Office) -> None:
    a_repository(office)
    number, late = filed(office), Session(office, "late")
    late.taken()
    office.world.clock.advance(minutes=31)
    office.sweep()
    agent = office.an_agent()["id"]
    office.call("issues.assign", {"id": identifier(office, number), "agentId": agent})

    assert refused(late, "renew_lock", number)["isRenewable"] is False


@pytest.mark.parametrize("tool", ["advance_workflow", "renew_lock"])
def test_the_holder_of_an_issue_that_was_moved_away_is_told_that_the_lock_is_still_theirs(
    office: Office, tool: str
) -> None:
    a_repository(office)
    elsewhere = office.call("projects.create", {"name": "Elsewhere", "key": "ELSE"})["id"]
    number, session = filed(office), Session(office, "one")
    session.taken()
    office.call("issues.update", {"id": identifier(office, number), "projectId": elsewhere})

    details = refused(session, tool, number)

    assert details == {"lockedBy": session.id, "isInRepository": False}
    assert session.release(number, "completed")["success"] is True


def test_a_key_that_is_narrowed_to_other_labels_learns_nothing_of_work_on_an_issue(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    Session(office, "holder").taken()
    stranger = Session(office, "other", office.a_narrowed_key(label_ids=["lbl_other"]))

    status = stranger.call("get_workflow_status", issueNumber=number)
    renewed = stranger.renew(number)

    assert (status["success"], status["code"]) == (False, "NO_WRITE_ACCESS")
    assert (renewed["code"], "details" in renewed) == ("NO_WRITE_ACCESS", False)


def test_a_narrowed_key_sees_the_work_that_it_does_itself(office: Office) -> None:
    repository = a_repository(office)
    number = filed(office)
    own = Session(office, "own", office.a_narrowed_key(project_ids=[repository["projectId"]]))
    own.taken()

    assert [one["lockedByMe"] for one in own.status(number)] == [True]
