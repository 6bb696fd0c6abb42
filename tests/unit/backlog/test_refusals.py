"""How the backlog says no: in its contract's words, as a value."""

from typing import Any

import pytest

from forge.work.backlog.workflows.workflows import LEASE
from tests.workshop.backlog import Session, a_repository, filed, identifier, labels_of
from tests.workshop.office import Office


def test_a_repository_must_be_known_named_and_writable(office: Office) -> None:
    order = {"title": "Login", "priority": "low", "type": "docs"}

    def code(**more: Any) -> Any:
        answer = office.call("create_issue", {**order, **more})
        assert answer["success"] is False
        assert answer["error"]
        return answer["code"]

    assert code() == "REPO_REQUIRED"
    assert code(repository="no/such") == "REPO_NOT_FOUND"
    a_repository(office, "demo/old", readOnly=True, default=False)
    assert code(repository="demo/old") == "NO_WRITE_ACCESS"
    a_repository(office, "demo/hub", provider="github", default=False)
    assert code(repository="demo/hub") == "GITHUB_API_ERROR"


def test_a_refusal_is_an_error_over_mcp_and_a_value_over_rest(office: Office) -> None:
    a_repository(office)

    result = office.world.call("renew_lock", {"issueNumber": 1}, key=office.owner_key)

    assert result["isError"] is True
    said = result["structuredContent"]
    assert (said["success"], said["code"], said["reason"]) == (False, "NOT_LOCKED", "not_locked")
    assert Session(office, "a").renew(1) == said


def test_the_confirmation_is_looked_at_before_everything(office: Office) -> None:
    session = Session(office, "a")

    assert session.force(1, "yes")["code"] == "INVALID_CONFIRMATION"
    assert session.force(1)["code"] == "REPO_REQUIRED"
    a_repository(office)
    assert session.force(1)["code"] == "ISSUE_NOT_FOUND"


def test_only_the_session_that_holds_a_lock_works_under_it(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    holder, colleague = Session(office, "a"), office.a_colleague()
    holder.taken()

    for other in (Session(office, "b"), Session(office, "a", colleague.key)):
        assert other.advance(number, "research")["code"] == "NOT_LOCKED"
        assert other.release(number, "merged")["code"] == "NOT_LOCKED"
        assert other.renew(number)["code"] == "NOT_LOCKED"
        assert [one["lockedByMe"] for one in other.status(number)] == [False]
        assert other.status() == []
    assert [one["lockedByMe"] for one in holder.status()] == [True]


def test_phases_are_skipped_for_a_reason_and_untested_work_is_not_committed(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    session = Session(office, "a")
    session.taken()

    skipped = session.advance(number, "testing")
    assert (skipped["code"], skipped["reason"]) == ("SKIP_JUSTIFICATION_REQUIRED", "invalid_transition")
    excused = session.advance(number, "testing", skipJustification="Only a comment.")
    assert excused["workflow"]["branchName"] == f"{number}-login-hangs"
    assert session.advance(number, "research")["code"] == "INVALID_PHASE_TRANSITION"
    untested = session.advance(number, "commit")
    assert (untested["code"], untested["reason"]) == ("TESTS_REQUIRED", "tests_required")
    session.advance(number, "commit", testsPassed=False)
    assert session.status(number)[0]["testsPassed"] is False
    session.advance(number, "commit", testsPassed=True)
    assert session.advance(number, "pr")["success"] is True
    history = session.status(number)[0]["phaseHistory"]
    assert [(one["from"], one["to"]) for one in history] == [
        ("selection", "selection"),
        ("selection", "testing"),
        ("testing", "commit"),
        ("commit", "pr"),
    ]


def test_an_expired_lock_that_nobody_took_may_be_renewed(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    session = Session(office, "a")
    first = session.select()["lock"]
    office.world.clock.advance(seconds=LEASE.total_seconds() + 60)

    renewed = session.renew(number)["lock"]

    assert (renewed["fence"], renewed["acquiredAt"]) == (first["fence"], first["acquiredAt"])
    assert renewed["leaseExpiresAt"] > first["leaseExpiresAt"]


def test_a_closed_issue_goes_no_further_but_its_lock_can_be_given_back(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    session = Session(office, "a")
    session.taken()
    canceled = office.rows("statuses.list", {"category": "CANCELED"})[0]["id"]
    office.call("issues.transition", {"id": f"{office.workspace.key_prefix}-{number}", "statusId": canceled})

    assert session.advance(number, "research")["code"] == "INVALID_PHASE_TRANSITION"
    assert session.release(number, "completed")["success"] is True


@pytest.mark.parametrize("reason", ["completed", "abandoned", "merged"])
def test_what_was_closed_under_its_lock_can_be_taken_once_it_is_open_again(
    office: Office, reason: str
) -> None:
    a_repository(office)
    number = filed(office)
    session = Session(office, "a")
    session.taken()
    office.call("issues.transition", {"id": identifier(office, number), "statusId": "DONE"})

    session.renew(number)
    held = labels_of(office, number)
    session.release(number, reason)
    released = labels_of(office, number)
    office.call("issues.transition", {"id": identifier(office, number), "statusId": "TODO"})

    assert (held, released) == ({"type:bug", "status:in-progress"}, {"type:bug"})
    assert session.taken() == number


def test_taking_over_leaves_a_comment_and_goes_on_where_the_other_was(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    first, second = Session(office, "a"), Session(office, "b")
    first.taken()
    first.advance(number, "research")

    second.force(number)

    (status,) = second.status()
    assert status["currentPhase"] == "research"
    comments = office.rows("comments.list", {"issueId": f"{office.workspace.key_prefix}-{number}"})
    assert [one["body"] for one in comments] == ["Issue claimed by new session (force claim)"]
