"""Operators see every setting of their own workspace."""

from tests.workshop.office import Office

DEFAULTS = {
    "cycleLengthDays": 7,
    "cycleCooldownDays": 0,
    "timeTrackingEnabled": False,
    "attachmentQuotaMb": 1024,
    "autoDispatch": False,
    "autoDispatchMode": "MANUAL_ONLY",
    "assignmentEngagementMode": "EXECUTE",
    "mentionEngagementPolicy": "INFER",
    "mentionDefaultMode": "DISCUSS",
    "autoStartOnAssign": False,
    "requireApprovalBeforeStart": False,
    "agentIdleTimeoutMinutes": 15,
    "assignmentSlaMinutes": 0,
    "autoRedispatchOnStall": False,
    "requiredAckSeconds": 0,
    "autoRedispatchOnNoack": False,
    "slaEnforcementEnabled": False,
    "agentRunStaleMinutes": 30,
    "abandonStalledAfterHours": 24,
    "startedStatusId": None,
    "reviewStatusId": None,
    "moveOnStart": True,
    "moveOnComplete": True,
    "defaultIssueAssigneeMode": "NONE",
    "runTokenBudget": None,
    "runCostBudgetUsd": None,
    "runMaxMinutes": None,
    "runBudgetWarnPct": 80,
    "runBudgetAction": "PAUSE",
    "reviewStartTimeoutMinutes": 5,
    "webhookAllowedHosts": [],
    "backlogLeaseSeconds": 1800,
    "requireGates": False,
    "plansNeedAPerson": True,
    "checkpointsNeedAPerson": True,
}


def test_a_new_workspace_has_the_documented_settings(office: Office) -> None:
    slug = office.workspace.slug

    assert office.call("workspaces.get") == {
        "id": office.workspace.id,
        "slug": slug,
        "key": slug.upper(),
        "name": slug.title(),
        "createdAt": office.world.clock().isoformat().replace("+00:00", "Z"),
        **DEFAULTS,
    }


def test_agents_see_the_same_values_of_what_they_are_shown(office: Office) -> None:
    office.call("workspaces.update", {"autoDispatch": True, "cycleLengthDays": 14})

    shown = office.call("workspace.get")

    settings = office.call("workspaces.get")
    assert shown == {name: settings[name] for name in shown}
    assert (shown["autoDispatch"], shown["cycleLengthDays"]) == (True, 14)
