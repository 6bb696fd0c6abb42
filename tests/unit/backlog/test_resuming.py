"""A lease that runs out frees the lock and keeps the work: whoever comes next goes on where it was."""

import pytest

from forge.work.backlog.workflows.workflows import BY_EXPIRY, WorkflowItem, WorkflowOutcome
from tests.workshop.backlog import Session, a_repository, backlog, filed, identifier, labels_of
from tests.workshop.office import Office

SWEPT = pytest.mark.parametrize("is_swept", [True, False], ids=["swept", "not swept yet"])


def late(office: Office, *phases: str, is_swept: bool = True) -> tuple[Session, int]:
    """A session whose lock has expired, and the issue's number."""
    a_repository(office)
    number = filed(office)
    session = Session(office, "a")
    session.taken()
    for phase in phases:
        session.advance(number, phase, skipJustification="It is urgent.")
    office.world.clock.advance(minutes=31)
    if is_swept:
        office.sweep()
    return session, number


@SWEPT
def test_who_selects_next_goes_on_where_the_work_was(office: Office, *, is_swept: bool) -> None:
    first, number = late(office, "research", "branch", is_swept=is_swept)
    second = Session(office, "b")

    selected = second.select()

    assert selected["issue"]["number"] == number
    assert selected["resumed"] == {
        "branchName": f"{number}-login-hangs",
        "prNumber": None,
        "phase": "branch",
    }
    assert selected["previousHolder"]["sessionId"] == first.id
    assert selected["workflow"] == {"currentPhase": "branch"}
    (status,) = second.status()
    assert [one["to"] for one in status["phaseHistory"]] == ["selection", "research", "branch"]
    assert labels_of(office, number) == {"type:bug", "status:in-progress"}
    assert second.advance(number, "implementation")["success"] is True


@SWEPT
def test_work_that_has_a_pull_request_stays_in_review_and_is_not_selected(
    office: Office, *, is_swept: bool
) -> None:
    first, number = late(office, "pr", is_swept=is_swept)
    second = Session(office, "b")

    nothing = second.select()
    (row,) = backlog(office)
    (shown,) = second.status(number)
    forced = second.force(number)

    assert (nothing["code"], nothing["reason"]) == ("NO_ISSUES_AVAILABLE", "no_issues")
    assert (row["status"], row["isLocked"], row["lockedBy"]) == ("in-review", False, None)
    assert (shown["prNumber"], shown["isLocked"], shown["lockedByMe"]) == (1, False, False)
    assert forced["resumed"] == {"branchName": f"{number}-login-hangs", "prNumber": 1, "phase": "pr"}
    assert forced["claimed"]["previousHolder"]["sessionId"] == first.id
    assert labels_of(office, number) == {"type:bug", "status:in-review"}
    assert second.advance(number, "pr")["code"] == "INVALID_PHASE_TRANSITION"
    assert second.advance(number, "review")["workflow"]["prNumber"] == 1


@SWEPT
@pytest.mark.parametrize("phases", [["research"], ["pr"]])
def test_who_comes_back_before_anybody_else_goes_on_in_whatever_way(
    office: Office, phases: list[str], *, is_swept: bool
) -> None:
    session, number = late(office, *phases, is_swept=is_swept)

    renewed = session.renew(number)["lock"]
    (row,) = backlog(office)
    held = session.status()
    office.world.clock.advance(minutes=31)
    if is_swept:
        office.sweep()
    advanced = session.advance(number, "review", skipJustification="It is urgent.")

    assert (renewed["sessionId"], renewed["fence"]) == (session.id, 1)
    assert (row["isLocked"], row["status"]) == (True, "in-review" if "pr" in phases else "in-progress")
    assert [(one["issueNumber"], one["isLocked"]) for one in held] == [(number, True)]
    assert advanced["workflow"]["previousPhase"] == phases[-1]
    assert backlog(office)[0]["isLocked"] is True


@SWEPT
@pytest.mark.parametrize(
    ("reason", "status"), [("abandoned", "backlog"), ("completed", "in-review"), ("merged", None)]
)
def test_who_comes_back_late_can_give_the_lock_back(
    office: Office, reason: str, status: str | None, *, is_swept: bool
) -> None:
    session, number = late(office, "pr", is_swept=is_swept)

    released = session.release(number, reason)

    assert released["released"]["duration"] == 31 * 60
    assert [row["status"] for row in backlog(office)] == ([status] if status else [])
    assert session.status(number) == []
    assert session.release(number, reason)["code"] == "NOT_LOCKED"


def test_what_another_session_took_meanwhile_stays_theirs(office: Office) -> None:
    session, number = late(office, "research")
    other = Session(office, "b")
    other.taken()

    refused = [session.renew(number), session.advance(number, "branch"), session.release(number, "merged")]
    other.release(number, "abandoned")
    refused.append(session.renew(number))

    assert [one["code"] for one in refused] == ["NOT_LOCKED"] * 4


@SWEPT
@pytest.mark.parametrize("what", ["another session", "closed", "claimed", "assigned"])
def test_nobody_goes_on_with_what_is_not_theirs(office: Office, what: str, *, is_swept: bool) -> None:
    session, number = late(office, is_swept=is_swept)
    issue = identifier(office, number)
    if what == "another session":
        session = Session(office, "b")
    if what == "closed":
        office.call("issues.transition", {"id": issue, "statusId": "DONE"})
    if what == "claimed":
        office.call("issues.claim", {"issueId": issue}, key=office.an_agents_key())
    if what == "assigned":
        office.call("issues.assign", {"id": issue, "agentId": office.an_agent()["id"]})

    assert session.renew(number)["code"] == "NOT_LOCKED"
    assert session.advance(number, "research")["success"] is False


@SWEPT
def test_what_somebody_claimed_after_the_lock_ran_out_stays_theirs(office: Office, *, is_swept: bool) -> None:
    session, number = late(office, is_swept=is_swept)
    issue, agent = identifier(office, number), office.an_agent()["id"]
    office.call("issues.claim", {"issueId": issue}, key=office.an_agents_key(agent))

    office.sweep()
    other = Session(office, "b").select()
    released = session.release(number, "merged")

    shown = office.call("issues.get", {"id": issue})
    assert (other["code"], released["success"]) == ("ALL_ISSUES_LOCKED", True)
    assert (shown["claimedByAgentId"], shown["status"]["category"]) == (agent, "IN_PROGRESS")


def test_a_sweep_looks_once_at_a_lock_that_ran_out(office: Office) -> None:
    late(office)
    before = len(office.log())

    office.world.clock.advance(minutes=31)
    office.sweep()

    assert len(office.log()) == before


@pytest.mark.parametrize("ended", ["abandoned", "completed"])
def test_an_issue_has_one_pull_request_however_often_it_is_taken(office: Office, ended: str) -> None:
    session, number = late(office, "pr")
    session.release(number, ended)
    office.call("issues.update", {"id": identifier(office, number), "title": "Log in at last"})
    filed(office, "Something else", priority="low")
    second = Session(office, "b")

    second.force(number)
    again = second.advance(number, "pr", skipJustification="It is urgent.")
    other = second.taken()
    elsewhere = second.advance(other, "pr", skipJustification="It is urgent.")

    assert (again["workflow"]["prNumber"], again["workflow"]["branchName"]) == (1, f"{number}-login-hangs")
    assert again["workflow"]["prUrl"]
    assert elsewhere["workflow"]["prNumber"] == 2


def test_work_on_an_issue_that_is_opened_again_has_a_pull_request_of_its_own(office: Office) -> None:
    session, number = late(office, "pr")
    session.release(number, "merged")
    office.call("issues.transition", {"id": identifier(office, number), "statusId": "TODO"})

    session.force(number)

    again = session.advance(number, "pr", skipJustification="It is urgent.")
    assert again["workflow"]["prNumber"] == 2


@pytest.mark.parametrize("how", ["select", "force"])
def test_work_that_an_earlier_build_ended_with_its_lease_goes_on(office: Office, how: str) -> None:
    session, number = late(office, "pr", is_swept=False)
    ended_as_before(office, session, number)
    second = Session(office, "b")

    taken = second.select() if how == "select" else second.force(number)

    assert taken["resumed"] == {"branchName": f"{number}-login-hangs", "prNumber": 1, "phase": "pr"}
    assert [one["to"] for one in second.status()[0]["phaseHistory"]] == ["selection", "pr"]
    assert second.release(number, "abandoned")["success"] is True
    assert "resumed" not in second.select()


def ended_as_before(office: Office, session: Session, number: int) -> None:
    """As the sweep did until now: the work is over, and the lease nobody's."""
    session.release(number, "abandoned")
    table = office.world.services.store.table
    partition = f"WS#{office.workspace.id}#WORKFLOW#"
    repository_id = office.rows("repositories.list", {})[0]["id"]
    (row,) = table.query_all(partition + repository_id, most=10).first_ones().of(WorkflowItem)
    assert row.outcome is WorkflowOutcome.ABANDONED
    *before, last = row.history
    swept = [*before, last.model_copy(update={"triggered_by": BY_EXPIRY})]
    tx = office.begin()
    tx.replace(row.changed(history=swept))
    office.commit(tx)


def test_the_sweep_after_somebody_left_keeps_the_work(office: Office) -> None:
    a_repository(office)
    number, agent = filed(office), office.an_agent()["id"]
    gone = Session(office, "gone", office.an_agents_key(agent))
    gone.taken()
    gone.advance(number, "pr", skipJustification="It is urgent.")

    office.call("agents.archive", {"id": agent})
    office.sweep()
    (row,) = backlog(office)

    assert (row["status"], row["isLocked"]) == ("in-review", False)
    assert Session(office, "b").force(number)["resumed"]["prNumber"] == 1
