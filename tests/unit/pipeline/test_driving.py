"""What makes a pipeline easy to drive: short prompts, tasks of one's own, notes, and what people see."""

from tests.unit.pipeline.starts import ask, begun, up_to
from tests.workshop.office import Office


def test_an_agent_exchanges_its_line_for_the_prompt_that_its_caller_never_saw(office: Office) -> None:
    workspace = begun(office)
    line = ask(office, workspace, prompt=False)
    whole = ask(office, workspace)

    told = office.call("pipeline_get_prompt", {"workspace": workspace, "action_id": line["action_id"]})

    assert told == {"agent": "situation-analyst", "prompt": whole["prompt"], "output_file": "analysis.md"}
    assert len(line["prompt"]) < 250
    assert f'"action_id": "{line["action_id"]}"' in line["prompt"]


def test_each_of_several_agents_has_a_prompt_of_its_own(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "phase-4")
    tasks = "## Task 1: Parser\nmode: parallel\n\n## Task 2: Printer\nmode: parallel\nfiles: b.py\n"
    office.call("pipeline_put_artifact", {"workspace": workspace, "name": "tasks.md", "content": tasks})
    whole = ask(office, workspace, previous_action_complete=True, previous_action_id="act-6")
    short = ask(office, workspace, prompt=False)
    asked = {"workspace": workspace, "action_id": whole["action_id"]}

    second = office.call("pipeline_get_prompt", {**asked, "task": "2"})

    assert [(one["id"], one["title"]) for one in whole["parallel_tasks"]] == [
        ("1", "Parser"),
        ("2", "Printer"),
    ]
    assert whole["parallel_tasks"][1]["prompt"] == second["prompt"]
    assert "You implement task 2 of" in second["prompt"]
    assert second["output_file"] == "impl-2.md"
    assert '"task": "2"' in short["parallel_tasks"][1]["prompt"]
    assert office.refused("pipeline_get_prompt", asked)[:3] == (400, "invalid_input", {"task"})
    stale = {"workspace": workspace, "action_id": "act-1"}
    assert office.refused("pipeline_get_prompt", stale)[:2] == (409, "conflict")


def test_what_a_review_noted_is_told_and_goes_on_to_the_next_phase(office: Office) -> None:
    workspace = begun(office)
    action = up_to(office, workspace, "phase-3b")
    noted = "## Verdict: APPROVE_WITH_NOTES\n\n### [MINOR] Name it better\n"
    files = [{"name": "review-design.md", "content": noted}]

    asked = ask(office, workspace, previous_action_complete=True, artifacts=files)
    decomposer = ask(office, workspace, user_response="proceed", previous_action_id=asked["action_id"])

    assert action["agent"] == "design-reviewer"
    assert asked["report_result"]["verdict_parsed"] == "APPROVE_WITH_NOTES"
    assert asked["report_result"]["findings"] == [{"severity": "MINOR", "description": "Name it better"}]
    assert decomposer["input_files"] == ["design.md", "review-design.md"]


def test_a_person_sees_what_they_approve(office: Office) -> None:
    workspace = begun(office)
    up_to(office, workspace, "phase-3")
    design = "# Design\n\n## Approach\n\n" + "A queue. " * 400
    ask(
        office, workspace, previous_action_complete=True, artifacts=[{"name": "design.md", "content": design}]
    )
    review = "## Verdict: APPROVE\n"
    asked = ask(
        office,
        workspace,
        previous_action_complete=True,
        artifacts=[{"name": "review-design.md", "content": review}],
    )

    shown = asked["present_to_user"]
    (request,) = office.call("actionRequests.list", {})["data"]

    assert "Reviewed: **APPROVE**." in shown
    assert "Headings: Design · Approach" in shown
    assert "> ## Approach" in shown
    assert f"forge pipeline read {workspace} design.md" in shown
    assert f"/console/pipelines/{workspace.removeprefix('.specs/')}?file=design.md" in shown
    assert 1500 < len(shown) < 2500
    card = office.call("actionRequests.list", {"id": request["id"], "include": ["card"]})
    assert shown in card["data"][0]["body"]
    assert "the pipeline login still waits" in card["data"][0]["effect"].replace(request["sourceId"], "login")
