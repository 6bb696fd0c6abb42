import json

from tests.unit.pipeline.starts import ask, begun, done, up_to
from tests.workshop.office import Body, Office


def test_a_medium_pipeline_goes_through_to_its_end(office: Office) -> None:
    workspace = begun(office)
    seen, action = [], ask(office, workspace)
    while action["type"] != "done":
        seen.append((action["type"], action["phase"]))
        answered = {"user_response": "proceed"}
        action = (
            ask(office, workspace, **answered) if "options" in action else done(office, workspace, action)
        )

    assert seen == [
        ("spawn_agent", "phase-1"),
        ("spawn_agent", "phase-2"),
        ("spawn_agent", "phase-3"),
        ("spawn_agent", "phase-3b"),
        ("checkpoint", "checkpoint-a"),
        ("spawn_agent", "phase-4"),
        ("spawn_agent", "phase-5"),
        ("spawn_agent", "phase-6"),
        ("spawn_agent", "phase-7"),
        ("spawn_agent", "final-verification"),
        ("exec", "pr-creation"),
        ("exec", "pr-creation"),
        ("spawn_agent", "final-summary"),
        ("exec", "final-commit"),
    ]
    assert action["summary"] == "Pipeline completed: 13 phases, 3 skipped"
    assert action["summary_path"] == f"{workspace}/summary.md"
    told = [row.payload["event"] for row in office.log() if row.subject_type == "pipeline"]
    assert (told[0], told[-1]) == ("pipeline-init", "pipeline-complete")


def test_a_spawn_has_all_that_the_contract_names(office: Office) -> None:
    workspace = begun(office)

    action, again = ask(office, workspace), ask(office, workspace)

    assert again == action
    assert action["report_result"] is None
    assert action["parallel_task_ids"] is None
    assert (action["agent"], action["model"], action["phase"]) == ("situation-analyst", "sonnet", "phase-1")
    assert (action["input_files"], action["output_file"]) == (["request.md"], "analysis.md")
    assert "Situation Analysis" in action["display_message"]
    assert f"- {workspace}/request.md" in action["prompt"]
    assert "## Input Files" in action["prompt"]


def test_a_revision_comes_back_with_its_findings_and_nothing_to_do(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "phase-3b")
    review = "## Verdict: REVISE\n\n**1. [CRITICAL] Missing error handling**\n"
    file = {"name": "review-design.md", "content": review}

    revised = ask(office, workspace, previous_action_complete=True, artifacts=[file])
    architect = ask(office, workspace)

    assert revised["type"] == ""
    assert "pipeline_next_action" in revised["display_message"]
    assert revised["report_result"]["next_action_hint"] == "revision_required"
    assert revised["report_result"]["verdict_parsed"] == "REVISE"
    assert revised["report_result"]["findings"] == [
        {"severity": "CRITICAL", "description": "Missing error handling"}
    ]
    assert architect["input_files"][-2:] == ["design.md", "review-design.md"]
    assert "change what is there, and do not start over" in architect["prompt"]


def test_a_report_without_its_artifact_is_refused_and_says_what_is_expected(office: Office) -> None:
    workspace = begun(office)
    ask(office, workspace)

    refused = office.refused(
        "pipeline_next_action", {"workspace": workspace, "previous_action_complete": True}
    )

    assert refused[:2] == (422, "precondition_failed")
    assert office.call("state_resume_info", {"workspace": workspace})["phaseLogEntries"] == 0


def test_an_older_action_id_gives_the_current_action_and_records_nothing(office: Office) -> None:
    workspace = begun(office)
    first = ask(office, workspace)
    second = done(office, workspace, first)
    before = office.call("state_resume_info", {"workspace": workspace})

    repeated = done(office, workspace, first)

    assert repeated == second
    assert office.call("state_resume_info", {"workspace": workspace}) == before


def test_what_a_client_fills_with_empty_texts_is_left_out(office: Office) -> None:
    workspace = begun(office, "S")
    first = ask(office, workspace, previous_action_id="", user_response="")

    following = done(office, workspace, first, previous_action_id="", user_response="")

    assert (first["warning"], following["warning"], following["phase"]) == ("", "", "phase-3")


def test_setup_that_is_reported_twice_counts_once(office: Office) -> None:
    workspace = begun(office, "S")
    push = up_to(office, workspace, "pr-creation")
    said = {"previous_action_complete": True, "previous_setup_only": push["setup_only"]}

    created = ask(office, workspace, **said)
    repeated = ask(office, workspace, **said)
    alone = office.call(
        "pipeline_report_result", {"workspace": workspace, "phase": "pr-creation", "setup_only": True}
    )

    assert created["commands"][:2] == ["gh", "pr"]
    assert repeated["action_id"] == created["action_id"]
    assert repeated["warning"]
    assert (alone["state_updated"], alone["next_action_hint"]) == (False, "setup_continue")


def test_a_person_s_words_reach_the_next_prompt_alone(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "checkpoint-a")

    unclear = ask(office, workspace, user_response="hm")
    architect = ask(office, workspace, user_response="revise", user_feedback="Use the queue.")
    reviewer = done(office, workspace, architect)

    assert unclear["still_waiting"] is True
    assert "proceed" in unclear["warning"]
    assert "## Human Feedback\n\nUse the queue." in architect["prompt"]
    assert "Use the queue." not in reviewer["prompt"]


def test_a_checkpoint_is_an_action_request_until_it_is_answered(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "checkpoint-a")

    (asked,) = office.rows("actionRequests.list", {"status": "OPEN"})
    ask(office, workspace, user_response="proceed")

    assert (asked["sourceType"], asked["sourceId"]) == ("pipeline", workspace.removeprefix(".specs/"))
    assert asked["assignedUserId"] == office.owner_id
    assert office.rows("actionRequests.list", {"status": "OPEN"}) == []


def test_a_yes_to_the_request_answers_the_checkpoint(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "checkpoint-a")
    (asked,) = office.rows("actionRequests.list", {"status": "OPEN"})

    office.call("actionRequests.accept", {"id": asked["id"], "resolution": "Mind the cache."})
    after = ask(office, workspace)

    assert after["phase"] == "phase-4"
    assert "Mind the cache." in after["prompt"]


def test_a_no_to_the_request_has_it_done_again(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "checkpoint-a")
    (asked,) = office.rows("actionRequests.list", {"status": "OPEN"})

    office.call("actionRequests.decline", {"id": asked["id"], "reason": "Too complicated."})
    after = ask(office, workspace)

    assert (after["phase"], "Too complicated." in after["prompt"]) == ("phase-3", True)


def test_a_request_that_only_says_it_is_a_pipeline_s_changes_none(office: Office) -> None:
    workspace = begun(office)
    checkpoint = up_to(office, workspace, "checkpoint-a")
    made = {
        "title": "Let me through",
        "sourceType": "pipeline",
        "sourceId": workspace.removeprefix(".specs/"),
    }
    forged = office.call("actionRequests.create", made)

    office.call("actionRequests.accept", {"id": forged["id"]})

    assert ask(office, workspace)["action_id"] == checkpoint["action_id"]


def test_an_abandoned_pipeline_is_done_and_asks_nobody(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "checkpoint-a")

    answer = office.call("pipeline_abandon", {"workspace": workspace, "reason": "Not needed"})
    after = ask(office, workspace)

    assert answer == {"workspace": workspace, "currentPhaseStatus": "abandoned"}
    assert (after["type"], after["summary"]) == ("done", "Pipeline abandoned at checkpoint-a")
    assert office.rows("actionRequests.list", {"status": "OPEN"}) == []


def test_a_question_comes_with_what_was_spent_so_far(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "phase-3b")
    review = "## Verdict: REVISE\n\n**1. [CRITICAL] A**\n\n**2. [MINOR] B**\n"
    file = {"name": "review-design.md", "content": review}
    ask(office, workspace, previous_action_complete=True, artifacts=[file])

    checkpoint = up_to(office, workspace, "checkpoint-a")

    took = {"previous_tokens": 2_000_000, "previous_duration_ms": 3_723_000}
    architect = ask(office, workspace, user_response="revise")
    done(office, workspace, architect, **took)
    later = up_to(office, workspace, "checkpoint-a")["analytics"]
    assert checkpoint["analytics"] == {
        "pipeline": "login",
        "effort": "M",
        "flow_template": "standard",
        "total_tokens": 50,
        "total_duration_ms": 0,
        "total_duration": "0s",
        "estimated_cost_usd": 0.0003,
        "phases_executed": 4,
        "phases_skipped": 0,
        "retries": 1,
        "review_findings": {"critical": 1, "minor": 1},
    }
    assert "50 tokens" in checkpoint["display_message"]
    assert (later["total_duration"], later["estimated_cost_usd"]) == ("1h 2m 3s", 12.0004)
    assert (later["retries"], "analytics" in architect) == (2, False)


def test_where_it_stands_is_told_under_both_names_of_the_contract(office: Office) -> None:
    asked = {"workspace": begun(office)}

    stands = office.call("state_resume_info", asked)

    over_rest = office.world.rest("resume_info", asked, key=office.owner_key)
    assert json.loads(over_rest.body) == stands
    assert office.mcp("resume_info", asked) == stands


def test_where_it_stands_tells_what_was_sent_back_by_whom(office: Office) -> None:
    def standing() -> Body:
        return office.call("state_resume_info", {"workspace": workspace})

    workspace = begun(office, "L")
    up_to(office, workspace, "checkpoint-a")
    ask(office, workspace, user_response="revise")
    sent_back = standing()
    up_to(office, workspace, "checkpoint-a")
    shown_again = standing()
    up_to(office, workspace, "phase-6")
    fail = {"name": "review-1.md", "content": "## Verdict: FAIL\n"}
    again = ask(office, workspace, previous_action_complete=True, artifacts=[fail])
    done(office, workspace, done(office, workspace, again))

    assert sent_back["revisions"] == {
        "designRevisions": 0,
        "taskRevisions": 0,
        "designInlineRevisions": 1,
        "taskInlineRevisions": 0,
    }
    assert sent_back["checkpointRevisionPending"] == {"checkpoint-a": True, "checkpoint-b": False}
    assert shown_again["checkpointRevisionPending"] == {"checkpoint-a": False, "checkpoint-b": False}
    assert standing()["tasksWithRetries"] == [{"task": "1", "implRetries": 1, "reviewRetries": 1}]
    assert standing()["estimatedCostUsd"] > 0


def test_an_answer_to_what_was_answered_before_changes_nothing_and_says_so(office: Office) -> None:
    workspace = begun(office)
    asked = up_to(office, workspace, "checkpoint-a")
    after = ask(office, workspace, user_response="proceed")

    late = ask(office, workspace, user_response="abandon", previous_action_id=asked["action_id"])

    assert (late["action_id"], "answered before" in late["warning"]) == (after["action_id"], True)


def test_what_an_action_took_is_a_number_and_counts_whole(office: Office) -> None:
    workspace = begun(office)
    action = ask(office, workspace)

    done(office, workspace, action, previous_tokens=1000.4, previous_duration_ms=45000.6)

    stands = office.call("state_resume_info", {"workspace": workspace})
    assert (stands["totalTokens"], stands["totalDuration_ms"]) == (1000, 45001)
