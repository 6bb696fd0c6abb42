"""The forms of what the gateway hands out: text, code, bytes, links, and the files that a change wrote."""

import json
from typing import Any

import pytest

from functions.gateway.forms import MOST_INLINE
from tests.unit.gateway.test_executing import error_of, executed
from tests.workshop.office import Office

Body = dict[str, Any]


def test_a_text_is_handed_out_as_text_or_code_and_json_is_not_code(office: Office) -> None:
    made = office.call("artifacts.create", {"title": "Script", "body": "print('hi')"})
    read = {"intent": "QUERY", "action": "artifacts.get", "params": {"id": made["id"]}}

    as_code = executed(office, {**read, "artifact": "CODE_PY"})["result"]
    as_text = executed(office, {"intent": "QUERY", "action": "workspace.get", "artifact": "TEXT"})["result"]

    assert (as_code["artifact_type"], as_code["data"]) == ("CODE_PY", "print('hi')")
    assert json.loads(as_text["data"])["id"] == office.workspace.id
    error = error_of(office, {"intent": "QUERY", "action": "workspace.get", "artifact": "PATCH"})
    assert error["code"] == "ARTIFACT_MISMATCH"


def test_a_change_names_the_files_that_it_wrote(office: Office) -> None:
    issue_id = office.call("issues.create", {"title": "Logs"})["id"]
    upload = {
        "targetType": "issue",
        "targetId": issue_id,
        "filename": "trace.log",
        "mimeType": "text/plain",
        "size": 5,
    }

    told = executed(office, {"intent": "MODIFY", "action": "attachments.initUpload", "params": upload})

    assert told["ok"] is True, told
    assert told["result"]["affected_files"] == ["trace.log"]


def test_a_change_names_what_it_made_or_changed_and_a_look_names_nothing(office: Office) -> None:
    crew = office.call("agentCrews.create", {"name": "Importers"})

    def symbols(intent: str, action: str, **params: object) -> list[str]:
        told = executed(office, {"intent": intent, "action": action, "params": params})
        assert told["ok"] is True, told
        found: list[str] = told["result"]["affected_symbols"]
        return found

    (made,) = symbols("MODIFY", "issues.create", title="Fix login")
    assert symbols("MODIFY", "issues.update", id=made, title="Fix logout") == [made]
    assert symbols("QUERY", "issues.get", id=made) == []
    (goal,) = symbols("MODIFY", "goals.create", title="Ship", crewId=crew["id"])
    assert goal.startswith("goal_")
    comment, issue = symbols("MODIFY", "comments.create", issueId=made, body="Done.")
    assert (comment[:4], issue) == ("cmt_", made)
    plan = office.call("executionPlans.create", {"title": "Ship it"})
    *steps, of_plan = symbols("MODIFY", "plans.addSteps", planId=plan["id"], steps=[{"title": "Design"}] * 2)
    assert ([one[:5] for one in steps], of_plan) == (["step_"] * 2, plan["id"])


def linked(office: Office, data: Body) -> bytes:
    """What lies behind a link."""
    name = data["url"].split("?")[0].split("/", 4)[4]
    return office.world.services.store.blobs.get_bytes(name, most=1_000_000)


def test_bytes_are_a_link_to_all_of_them(office: Office) -> None:
    made = office.call("artifacts.create", {"title": "Log", "body": "hello"})
    read = {"intent": "QUERY", "action": "artifacts.get", "params": {"id": made["id"]}}

    data = executed(office, {**read, "artifact": "BINARY"})["result"]["data"]

    assert (data["size"], data["expires_in_seconds"]) == (5, 900)
    assert linked(office, data) == b"hello"


@pytest.mark.parametrize("artifact", ["JSON", "TEXT"])
def test_what_is_too_large_for_an_answer_is_a_link_to_all_of_it(office: Office, artifact: str) -> None:
    made = office.call("issues.create", {"title": "Long", "description": "x" * (MOST_INLINE + 1)})
    read = {
        "intent": "QUERY",
        "action": "issues.get",
        "params": {"id": made["id"], "include": {"description": True}},
    }

    data = executed(office, {**read, "artifact": artifact})["result"]["data"]

    assert json.loads(linked(office, data))["description"] == "x" * (MOST_INLINE + 1)
