"""Dispatch rules: made, listed in their order, changed and deleted; what they name must be there."""

from typing import Any

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
