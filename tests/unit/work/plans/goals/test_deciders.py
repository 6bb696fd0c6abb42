"""Who may decide about plans, steps and gates, with values."""

from typing import Any

import pytest

from forge.context import Caller, KeyKind, Role
from forge.errors import Conflict, Forbidden
from forge.work.plans.goals import deciders
from forge.work.plans.goals.deciders import may_resolve
from forge.work.plans.goals.gates import GateItem
from forge.work.plans.plans import PlanItem, Step, StepStatus
from forge.work.workspace.crews.announcements import CrewRole
from forge.work.workspace.crews.crews import CrewItem, CrewMember
from tests.unit.work.plans.built import NOON

_GATE = GateItem(
    workspace_id="ws_1",
    id="gate_1",
    target_type="execution-step",
    target_id="step_1",
    prompt="Go on?",
    created_at=NOON,
)
_CREW = CrewItem(
    workspace_id="ws_1",
    id="crew_1",
    name="Importers",
    members=[
        CrewMember(id="mbr_1", agent_id="agt_proxy", role=CrewRole.OPERATOR_PROXY, position=0),
        CrewMember(id="mbr_2", agent_id="agt_reviewer", role=CrewRole.REVIEWER, position=1),
    ],
    created_at=NOON,
    updated_at=NOON,
)


def _agent(agent_id: str, role: Role | None = None) -> Caller:
    return Caller("key_1", "ws_1", KeyKind.AGENT, frozenset(), "s", agent_id=agent_id, role=role)


def _person(role: Role) -> Caller:
    return Caller("key_1", "ws_1", KeyKind.PERSONAL, frozenset(), "s", user_id="usr_1", role=role)


def test_without_a_role_people_decide_and_of_agents_the_proxy_of_the_crew() -> None:
    gate = _GATE.changed(crew_id="crew_1")

    assert may_resolve(gate, _person(Role.MEMBER), _CREW)
    assert may_resolve(gate, _agent("agt_proxy"), _CREW)
    assert not may_resolve(gate, _agent("agt_reviewer"), _CREW)
    assert not may_resolve(_GATE, _agent("agt_proxy"), None)


def test_a_role_of_a_crew_is_for_its_agents_and_for_owners_and_admins() -> None:
    gate = _GATE.changed(crew_id="crew_1", required_role="reviewer")

    assert may_resolve(gate, _agent("agt_reviewer"), _CREW)
    assert not may_resolve(gate, _agent("agt_proxy"), _CREW)
    assert not may_resolve(gate, _agent("agt_reviewer"), _CREW.changed(archived_at=NOON))
    assert not may_resolve(gate, _person(Role.MEMBER), _CREW)
    assert may_resolve(gate, _person(Role.ADMIN), _CREW)


def test_a_role_without_a_crew_is_one_of_the_workspace() -> None:
    gate = _GATE.changed(required_role="MEMBER")

    assert may_resolve(gate, _person(Role.MEMBER), None)
    assert not may_resolve(gate, _person(Role.GUEST), None)
    assert may_resolve(_GATE.changed(required_role="ADMIN"), _person(Role.OWNER), None)
    assert not may_resolve(_GATE.changed(required_role="security"), _person(Role.MEMBER), None)
    assert may_resolve(_GATE.changed(required_role="security"), _person(Role.ADMIN), None)
    assert not may_resolve(gate, _agent("agt_proxy"), None)


def test_an_agents_key_has_no_more_than_the_agent_whoever_it_belongs_to() -> None:
    assert not may_resolve(_GATE, _agent("agt_worker", Role.OWNER), None)


def test_who_opens_a_gate_does_not_name_their_own_role_and_decide_there() -> None:
    gate = _GATE.changed(crew_id="crew_1", required_role="REVIEWER", requested_by_agent_id="agt_reviewer")
    of_proxy = gate.changed(required_role=None, requested_by_agent_id="agt_proxy")

    assert not may_resolve(gate, _agent("agt_reviewer"), _CREW)
    assert may_resolve(of_proxy, _agent("agt_proxy"), _CREW)


def _plan(**more: Any) -> PlanItem:
    return PlanItem(workspace_id="ws_1", id="plan_1", title="P", created_at=NOON, updated_at=NOON, **more)


def _may_start(plan: PlanItem, agent_id: str, crew: CrewItem | None, *, needs_a_person: bool = True) -> bool:
    try:
        deciders.require_may_start(plan, _agent(agent_id), crew, needs_a_person=needs_a_person)
    except Forbidden:
        return False
    return True


def test_an_agent_starts_a_plan_that_somebody_approved_or_for_whom_it_stands() -> None:
    assert not _may_start(_plan(), "agt_worker", _CREW)
    assert not _may_start(_plan(), "agt_proxy", None)
    assert not _may_start(_plan(), "agt_proxy", _CREW.changed(archived_at=NOON))
    assert _may_start(_plan(), "agt_proxy", _CREW)
    assert _may_start(_plan(approved_by_id="usr_1"), "agt_worker", None)
    assert _may_start(_plan(), "agt_worker", None, needs_a_person=False)


def test_a_step_without_judge_or_gate_is_ended_by_who_does_it() -> None:
    step, worker = Step(id="step_1", title="S"), _agent("agt_worker")
    unjudged = _plan(auto_judge=False)

    deciders.require_may_end(unjudged, step, worker, None)
    for plan, of, crew in (
        (_plan(), step, None),
        (unjudged, step, _CREW),
        (unjudged, step.model_copy(update={"gate_id": "gate_1"}), None),
    ):
        with pytest.raises(Forbidden):
            deciders.require_may_end(plan, of, worker, crew)
        deciders.require_may_end(plan, of, _person(Role.MEMBER), crew)


def test_a_blocked_step_leaves_by_its_gate_and_without_one_as_a_person_says() -> None:
    blocked = Step(id="step_1", title="S", status=StepStatus.BLOCKED)
    waiting = blocked.model_copy(update={"gate_id": "gate_1"})

    deciders.require_may_unblock(blocked, _person(Role.MEMBER), None)
    deciders.require_may_unblock(blocked, _agent("agt_proxy"), _CREW)
    with pytest.raises(Forbidden):
        deciders.require_may_unblock(blocked, _agent("agt_reviewer"), _CREW)
    with pytest.raises(Conflict):
        deciders.require_may_unblock(waiting, _person(Role.OWNER), None)


def test_nobody_becomes_the_judge_of_their_own_step_where_another_reviewer_is() -> None:
    step = Step(id="step_1", title="S", assigned_agent_id="agt_worker")

    def appoint(judge_id: str, by: str, reviewer_id: str | None) -> None:
        deciders.require_may_appoint(step, judge_id, _agent(by), _CREW, reviewer_id=reviewer_id)

    appoint("agt_worker", "agt_worker", None)
    appoint("agt_reviewer", "agt_reviewer", "agt_second")
    appoint("agt_other", "agt_worker", "agt_reviewer")
    for judge_id, by in (("agt_worker", "agt_planner"), ("agt_other", "agt_other")):
        with pytest.raises(Forbidden):
            appoint(judge_id, by, "agt_reviewer")
