"""The gates of a run: which are missing, what opens and closes them, and one change at a time."""

from datetime import timedelta

import pytest

from forge.context import Caller
from forge.errors import Conflict, Forbidden
from forge.testing.builders import a_caller
from forge.testing.clock import NOON
from forge.work.plans.gateway import gated_runs
from forge.work.plans.gateway.failures import Failed
from forge.work.plans.gateway.gated_runs import LEASE, Execution, Gate, GatedRunItem

ANALYST = a_caller().replaced(key_id="key_analyst", agent_id="agt_1", user_id=None)
OTHER = a_caller().replaced(key_id="key_other", agent_id=None, user_id="usr_2")
EMPTY = GatedRunItem(workspace_id="ws_1", workflow="release", run_id="1", updated_at=NOON)
ANALYSED = gated_runs.analyzed(EMPTY, ANALYST, NOON)


def an_execution(mark: str = "a") -> Execution:
    return Execution(id=f"exec_{mark}", action="issues.create", fingerprint=mark, started_at=NOON)


def code_of(run: GatedRunItem, execution: Execution, after: timedelta = timedelta(0)) -> str | None:
    with pytest.raises(Failed) as refused:
        gated_runs.begun(run, execution, NOON + after)
    return refused.value.failure.code


def names(run: GatedRunItem) -> list[str]:
    return [gate.name for gate in run.gates]


def test_a_change_needs_an_analysis_and_is_told_which_gates_are_missing() -> None:
    with pytest.raises(Failed) as refused:
        gated_runs.begun(EMPTY.changed(planned=True), an_execution(), NOON)

    assert refused.value.failure.code == "GATE_MISSING"
    assert refused.value.failure.details == {"missing": ["analysis-done", "plan-approved"]}


def test_a_planned_run_needs_an_approval_besides() -> None:
    planned = ANALYSED.changed(planned=True)
    assert planned.missing() == [Gate.PLAN_APPROVED]

    approved = gated_runs.approved(planned, Gate.PLAN_APPROVED, OTHER, NOON)

    assert gated_runs.begun(approved, an_execution(), NOON).execution == an_execution()


@pytest.mark.parametrize("gate", [Gate.PLAN_APPROVED, Gate.AUDIT_PASSED])
def test_nothing_is_approved_before_its_time(gate: Gate) -> None:
    with pytest.raises(Conflict):
        gated_runs.approved(EMPTY, gate, OTHER, NOON)


@pytest.mark.parametrize(
    "same",
    [ANALYST, ANALYST.replaced(key_id="key_second"), OTHER.replaced(key_id="key_analyst")],
    ids=["the same key", "another key of the same agent", "the key in other hands"],
)
def test_who_analysed_a_run_does_not_approve_it(same: Caller) -> None:
    with pytest.raises(Forbidden):
        gated_runs.approved(ANALYSED, Gate.PLAN_APPROVED, same, NOON)


def test_one_change_is_executed_at_a_time_and_the_other_is_told_to_wait() -> None:
    busy = gated_runs.begun(ANALYSED, an_execution("a"), NOON)

    assert code_of(busy, an_execution("b")) == "RUN_BUSY"
    assert code_of(busy, an_execution("a")) == "RUN_BUSY"


def test_of_what_was_never_reported_the_next_is_told_and_the_one_after_goes_on() -> None:
    lost = gated_runs.begun(ANALYSED, an_execution("a"), NOON)
    assert code_of(lost, an_execution("b"), LEASE) == "EXECUTION_UNKNOWN"
    assert gated_runs.is_unheard_of(lost, NOON + LEASE)

    told = gated_runs.told_of_loss(lost)

    assert not gated_runs.is_unheard_of(told, NOON + LEASE)
    assert gated_runs.begun(told, an_execution("b"), NOON + LEASE).execution == an_execution("b")


def test_who_repeats_the_call_that_was_never_reported_goes_on_with_it() -> None:
    lost = gated_runs.begun(ANALYSED, an_execution("a"), NOON)
    again = Execution(id="exec_2", action="issues.create", fingerprint="a", started_at=NOON + LEASE)

    assert gated_runs.begun(lost, again, NOON + LEASE).execution == again


def test_success_opens_the_next_gate_and_failure_leaves_all_as_they_were() -> None:
    busy = gated_runs.begun(ANALYSED, an_execution(), NOON)

    done = gated_runs.ended(busy, "exec_a", ANALYST, is_done=True, now=NOON)
    failed = gated_runs.ended(busy, "exec_a", ANALYST, is_done=False, now=NOON)

    assert (names(done), done.execution) == (["analysis-done", "execution-done"], None)
    assert (names(failed), failed.execution) == (["analysis-done"], None)


def test_the_end_of_what_is_not_under_way_any_more_opens_nothing() -> None:
    reset = gated_runs.forgotten(gated_runs.begun(ANALYSED, an_execution(), NOON))

    assert gated_runs.ended(reset, "exec_a", ANALYST, is_done=True, now=NOON) == reset


def test_a_passed_audit_clears_the_other_gates() -> None:
    busy = gated_runs.begun(ANALYSED, an_execution(), NOON)
    done = gated_runs.ended(busy, "exec_a", ANALYST, is_done=True, now=NOON)

    passed = gated_runs.approved(done, Gate.AUDIT_PASSED, OTHER, NOON)

    assert names(passed) == ["audit-passed"]
    assert passed.missing() == [Gate.ANALYSIS_DONE]


def test_a_new_analysis_makes_what_was_approved_and_done_void() -> None:
    approved = gated_runs.approved(ANALYSED, Gate.PLAN_APPROVED, OTHER, NOON)

    again = gated_runs.analyzed(approved, ANALYST, NOON + LEASE)

    assert names(again) == ["analysis-done"]
