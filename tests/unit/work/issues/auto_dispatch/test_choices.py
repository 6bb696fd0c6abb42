"""Which agent a queued issue goes to: rules before the mode, and never beyond what an agent can take."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from forge.testing.builders import WORKSPACE_ID, a_workspace, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.auto_dispatch.choices import (
    Colleague,
    Decision,
    Team,
    choose,
    is_auto_dispatching,
    reason_against,
)
from forge.work.issues.auto_dispatch.dispatch_rules import DispatchRuleItem
from forge.work.issues.auto_dispatch.reasons import DispatchReason
from forge.work.issues.issues import IssueItem, Priority
from forge.work.workspace.people.agents import AgentRole, AgentStatus, LoadItem, PulseItem
from forge.work.workspace.workspaces import AutoDispatchMode, WorkspaceItem

ROUND_ROBIN, BY_PRIORITY, BY_CAPABILITY = (
    AutoDispatchMode.ROUND_ROBIN,
    AutoDispatchMode.PRIORITY_MATCH,
    AutoDispatchMode.CAPABILITY_MATCH,
)
DISPATCHING = a_workspace(auto_dispatch=True, auto_dispatch_mode=ROUND_ROBIN)
QUEUED = an_issue(queued=True)


def a_colleague(
    name: str,
    *,
    load: int = 0,
    dispatched: int | None = None,
    status: AgentStatus = AgentStatus.ONLINE,
    **fields: Any,
) -> Colleague:
    """With so many open issues; the last was given to it so many minutes after noon."""
    agent = an_agent(name, **fields)
    at = None if dispatched is None else NOON + timedelta(minutes=dispatched)
    return Colleague(
        agent,
        PulseItem(workspace_id=WORKSPACE_ID, agent_id=agent.id, status=status),
        LoadItem(workspace_id=WORKSPACE_ID, agent_id=agent.id, open=load, last_dispatched_at=at),
    )


def a_rule(target: str, *, order: int = 0, **fields: Any) -> DispatchRuleItem:
    usual = {"workspace_id": WORKSPACE_ID, "id": f"rule_{target}", "name": target, "created_at": NOON}
    return DispatchRuleItem.model_validate(
        {**usual, "order": order, "target_agent_id": f"agt_{target}", **fields}
    )


def chosen(
    colleagues: Sequence[Colleague],
    issue: IssueItem = QUEUED,
    mode: AutoDispatchMode = ROUND_ROBIN,
    *,
    rules: Sequence[DispatchRuleItem] = (),
    **how: Any,
) -> Decision:
    return choose(Team(colleagues, rules), issue, mode, **how)


def name_of(decision: Decision) -> str | None:
    return decision.chosen.agent.profile_key if decision.chosen else None


@pytest.mark.parametrize(
    ("workspace", "issue", "reason"),
    [
        (DISPATCHING, an_issue(queued=True, assigned_agent_id="agt_worker"), "already-assigned"),
        (DISPATCHING, an_issue(queued=False), "not-queued"),
        (DISPATCHING, an_issue(queued=True, category="DONE"), "not-queued"),
        (DISPATCHING, an_issue(queued=True, claimed_by_id="usr_1"), "claimed"),
        (DISPATCHING.changed(auto_dispatch=False), QUEUED, "auto-dispatch-off"),
        (DISPATCHING.changed(auto_dispatch_mode=AutoDispatchMode.MANUAL_ONLY), QUEUED, "manual-only"),
        (DISPATCHING, QUEUED, None),
    ],
    ids=str,
)
def test_what_is_somebodys_or_not_queued_or_not_wanted_is_left_alone(
    workspace: WorkspaceItem, issue: IssueItem, reason: str | None
) -> None:
    assert reason_against(workspace, issue, NOON) == reason
    assert is_auto_dispatching(workspace) == (reason not in ("auto-dispatch-off", "manual-only"))


def test_a_claim_that_has_expired_keeps_nobody_from_it() -> None:
    claimed = QUEUED.changed(claimed_by_id="usr_1", claim_expires_at=NOON)

    assert reason_against(DISPATCHING, claimed, NOON) is None


@pytest.mark.parametrize(
    "unfit",
    [
        a_colleague("gone", archived_at=NOON),
        a_colleague("asleep", status=AgentStatus.OFFLINE),
        a_colleague("coach", role=AgentRole.COACH),
        a_colleague("unwilling", auto_dispatch_eligible=False),
    ],
    ids=lambda one: one.agent.profile_key,
)
def test_only_workers_that_are_there_and_take_what_comes_are_candidates(unfit: Colleague) -> None:
    decision = chosen([unfit, a_colleague("fit", status=AgentStatus.BUSY)])

    assert [one.agent.profile_key for one in decision.candidates] == ["fit"]
    assert name_of(decision) == "fit"
    assert chosen([unfit]).kept == DispatchReason(mode=ROUND_ROBIN, reason="no-candidates")


def test_whoever_has_no_room_is_named_and_not_chosen() -> None:
    decision = chosen(
        [a_colleague("full", load=2, max_concurrent=2), a_colleague("free", load=1, max_concurrent=2)]
    )

    assert [(one.agent.profile_key, one.eligible) for one in decision.candidates] == [
        ("full", False),
        ("free", True),
    ]
    assert name_of(decision) == "free"


def test_without_a_limit_there_is_always_room() -> None:
    assert name_of(chosen([a_colleague("tireless", load=900, max_concurrent=0)])) == "tireless"


def test_an_issue_takes_up_no_second_place_of_the_agent_that_has_it() -> None:
    its_own = QUEUED.changed(assigned_agent_id="agt_worker")

    assert name_of(chosen([a_colleague("worker", load=1)], its_own)) == "worker"
    assert name_of(chosen([a_colleague("worker", load=1)])) is None


def test_whoever_let_an_issue_lie_gets_it_back_only_where_nobody_else_has_room() -> None:
    its_own, rules = QUEUED.changed(assigned_agent_id="agt_worker"), [a_rule("worker")]
    worker, other = a_colleague("worker", load=1), a_colleague("other", dispatched=9)

    assert name_of(chosen([worker, other], its_own, rules=rules)) == "other"
    assert name_of(chosen([worker], its_own, rules=rules)) == "worker"


def test_in_turn_whoever_never_got_anything_comes_first_and_then_whoever_waited_longest() -> None:
    late, early, never = (
        a_colleague("a", dispatched=2),
        a_colleague("b", dispatched=1),
        a_colleague("c"),
    )

    assert name_of(chosen([late, early, never])) == "c"
    decision = chosen([late, early])
    assert decision.kept == DispatchReason(
        mode="ROUND_ROBIN", reason="round-robin", agent_id="agt_b", profile_key="b"
    )


def test_by_priority_those_who_name_it_come_first_whatever_the_case() -> None:
    team = [a_colleague("any"), a_colleague("fast", dispatched=9, capabilities=["Urgent"])]

    in_a_hurry = QUEUED.changed(priority=Priority.URGENT)

    urgent = chosen(team, in_a_hurry, BY_PRIORITY)
    low = chosen(team, QUEUED.changed(priority=Priority.LOW), BY_PRIORITY)

    assert (name_of(urgent), urgent.reason) == ("fast", "priority-match:urgent")
    assert (name_of(low), low.reason) == ("any", "round-robin")
    assert name_of(chosen(team, in_a_hurry, ROUND_ROBIN)) == "any"


def test_by_capability_the_most_labels_win_and_a_tie_goes_in_turn() -> None:
    one = a_colleague("one", capabilities=["css"])
    two = a_colleague("two", dispatched=1, capabilities=["CSS", "login"])
    too = a_colleague("too", dispatched=2, capabilities=["login", "css"])

    decision = chosen([one, too, two], QUEUED, BY_CAPABILITY, label_names=["css", "Login"])

    assert (name_of(decision), decision.reason) == ("two", "capability-match:2")
    assert {one.agent.profile_key: one.match_count for one in decision.candidates} == {
        "one": 1,
        "two": 2,
        "too": 2,
    }
    assert decision.kept.match_count == 2
    nothing = chosen([one, two], QUEUED, BY_CAPABILITY)
    assert (name_of(nothing), nothing.reason) == ("one", "capability-match:0")


def test_the_first_rule_that_fits_names_the_agent() -> None:
    team = [a_colleague("mode"), a_colleague("first", dispatched=9), a_colleague("second", dispatched=9)]
    rules = [
        a_rule("second", order=2),
        a_rule("first", order=2, created_at=NOON - timedelta(days=1)),
        a_rule("mode", order=1, enabled=False),
        a_rule("mode", order=0, priority=Priority.URGENT),
    ]

    decision = chosen(team, rules=rules)

    assert (name_of(decision), decision.mode, decision.reason) == ("first", "RULE", "rule:rule_first")
    assert (decision.kept.rule_id, decision.kept.agent_id) == ("rule_first", "agt_first")


@pytest.mark.parametrize(
    "condition", [{"priority": "LOW"}, {"label_id": "lbl_bug"}, {"project_id": "prj_1"}], ids=str
)
def test_a_rule_fits_only_if_all_that_it_names_is_so(condition: dict[str, Any]) -> None:
    rule = a_rule("named", **condition)
    whole = QUEUED.changed(priority=Priority.LOW, label_ids=frozenset({"lbl_bug"}), project_id="prj_1")

    assert rule.matches(whole)
    assert not rule.matches(QUEUED)
    assert not rule.changed(label_id="lbl_other").matches(whole)


def test_a_rule_whose_agent_has_no_room_leaves_it_to_the_mode_and_says_so() -> None:
    team = [a_colleague("named", load=1), a_colleague("other")]

    decision = chosen(team, rules=[a_rule("named"), a_rule("other", order=1)])

    assert (name_of(decision), decision.mode) == ("other", "ROUND_ROBIN")
    assert decision.reason == "rule:rule_named:target-ineligible,ROUND_ROBIN pick"
    assert decision.rule_id is None


def test_those_who_lost_a_place_spread_over_agents_that_are_as_good() -> None:
    equals = [a_colleague(f"agent{number}") for number in range(5)]
    best = a_colleague("best", capabilities=["css"])
    issues = [QUEUED.changed(id=f"iss_{number}") for number in range(40)]

    assert {name_of(chosen(equals, one)) for one in issues} == {"agent0"}
    assert {name_of(chosen(equals, one, losses=1)) for one in issues} == {f"agent{n}" for n in range(5)}
    matched = [chosen([*equals, best], one, BY_CAPABILITY, label_names=["css"], losses=3) for one in issues]
    assert {name_of(one) for one in matched} == {"best"}
