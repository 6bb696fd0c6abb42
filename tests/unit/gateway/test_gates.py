"""Runs with gates: what a change waits for, who may let it through, and what a crash leaves."""

from collections.abc import Callable
from typing import Any

import pytest

from forge.testing.faults import ProcessDied
from forge.testing.instruments import Parameters, Send
from forge.work.plans.gateway.gated_runs import LEASE
from tests.unit.gateway.test_executing import a_change, error_of, executed
from tests.workshop.interference import COMMIT, only
from tests.workshop.office import Office

Body = dict[str, Any]
RUN = {"workflow": "release", "run_id": "2026-07"}


def analyse(office: Office, **context: object) -> Body:
    body = {"intent": "ANALYZE", "action": "workspace.get", "context": {**RUN, **context}}
    return executed(office, body)


def change(**context: object) -> Body:
    return a_change(context={**RUN, **context})


def gates(office: Office, **run: str) -> list[str]:
    return [gate["name"] for gate in office.call("gateway.gates", {**RUN, **run})["gates"]]


def test_a_change_goes_from_analysis_to_its_audit(office: Office) -> None:
    assert error_of(office, change())["details"]["missing"] == ["analysis-done"]
    analyse(office)

    assert executed(office, change())["ok"] is True

    assert gates(office) == ["analysis-done", "execution-done"]
    auditor = office.a_colleague().key
    office.call("gateway.approve", {**RUN, "gate": "audit-passed"}, key=auditor)
    assert gates(office) == ["audit-passed"]


def test_the_gates_of_one_run_open_no_other(office: Office, other_office: Office) -> None:
    analyse(office)

    assert error_of(office, change(run_id="2026-08"))["code"] == "GATE_MISSING"
    assert error_of(office, change(workflow="hotfix"))["code"] == "GATE_MISSING"
    assert error_of(other_office, change())["code"] == "GATE_MISSING"


def test_a_query_neither_needs_nor_opens_a_gate(office: Office) -> None:
    executed(office, {"intent": "QUERY", "action": "workspace.get", "context": RUN})

    assert gates(office) == []


def test_a_planned_run_stays_planned_and_waits_for_somebody_else(office: Office) -> None:
    analyse(office, planned=True)
    assert error_of(office, change())["details"]["missing"] == ["plan-approved"]
    assert office.refused("gateway.approve", RUN)[:2] == (403, "forbidden")

    office.call("gateway.approve", RUN, key=office.a_colleague().key)

    assert executed(office, change())["ok"] is True


def test_what_fails_leaves_the_gates_as_they_were(office: Office) -> None:
    analyse(office)
    bad = {"intent": "MODIFY", "action": "issues.update", "params": {"id": "DEMO-9"}, "context": RUN}

    assert error_of(office, bad)["code"] == "not_found"

    assert gates(office) == ["analysis-done"]
    assert executed(office, change())["ok"] is True


def test_a_workspace_may_let_changes_through_gates_alone(office: Office) -> None:
    office.call("workspaces.update", {"requireGates": True})

    assert error_of(office, a_change())["code"] == "GATE_MISSING"
    assert executed(office, {"intent": "QUERY", "action": "workspace.get"})["ok"] is True


def test_a_reset_run_begins_anew_and_agents_need_more_than_people_for_it(office: Office) -> None:
    analyse(office)
    agent_id = office.an_agent("worker")["id"]
    key = office.a_key(kind="AGENT", linkedAgentId=agent_id, scopes=["WRITE_ISSUES"])["rawKey"]
    assert office.refused("gateway.reset", RUN, key=key)[:2] == (403, "scope_required")

    assert office.call("gateway.reset", RUN)["gates"] == []

    assert error_of(office, change())["code"] == "GATE_MISSING"


def test_a_crash_between_the_change_and_its_gate_is_told_truthfully(office: Office) -> None:
    analyse(office)
    office.interference.handle = only(COMMIT, dies_at(3))
    with pytest.raises(ProcessDied):
        office.send("gateway.execute", change(), idempotency_key="once")
    office.interference.handle = only(COMMIT, dies_at(99))

    assert error_of(office, change())["code"] == "RUN_BUSY"
    office.world.clock.advance(seconds=LEASE.total_seconds())
    assert error_of(office, change())["code"] == "EXECUTION_UNKNOWN"
    repeated = executed(office, change(), idempotency_key="once")

    assert [row["id"] for row in office.rows("issues.list")] == [repeated["result"]["data"]["id"]]
    assert gates(office) == ["analysis-done", "execution-done"]


def test_of_two_changes_at_once_one_is_executed_and_the_other_is_told_to_wait(office: Office) -> None:
    analyse(office)
    told: list[Body] = []
    # Its own commit is the second: the first was its beginning.
    office.interference.handle = only(COMMIT, at(2, lambda: told.append(error_of(office, change()))))

    first = executed(office, change())

    assert first["ok"] is True
    assert [(one["code"], one["recoverable"], one["retryable"]) for one in told] == [("RUN_BUSY", True, True)]
    assert len(office.rows("issues.list")) == 1


def at(number: int, act: Callable[[], object]) -> Any:
    """Does something else first, when the n-th commit comes."""
    seen = [0]

    def handle(operation: str, parameters: Parameters, send: Send) -> Body:
        seen[0] += 1
        if seen[0] == number:
            act()
        return send(**parameters)

    return handle


def dies_at(number: int) -> Any:
    """A process that dies instead of its n-th commit."""
    seen = [0]

    def handle(operation: str, parameters: Parameters, send: Send) -> Body:
        seen[0] += 1
        if seen[0] == number:
            raise ProcessDied
        return send(**parameters)

    return handle


def test_agents_open_no_gate_of_people_unless_the_workspace_leaves_it_to_them(office: Office) -> None:
    analyse(office, planned=True)
    key = office.an_agents_key()

    assert office.refused("gateway.approve", RUN, key=key)[:2] == (403, "forbidden")
    assert office.refused("gateway.reset", RUN, key=key)[:2] == (403, "forbidden")
    office.call("workspaces.update", {"checkpointsNeedAPerson": False})
    office.call("gateway.approve", RUN, key=key)

    assert gates(office) == ["analysis-done", "plan-approved"]
    assert office.call("gateway.reset", RUN, key=key)["gates"] == []
