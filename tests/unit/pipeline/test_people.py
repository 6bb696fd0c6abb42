"""What people say to a pipeline reaches whoever is next, and what they decide is told as it was."""

from typing import Any

import pytest

from tests.unit.pipeline.starts import ask, begun, done, up_to
from tests.workshop.office import Office

GATED = "## Task 1: Release upstream\nmode: human_gate\n\n## Task 2: Use it\ndepends_on: [1]\n"


def at_the_gate(office: Office, workspace: str) -> dict[str, Any]:
    up_to(office, workspace, "phase-4")
    tasks = {"name": "tasks.md", "content": GATED}
    return ask(office, workspace, previous_action_complete=True, artifacts=[tasks])


def test_all_that_was_said_since_the_last_agent_reaches_the_next_once(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "checkpoint-a")

    ask(office, workspace, user_response="hm", user_feedback="Use the queue.")
    ask(office, workspace, user_response="hm", user_feedback="Use the queue.")
    architect = ask(office, workspace, user_response="revise", user_feedback="Keep it small.")

    told = architect["prompt"].partition("## Human Feedback")[2]
    assert " ".join(told.split()) == "Use the queue. Keep it small."


def test_words_that_come_with_a_yes_elsewhere_are_added_to_those_before(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "checkpoint-a")
    ask(office, workspace, user_feedback="Use the queue.")
    (request,) = office.rows("actionRequests.list", {})
    office.call("actionRequests.decline", {"id": request["id"], "reason": "Too large."})

    architect = ask(office, workspace)

    told = architect["prompt"].partition("## Human Feedback")[2]
    assert " ".join(told.split()) == "Use the queue. Too large."


def test_a_task_that_was_left_out_is_told_as_such_and_not_as_completed(office: Office) -> None:
    workspace = begun(office)
    gate = at_the_gate(office, workspace)

    implementer = ask(office, workspace, user_response="skip")

    stands = office.call("state_resume_info", {"workspace": workspace})
    assert gate["type"] == "human_gate"
    assert (stands["skippedTasks"], stands["completedTasks"], stands["pendingTasks"]) == (["1"], [], ["2"])
    assert "1 (Release upstream)" in implementer["prompt"]


def test_a_task_that_a_person_did_is_completed(office: Office) -> None:
    workspace = begun(office)
    at_the_gate(office, workspace)

    implementer = ask(office, workspace, user_response="done")

    stands = office.call("state_resume_info", {"workspace": workspace})
    assert (stands["skippedTasks"], stands["completedTasks"]) == ([], ["1"])
    assert "Release upstream" not in implementer["prompt"]


@pytest.mark.parametrize(("effort", "before"), [("S", ["1"]), ("M", [])])
def test_a_task_is_completed_once_it_is_done_where_nobody_reviews_it(
    office: Office, effort: str, before: list[str]
) -> None:
    workspace = begun(office, effort)
    action = up_to(office, workspace, "phase-5")
    while action["phase"] == "phase-5":
        action = done(office, workspace, action)
    implemented = office.call("state_resume_info", {"workspace": workspace})

    up_to(office, workspace, "final-summary")

    stands = office.call("state_resume_info", {"workspace": workspace})
    assert (implemented["completedTasks"], implemented["pendingTasks"]) == (before, [])
    assert (stands["completedTasks"], stands["totalTasks"]) == (["1"], 1)


def test_answers_about_an_issue_that_was_fetched_are_part_of_the_request(office: Office) -> None:
    given = {
        "workspace": ".specs/20260401-login",
        "source_url": "https://github.com/acme/app/issues/42",
        "external_context": {"github_title": "Login hangs", "github_body": "On Safari."},
    }
    asked = office.call("pipeline_init_with_context", {**given, "discussion_answers": "Only on phones."})
    body = asked["needs_user_confirmation"]["enriched_request_body"]

    confirmation = {"effort": "S", "enriched_request_body": body}
    ready = office.call("pipeline_init_with_context", {**given, "user_confirmation": confirmation})

    request = ready["request_md_content"]
    assert request.count("Login hangs\n\nOn Safari.") == 1
    assert "Only on phones." in request


def test_what_a_person_confirmed_is_the_request_whatever_was_fetched(office: Office) -> None:
    fetched = {
        "workspace": ".specs/20260401-login",
        "external_context": {"github_title": "Login hangs", "github_body": "On Safari."},
        "task_text": "https://github.com/o/r/issues/4 and mind the cache",
    }
    asked = office.call("pipeline_init_with_context", fetched)["needs_user_confirmation"]
    edited = {"effort": "s, but keep the API", "enriched_request_body": "Only the login."}

    ready = office.call("pipeline_init_with_context", {**fetched, "user_confirmation": edited})
    untouched = office.call("pipeline_init_with_context", {**fetched, "user_confirmation": {"effort": "S"}})

    whole = "Login hangs\n\nOn Safari.\n\n## Added by the Person\n\nand mind the cache"
    assert asked["enriched_request_body"] == whole
    assert ready["effort"] == "S"
    said = "Only the login.\n\n## Said at the Start\n\nbut keep the API"
    assert ready["request_md_content"].endswith(f"---\n\n{said}\n")
    assert untouched["request_md_content"].endswith(f"---\n\n{whole}\n")


def test_nothing_is_reported_of_a_pipeline_that_is_over(office: Office) -> None:
    workspace = begun(office)
    ask(office, workspace)
    office.call("pipeline_abandon", {"workspace": workspace})

    assert office.refused("pipeline_report_result", {"workspace": workspace, "phase": "phase-1"})[:2] == (
        409,
        "conflict",
    )


def test_an_agent_drives_a_pipeline_and_a_person_answers_it(office: Office) -> None:
    workspace, key = begun(office), office.an_agents_key()
    asked = up_to(office, workspace, "checkpoint-a")
    answer = {"workspace": workspace, "user_response": "proceed"}

    refused = office.refused("pipeline_next_action", answer, key=key)
    given_up = office.refused("pipeline_abandon", {"workspace": workspace}, key=key)
    waiting = office.call("pipeline_next_action", {"workspace": workspace}, key=key)
    office.call("pipeline_next_action", answer, key=office.a_colleague().key)
    then = office.call("pipeline_next_action", {"workspace": workspace}, key=key)

    assert (refused[:2], given_up[:2]) == ((403, "forbidden"), (403, "forbidden"))
    assert (waiting["action_id"], waiting["still_waiting"]) == (asked["action_id"], True)
    assert then["phase"] != asked["phase"]


def test_an_agent_answers_no_human_gate_either(office: Office) -> None:
    workspace, key = begun(office), office.an_agents_key()
    at_the_gate(office, workspace)
    answer = {"workspace": workspace, "user_response": "done"}

    assert office.refused("pipeline_next_action", answer, key=key)[:2] == (403, "forbidden")


def test_a_workspace_may_leave_checkpoints_to_agents(office: Office) -> None:
    office.call("workspaces.update", {"checkpointsNeedAPerson": False})
    workspace, key = begun(office), office.an_agents_key()
    asked = up_to(office, workspace, "checkpoint-a")
    answer = {"workspace": workspace, "user_response": "proceed"}

    then = office.call("pipeline_next_action", answer, key=key)

    assert office.call("workspace.get", {}, key=key)["checkpointsNeedAPerson"] is False
    assert then["phase"] != asked["phase"]
    office.call("pipeline_abandon", {"workspace": workspace}, key=key)
