"""Who may decide at a gate, with values."""

import pytest

from forge.context import Caller, KeyKind, Role
from forge.errors import InvalidInput
from forge.work.orchestration.announcements import CrewRole
from forge.work.orchestration.crews import CrewItem, CrewMember
from forge.work.orchestration.deciders import may_resolve
from forge.work.orchestration.gates import GateItem
from functions.review_gates.rules import role_meant, target_meant
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


def test_a_role_is_one_that_somebody_can_have() -> None:
    assert role_meant("reviewer", has_crew=True) == "REVIEWER"
    assert role_meant("Admin", has_crew=True) == "ADMIN"
    assert role_meant("member", has_crew=False) == "MEMBER"
    assert role_meant(None, has_crew=False) is None
    for said, has_crew in (("security", True), ("MEMBER", True), ("security", False), ("REVIEWER", False)):
        with pytest.raises(InvalidInput):
            role_meant(said, has_crew=has_crew)


def test_what_we_know_of_may_be_spelt_in_any_way_and_any_other_word_stays() -> None:
    assert target_meant("EXECUTION_STEP") == "execution-step"
    assert target_meant("Issue") == "issue"
    assert target_meant("Release_Train") == "Release_Train"
