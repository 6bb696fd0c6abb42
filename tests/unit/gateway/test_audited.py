"""Every call of the gateway leaves one row in the audit, whatever came of it."""

from typing import Any

import pytest

from tests.workshop.office import Body, Office

CREATE = {"title": "Login hangs"}


def through(office: Office, **request: Any) -> Body:
    answer: Body = office.call("gateway.execute", request)
    return answer


def kept(office: Office) -> list[Body]:
    return office.rows("audit.list", {"entity": "gateway"})


def test_a_call_that_went_well_says_what_was_asked(office: Office) -> None:
    through(office, intent="QUERY", action="issues.list", params={"limit": 5})

    (row,) = kept(office)
    assert (row["tool"], row["entityId"], row["outcome"], row["level"]) == (
        "gateway.execute",
        "issues.list",
        "success",
        "info",
    )
    assert row["params"] == {"intent": "QUERY", "action": "issues.list", "params": {"limit": 5}}
    assert "code" not in row


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"intent": "QUERY", "action": "issues.list", "effect": "MUTATING"}, "EFFECT_FORBIDDEN"),
        ({"intent": "QUERY", "action": "issues.create", "params": CREATE}, "INTENT_MISMATCH"),
        ({"intent": "QUERY", "action": "no.such"}, "UNKNOWN_ACTION"),
        ({"intent": "MODIFY", "action": "issues.create", "params": {}}, "invalid_input"),
        (
            {"intent": "MODIFY", "action": "issues.create", "params": CREATE, "context": {"run_id": "1"}},
            "GATE_MISSING",
        ),
        ({"intent": "EXECUTE", "action": "renew_lock", "params": {"issueNumber": 1}}, "REPO_REQUIRED"),
        ({"intent": "WISH", "action": "issues.list"}, "invalid_input"),
        ({"intent": "QUERY", "action": 7}, "invalid_input"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_was_refused_says_why(office: Office, request_: Body, code: str) -> None:
    answer = through(office, **request_)

    (row,) = kept(office)
    assert answer["ok"] is False
    assert (row["outcome"], row["level"], row["code"]) == ("failure", "error", code)


def test_a_lacking_scope_is_kept_as_well(office: Office) -> None:
    key = office.a_key(scopes=["READ_ISSUES"], name="reader")["rawKey"]
    order = {"intent": "MODIFY", "action": "issues.create", "params": CREATE}

    answer = office.call("gateway.execute", order, key=key)

    (row,) = kept(office)
    assert (answer["error"]["type"], answer["error"]["recoverable"]) == ("PERMISSION", False)
    assert (row["outcome"], row["code"]) == ("failure", "scope_required")


def test_a_change_through_gates_has_one_row_beside_those_of_the_run_and_of_the_tool(office: Office) -> None:
    run = {"run_id": "1"}
    through(office, intent="ANALYZE", action="issues.list", context=run)
    through(office, intent="MODIFY", action="issues.create", params=CREATE, context=run)

    assert [(row["entityId"], row["outcome"]) for row in kept(office)] == [
        ("issues.create", "success"),
        ("issues.list", "success"),
    ]
    assert [row["entity"] for row in office.rows("audit.list", {"entity": "issue"})] == ["issue"]
