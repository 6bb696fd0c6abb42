"""What the backlog refused or skipped is in the audit, beside what it did."""

import json
from collections.abc import Iterator
from typing import Any

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt
from forge.testing.instruments import SkippedTime, watched
from forge.testing.world import World
from tests.contract.rehearsals import COMMIT, Switch
from tests.workshop.backlog import Session, a_repository, filed
from tests.workshop.office import Body, Office

FOREVER = 1_000_000


def tried(office: Office) -> list[Body]:
    """What came to nothing, the oldest first."""
    rows = office.rows("audit.list", {"limit": 200})
    return [row for row in reversed(rows) if row["outcome"] != "success"]


def codes(office: Office) -> list[tuple[str, str, str]]:
    return [(row["tool"], row["outcome"], row["code"]) for row in tried(office)]


def test_a_refused_call_says_who_tried_what_and_why_not(office: Office) -> None:
    repository, number = a_repository(office), filed(office)
    session = Session(office, "a")

    session.advance(number, "commit", skipJustification="x" * 1000)

    (row,) = tried(office)
    assert row["params"].pop("skipJustification").startswith("xxx")
    assert row == {
        "id": row["id"],
        "at": row["at"],
        "tool": "advance_workflow",
        "entity": "workflow",
        "entityId": f"{repository['fullName']}#{number}",
        "action": "failure",
        "outcome": "failure",
        "level": "error",
        "code": "NOT_LOCKED",
        "error": row["error"],
        "sessionId": session.id,
        "repository": repository["fullName"],
        "issueNumber": number,
        "phase": "commit",
        "params": {"issueNumber": number, "targetPhase": "commit"},
        "actor": {"userId": office.owner_id, "keyId": row["actor"]["keyId"]},
        "requestId": row["requestId"],
    }


def test_every_refusal_and_every_skip_leaves_its_row(office: Office) -> None:
    session, other = Session(office, "a"), Session(office, "b")
    session.select()
    session.call("list_backlog", repository="no/such")
    session.force(1, "yes")
    a_repository(office)
    session.select()
    session.force(7)
    number = filed(office)
    session.taken()
    other.select()
    other.release(number, "merged")
    other.renew(number)
    session.advance(number, "testing")
    session.advance(number, "testing", skipJustification="Small.")
    session.advance(number, "commit")
    session.advance(number, "research")
    office.send("create_issue", {"title": " "})

    assert codes(office) == [
        ("select_next_issue", "failure", "REPO_REQUIRED"),
        ("list_backlog", "failure", "REPO_NOT_FOUND"),
        ("force_claim", "failure", "INVALID_CONFIRMATION"),
        ("select_next_issue", "skipped", "NO_ISSUES_AVAILABLE"),
        ("force_claim", "failure", "ISSUE_NOT_FOUND"),
        ("select_next_issue", "skipped", "ALL_ISSUES_LOCKED"),
        ("release_lock", "failure", "NOT_LOCKED"),
        ("renew_lock", "failure", "NOT_LOCKED"),
        ("advance_workflow", "failure", "SKIP_JUSTIFICATION_REQUIRED"),
        ("advance_workflow", "failure", "TESTS_REQUIRED"),
        ("advance_workflow", "failure", "INVALID_PHASE_TRANSITION"),
        ("create_issue", "failure", "invalid_input"),
    ]


def test_what_failed_on_an_issue_is_found_by_its_number(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    Session(office, "a").renew(number)

    rows = office.rows("audit.list", {"issueNumber": number})

    assert (rows[0]["tool"], rows[0]["outcome"]) == ("renew_lock", "failure")


def test_there_are_as_many_successes_in_the_audit_as_there_were(office: Office) -> None:
    a_repository(office)
    numbers = [filed(office, title) for title in ("One", "Two")]
    session, other = Session(office, "a"), Session(office, "b")
    answers = [*every_kind_of_call(session, other, numbers)]

    succeeded = sum(answer["success"] for answer in answers) + len(numbers)
    rows = [row for row in office.log() if row.tool in CHANGING]
    failed = [row for row in rows if row.attempt]
    successes = {row.request_id for row in rows} - {row.request_id for row in failed}
    assert len(failed) == len({row.request_id for row in failed}) == len(answers) + len(numbers) - succeeded
    assert len(successes) == succeeded
    assert len(failed) == 7


CHANGING = {
    "create_issue",
    "select_next_issue",
    "advance_workflow",
    "release_lock",
    "force_claim",
    "renew_lock",
}


def every_kind_of_call(session: Session, other: Session, numbers: list[int]) -> Iterator[Body]:
    """Each succeeds once and fails once, at least."""
    first, second = numbers
    yield session.select()
    yield other.select()
    yield session.select()
    yield other.force(second)
    yield session.renew(second)
    yield session.renew(first)
    yield session.advance(first, "research")
    yield session.advance(first, "research")
    yield session.advance(first, "commit", testsPassed=False, skipJustification="")
    yield session.advance(first, "testing", skipJustification="Small.")
    # That the tests failed is a change, too, of a call that fails.
    yield session.advance(first, "commit", testsPassed=False)
    yield other.release(first, "merged")
    yield session.release(first, "merged")
    yield other.force(first)


def test_an_answer_is_the_same_when_its_row_cannot_be_written(store: Store) -> None:
    switch = Switch()
    office = Office(World(store=watched(store, switch, SkippedTime())))
    a_repository(office)
    session = Session(office, "a")

    def refuse_rows(operation: str, parameters: dict[str, Any], send: Any) -> dict[str, Any]:
        fault = FaultAt(Fault.THROTTLED, position=0, times=FOREVER)
        return fault(operation, parameters, send) if operation == COMMIT else send(**parameters)

    switch.handle = refuse_rows
    answer = session.renew(1)

    assert (answer["success"], answer["code"]) == (False, "NOT_LOCKED")
    assert json.loads(office.world.log[-1])["outcome"] == "conflict"


def test_a_call_that_only_reads_and_is_refused_costs_one_write(office: Office) -> None:
    counted = office.counted()
    a_repository(office)
    office.call("list_backlog")
    counted.reset()

    office.call("list_backlog", {"repository": "no/such"})

    assert (counted.writes, counted.most_items) == (1, 1)
