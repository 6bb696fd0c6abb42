"""Dispatch rules: made, listed in their order, changed and deleted; what they name must be there."""

from typing import Any

from tests.workshop.issues import an_issue, head
from tests.workshop.office import Body, Office


def a_rule(office: Office, name: str = "A rule", **more: Any) -> Body:
    return office.call("dispatchRules.create", {"name": name, "targetAgentId": "worker", **more})


def names(office: Office) -> list[str]:
    return [row["name"] for row in office.rows("dispatchRules.list")]


def test_rules_are_tried_by_their_order_and_then_by_age(office: Office) -> None:
    office.an_agent()
    a_rule(office, "first")
    for name, order in (("fourth", 9), ("second", 1), ("third", 1)):
        office.world.clock.advance(seconds=1)
        a_rule(office, name, order=order)

    a_rule(office, "last")

    assert names(office) == ["first", "second", "third", "fourth", "last"]


def test_a_rule_is_changed_where_it_says_so(office: Office) -> None:
    office.an_agent()
    other = office.an_agent("other")
    rule = a_rule(office, priority="LOW", labelId=office.a_label("bug")["id"])

    changed = office.call(
        "dispatchRules.update",
        {"id": rule["id"], "targetAgentId": "other", "enabled": False, "clear": ["labelId"]},
    )

    assert changed == {**rule, "targetAgentId": other["id"], "enabled": False, "labelId": None}
    assert office.rows("dispatchRules.list") == [changed]


def test_a_deleted_rule_is_gone(office: Office) -> None:
    office.an_agent()
    rule = a_rule(office)

    assert office.call("dispatchRules.delete", {"id": rule["id"]}) == {"id": rule["id"], "deleted": True}

    assert names(office) == []
    for tool in ("dispatchRules.delete", "dispatchRules.update"):
        assert office.refused(tool, {"id": rule["id"]})[:2] == (404, "not_found")


def test_an_archived_agent_gets_no_rule(office: Office) -> None:
    office.call("agents.archive", {"id": office.an_agent()["id"]})
    order = {"name": "x", "targetAgentId": office.an_agent("gone")["id"]}
    office.call("agents.archive", {"id": order["targetAgentId"]})

    assert office.refused("dispatchRules.create", order)[:2] == (409, "conflict")


def test_agents_are_listed_without_the_rules_that_lie_beside_them(office: Office) -> None:
    office.an_agent()
    a_rule(office)

    assert [row["profileKey"] for row in office.rows("agents.list")] == ["worker"]


def test_a_dry_run_tells_who_would_get_an_issue_and_gives_it_to_nobody(office: Office) -> None:
    office.call("workspaces.update", {"autoDispatch": True, "autoDispatchMode": "ROUND_ROBIN"})
    for name in ("first", "second", "third"):
        agent = office.an_agent(name)["id"]
        if name != "third":
            office.call("agents.heartbeat", {}, key=office.an_agents_key(agent))
    made = office.call(
        "dispatchRules.create", {"name": "Urgent", "targetAgentId": "second", "priority": "URGENT"}
    )
    urgent, other = (an_issue(office, priority=one) for one in ("URGENT", "LOW"))

    by_rule, in_turn = (office.call("dispatchRules.dryRun", {"issueId": one}) for one in (urgent, other))

    assert (by_rule["chosen"]["profileKey"], by_rule["ruleId"]) == ("second", made["id"])
    assert (in_turn["mode"], {one["profileKey"] for one in in_turn["candidates"]}) == (
        "ROUND_ROBIN",
        {"first", "second"},
    )
    assert in_turn["against"] == "not-queued"
    assert head(office, urgent).assigned_agent_id is None


def test_where_nothing_is_given_out_a_dry_run_chooses_nobody(office: Office) -> None:
    office.call("agents.heartbeat", {}, key=office.an_agents_key(office.an_agent()["id"]))

    tried = office.call("dispatchRules.dryRun", {"issueId": an_issue(office)})

    assert (tried["chosen"], len(tried["candidates"])) == (None, 1)
    assert office.refused("dispatchRules.dryRun", {"issueId": "iss_unknown"})[0] == 404
