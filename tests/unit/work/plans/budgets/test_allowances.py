"""What a run may use is the least that anything leaves to it."""

from datetime import timedelta

import pytest

from forge.testing.clock import NOON
from forge.work.issues.runs.runs import RunItem
from forge.work.plans.budgets.allowances import Passed, RunLimits, limits_of, passed, stop_of
from forge.work.workspace.workspaces import WorkspaceItem
from tests.workshop import issues
from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step

WORKSPACE = WorkspaceItem(id="ws_1", slug="demo", key_prefix="DEMO", name="Demo", created_at=NOON)


def a_run(**fields: object) -> RunItem:
    usual = {"workspace_id": "ws_1", "id": "run_1", "issue_id": "iss_1", "agent_id": "agt_1"}
    return RunItem.model_validate({**usual, "started_at": NOON, "last_event_at": NOON, **fields})


def test_where_nothing_is_limited_there_is_nothing_to_say() -> None:
    assert limits_of(WORKSPACE, a_run(), None) == RunLimits()
    assert stop_of(WORKSPACE, a_run(cost_usd=1_000), NOON + timedelta(days=9)) is None


@pytest.mark.parametrize(
    ("used", "minutes", "what"),
    [
        ({"cost_usd": 1.01}, 0, Passed.USD),
        ({"turns": 11}, 0, Passed.TURNS),
        ({"tokens_in": 90, "tokens_out": 11}, 0, Passed.TOKENS),
        ({}, 31, Passed.MINUTES),
        ({"cost_usd": 1, "turns": 10, "tokens_in": 100}, 30, None),
    ],
)
def test_a_limit_that_is_only_reached_is_not_passed(
    used: dict[str, object], minutes: int, what: Passed | None
) -> None:
    limited = WORKSPACE.changed(
        run_cost_budget_usd=1, run_max_turns=10, run_token_budget=100, run_max_minutes=30
    )

    assert passed(limited, a_run(**used), NOON + timedelta(minutes=minutes)) == what


def test_the_bundle_says_the_least_that_holds_for_ones_own_run(office: Office) -> None:
    office.call("workspaces.update", {"runCostBudgetUsd": 3, "runMaxTurns": 40, "runMaxMinutes": 90})
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=2)
    loop.running(a_step())
    (run,) = loop.runs()
    key = office.an_agents_key(loop.worker)
    office.call("runs.recordUsage", {"runId": run["id"], "costUsd": 0.5}, key=key)

    mine = office.call("agent.context.bundle", {"issueId": str(loop.issue_id)}, key=key)
    theirs = office.call("agent.context.bundle", {"issueId": str(loop.issue_id)})

    assert mine["limits"] == {"usd": 2, "turns": 40, "minutes": 90}
    assert "limits" not in theirs


def test_a_run_beyond_a_limit_is_told_to_stop_with_its_report_and_its_log(office: Office) -> None:
    office.call("workspaces.update", {"runMaxTurns": 40})
    key = office.an_agents_key()
    run_id = office.call("issues.claim", {"issueId": issues.an_issue(office)}, key=key)["runId"]
    reports = [
        office.call("runs.recordUsage", {"runId": run_id, "turns": turns}, key=key) for turns in (40, 41)
    ]
    said = office.call("runs.appendLog", {"runId": run_id, "seq": 0, "chunk": "still at it"}, key=key)

    assert ["stop" in one for one in reports] == [False, True]
    assert reports[1]["stop"] == said["stop"] == {"reason": "turns"}


def test_a_log_tells_of_a_plan_that_does_not_go_on(office: Office) -> None:
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=1)
    loop.running(a_step())
    (run,) = loop.runs()
    key = office.an_agents_key(loop.worker)
    report = office.call("runs.recordUsage", {"runId": run["id"], "costUsd": 1.5}, key=key)
    office.world.clock.advance(minutes=1)

    said = office.call("runs.appendLog", {"runId": run["id"], "seq": 0, "chunk": "still at it"}, key=key)

    assert report["stop"] == said["stop"] == {"reason": "plan"}
