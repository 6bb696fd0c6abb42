"""Settings change one by one: what is left out stays, and what is named in `clear` is emptied."""

from typing import Any

from tests.workshop.office import Office

SETTINGS = {
    "name": "Renamed",
    "cycleLengthDays": 365,
    "cycleCooldownDays": 90,
    "timeTrackingEnabled": True,
    "attachmentQuotaMb": 0,
    "autoDispatch": True,
    "autoDispatchMode": "CAPABILITY_MATCH",
    "assignmentEngagementMode": "RESEARCH",
    "mentionEngagementPolicy": "REQUIRE_MARKER",
    "mentionDefaultMode": "REVIEW",
    "autoStartOnAssign": True,
    "requireApprovalBeforeStart": True,
    "agentIdleTimeoutMinutes": 0,
    "assignmentSlaMinutes": 525_600,
    "autoRedispatchOnStall": True,
    "requiredAckSeconds": 86_400,
    "autoRedispatchOnNoack": True,
    "slaEnforcementEnabled": True,
    "agentRunStaleMinutes": 0,
    "abandonStalledAfterHours": 0,
    "defaultIssueAssigneeMode": "CREATOR",
    "runTokenBudget": 21_000_000,
    "runCostBudgetUsd": 0.1,
    "runMaxMinutes": 1,
    "runBudgetWarnPct": 100,
    "runBudgetAction": "STOP",
    "reviewStartTimeoutMinutes": 0,
    "webhookAllowedHosts": ["hooks.internal", "10.0.0.7"],
    "backlogLeaseSeconds": 86_400,
}
NO_CHANGES: list[dict[str, Any]] = [
    {},
    {"name": None, "cycleLengthDays": None, "autoDispatch": None, "webhookAllowedHosts": None},
    {"runMaxMinutes": "null", "startedStatusId": "null"},
    {"runMaxMinutes": None, "startedStatusId": None, "reviewStatusId": None},
    {"cycleLengthDays": 7, "autoDispatchMode": "MANUAL_ONLY", "webhookAllowedHosts": []},
]


def status_ids(office: Office) -> dict[str, str]:
    """By category."""
    return {row["category"]: row["id"] for row in office.rows("statuses.list")}


def test_every_setting_can_be_changed(office: Office) -> None:
    before = office.call("workspaces.get")

    changed = office.call("workspaces.update", SETTINGS)

    assert changed == {**before, **SETTINGS}
    assert office.call("workspaces.get") == changed


def test_a_budget_is_cleared_by_its_name(office: Office) -> None:
    settings = office.call("workspaces.update", SETTINGS)

    for field in ("runTokenBudget", "runCostBudgetUsd", "runMaxMinutes"):
        cleared = office.call("workspaces.update", {"clear": [field]})

        assert cleared == {**settings, field: None}
        settings = cleared


def test_what_changes_nothing_writes_nothing(office: Office) -> None:
    before, logged = office.call("workspaces.get"), office.log()

    for change in NO_CHANGES:
        assert office.call("workspaces.update", change) == before
    assert office.log() == logged


def test_neither_this_machine_nor_what_is_no_host_can_be_named(office: Office) -> None:
    wrong = ["127.0.0.1", "localhost", "169.254.169.254", "[fd00:ec2::254]", "[", "a b"]
    asked = {"webhookAllowedHosts": ["ci.internal", *wrong]}

    places = {f"webhookAllowedHosts.{place}" for place in range(1, len(wrong) + 1)}
    assert office.refused("workspaces.update", asked) == (400, "invalid_input", places)
    assert office.call("workspaces.get")["webhookAllowedHosts"] == []


def test_statuses_of_the_right_category_are_taken(office: Office) -> None:
    ids = status_ids(office)
    wanted = {"startedStatusId": ids["IN_PROGRESS"], "reviewStatusId": ids["IN_REVIEW"]}

    changed = office.call("workspaces.update", wanted)

    assert {name: changed[name] for name in wanted} == wanted


def test_a_status_of_another_category_is_refused(office: Office) -> None:
    ids = status_ids(office)
    wrong = {"startedStatusId": ids["IN_REVIEW"], "reviewStatusId": ids["IN_PROGRESS"]}

    for field, status_id in wrong.items():
        assert office.refused("workspaces.update", {field: status_id}) == (400, "invalid_input", {field})
    assert office.refused("workspaces.update", wrong) == (400, "invalid_input", set(wrong))
    assert office.call("workspaces.get")["startedStatusId"] is None


def test_a_status_is_cleared_by_its_name(office: Office) -> None:
    ids = status_ids(office)
    office.call(
        "workspaces.update", {"startedStatusId": ids["IN_PROGRESS"], "reviewStatusId": ids["IN_REVIEW"]}
    )

    cleared = office.call("workspaces.update", {"clear": ["startedStatusId"]})

    assert (cleared["startedStatusId"], cleared["reviewStatusId"]) == (None, ids["IN_REVIEW"])


def test_a_change_is_audited_with_nothing_but_what_changed(office: Office) -> None:
    office.call("workspaces.update", {"cycleLengthDays": 14, "cycleCooldownDays": 0})

    row = office.log()[-1]
    assert (row.kind, row.action, row.subject_type) == (None, "update", "workspace")
    assert (row.before, row.after) == ({"cycle_length_days": 7}, {"cycle_length_days": 14})
