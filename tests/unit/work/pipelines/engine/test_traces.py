"""Whole pipelines from the first analysis to the end: what is handed out, in order."""

from forge.work.pipelines.phases import Effort
from forge.work.pipelines.pipelines import PipelineSource, Status
from tests.unit.work.pipelines.engine.driving import FAIL, REVISE, THREE_TASKS, Drive, a_pipeline, line_of

_ENDING = [
    "phase-7 comprehensive-reviewer",
    "final-verification verifier",
    "exec push-branch",
    "exec pr-creation",
    "final-summary verifier",
    "exec final-commit",
    "done",
]
_DESIGNED = ["phase-3 architect", "phase-3b design-reviewer"]
_KNOWN = ["phase-1 situation-analyst", "phase-2 investigator"]
_LIGHT = ["phase-1 situation-analyst-investigator", *_DESIGNED]


def test_a_small_one_has_one_checkpoint_and_a_task_that_is_written_for_it() -> None:
    drive = Drive(a_pipeline(Effort.S))

    assert drive.run("proceed") == [
        *_LIGHT,
        "checkpoint-a ?",
        "write tasks.md",
        "phase-5 implementer 1",
        *_ENDING,
    ]
    assert drive.state.status is Status.COMPLETED


def test_a_small_one_goes_through_alone_without_a_pull_request() -> None:
    drive = Drive(a_pipeline(Effort.S, auto_approve=True, skip_pr=True))

    trace = drive.run()

    assert trace == [
        *_LIGHT,
        "write tasks.md",
        "phase-5 implementer 1",
        "phase-7 comprehensive-reviewer",
        "final-verification verifier",
        "final-summary verifier",
        "done",
    ]
    done = drive.ask().action
    assert done is not None
    assert done.summary == "Pipeline completed: 7 phases, 9 skipped"
    assert done.summary_path == ".specs/20260401-fix-auth-timeout/summary.md"


def test_a_medium_one_with_a_revision_parallel_tasks_and_a_failed_review() -> None:
    drive = Drive(a_pipeline(Effort.M))
    drive.scripted = {
        "tasks.md": [THREE_TASKS],
        "review-design.md": [REVISE, "## Verdict: APPROVE_WITH_NOTES"],
        "review-2.md": [FAIL, "## Verdict: PASS"],
    }

    assert drive.run("proceed") == [
        *_KNOWN,
        *_DESIGNED,
        "revision",
        *_DESIGNED,
        "checkpoint-a ?",
        "phase-4 task-decomposer",
        "phase-5 implementer {1,2}",
        "exec batch-commit",
        "phase-5 implementer 3",
        "phase-6 impl-reviewer {1,2,3}",
        "phase-5 implementer 2",
        "phase-6 impl-reviewer 2",
        *_ENDING,
    ]
    assert (drive.state.design_revisions, drive.state.tasks["2"].impl_retries) == (1, 1)


def test_a_large_one_from_github_with_revised_tasks_a_gate_and_a_post() -> None:
    source = {"source_type": PipelineSource.GITHUB, "source_url": "https://github.com/o/r/issues/42"}
    drive = Drive(a_pipeline(Effort.L, source_id="42", **source))
    gated = "## Task 1: A\n## Task 2: Merge the external PR\nmode: human_gate\n## Task 3: C\ndepends_on: 2\n"
    drive.scripted = {"tasks.md": [gated, gated], "review-tasks.md": [REVISE, "## Verdict: APPROVE"]}

    trace = drive.run("proceed", "approve", "done", "post")

    tasks = ["phase-4 task-decomposer", "phase-4b task-reviewer"]
    assert trace == [
        *_KNOWN,
        *_DESIGNED,
        "checkpoint-a ?",
        *tasks,
        "revision",
        *tasks,
        "checkpoint-b ?",
        "phase-5 implementer 1",
        "gate 2 ?",
        "phase-5 implementer 3",
        "phase-6 impl-reviewer {1,3}",
        *_ENDING[:-2],
        "post-to-source ?",
        *_ENDING[-2:],
    ]


def test_what_a_person_wants_revised_is_designed_and_reviewed_again() -> None:
    drive = Drive(a_pipeline(Effort.M))

    trace = drive.run("reject", "proceed")

    assert trace[2:8] == [*_DESIGNED, "checkpoint-a ?", *_DESIGNED, "checkpoint-a ?"]
    assert trace[-1] == "done"
    assert drive.state.design_revisions == 0


def test_what_a_person_abandons_is_over() -> None:
    drive = Drive(a_pipeline(Effort.M))

    assert drive.run("abandon")[-2:] == ["checkpoint-a ?", "done"]
    assert (drive.state.status, drive.state.current_phase) == (Status.ABANDONED, "checkpoint-a")


def test_after_two_revisions_a_person_decides_about_the_design() -> None:
    drive = Drive(a_pipeline(Effort.M, auto_approve=True))
    drive.scripted = {"review-design.md": [REVISE, REVISE]}

    trace = drive.run("proceed")

    assert trace[2:10] == [
        *_DESIGNED,
        "revision",
        *_DESIGNED,
        "revision",
        "design-approved ?",
        "phase-4 task-decomposer",
    ]
    assert drive.state.is_design_cap_reached


def test_after_five_revisions_of_the_design_it_is_approved_or_abandoned() -> None:
    drive = Drive(a_pipeline(Effort.M))
    drive.scripted = {"review-design.md": [REVISE] * 5}

    trace = drive.run("revise", "revise", "revise", "approve")

    asked = [line for line in trace if line.endswith("?")]
    assert asked == ["design-approved ?"] * 3 + ["design-retry-limit ?"]
    assert trace[-1] == "done"


def test_a_last_batch_in_parallel_is_committed_and_then_reviewed() -> None:
    drive = Drive(a_pipeline(Effort.M))
    drive.scripted = {"tasks.md": ["## Task 1: A\nmode: parallel\n## Task 2: B\nmode: Parallel\n"]}

    trace = drive.run("proceed")

    assert trace[6:9] == [
        "phase-5 implementer {1,2}",
        "exec batch-commit",
        "phase-6 impl-reviewer {1,2}",
    ]


def test_after_five_failed_reviews_a_task_is_approved_or_all_is_abandoned() -> None:
    drive = Drive(a_pipeline(Effort.M))
    drive.scripted = {"review-1.md": [FAIL] * 5}

    trace = drive.run("proceed", "approve")

    assert trace.count("phase-5 implementer 1") == 5
    assert trace[trace.index("impl-retry-limit-1 ?") + 1 :] == _ENDING


def test_after_five_revisions_of_the_tasks_they_are_approved_or_all_is_abandoned() -> None:
    drive = Drive(a_pipeline(Effort.L))
    drive.scripted = {"review-tasks.md": [REVISE] * 5}

    trace = drive.run("proceed", "approve", "proceed")

    assert trace.count("phase-4b task-reviewer") == 5
    asked = trace.index("task-retry-limit ?")
    assert trace[asked + 1 : asked + 3] == ["checkpoint-b ?", "phase-5 implementer 1"]


def test_tasks_that_break_a_rule_of_the_team_go_back_to_who_cut_them() -> None:
    drive = Drive(a_pipeline(Effort.M))
    drive.rules = lambda tasks: [] if tasks["1"].mode == "human_gate" else ["Task 1 is for a person."]
    gated = "## Task 1: Deploy\nmode: human_gate\n"
    drive.scripted = {"tasks.md": ["## Task 1: Deploy\n", gated]}

    trace = drive.run("proceed", "done")

    assert trace[5:9] == ["phase-4 task-decomposer", "revision", "phase-4 task-decomposer", "gate 1 ?"]
    assert not drive.state.has("review-tasks.md")


def test_tasks_that_are_not_understood_go_back_with_the_line_quoted() -> None:
    drive = Drive(a_pipeline(Effort.M)).until("phase-4", "proceed")
    drive.scripted = {
        "tasks.md": ["## Task 1: A\nmode: humn_gate\n", "## Task 1: A\n- **Mode:** human_gate\n"]
    }

    reported = drive.work().reported

    assert reported is not None
    assert (reported.hint, reported.verdict) == ("revision_required", "REVISE")
    assert [one.description for one in reported.findings] == [
        "Not understood: `mode: humn_gate`: the mode is one of sequential, parallel and human_gate."
    ]
    assert drive.run()[:2] == ["phase-4 task-decomposer", "gate 1 ?"]


def test_a_list_that_a_person_replaced_by_an_unreadable_one_goes_back_before_anybody_works() -> None:
    drive = Drive(a_pipeline(Effort.L)).until("checkpoint-b", "proceed")
    drive.put("tasks.md", "## Task 1: A\n\n## Task 3: C\n")

    outcome = drive.answer("proceed")

    assert outcome.action is not None
    assert line_of(outcome.action) == "phase-4 task-decomposer"
    assert "There is no task 2" in drive.texts["review-tasks.md"]


def test_a_mode_that_nobody_understood_is_a_gate_where_people_go_on_with_it() -> None:
    drive = Drive(a_pipeline(Effort.M))
    drive.scripted = {"tasks.md": ["## Task 1: A\nmode: humn_gate\n"] * 5}

    trace = drive.run("proceed", "approve")

    assert trace[trace.index("task-workflow-rules-retry-limit ?") + 1] == "gate 1 ?"


def test_a_team_whose_rules_are_never_kept_decides_in_the_end() -> None:
    drive = Drive(a_pipeline(Effort.M))
    drive.rules = lambda tasks: ["Never good enough."]

    trace = drive.run("proceed", "approve")

    assert trace.count("phase-4 task-decomposer") == 5
    after = trace[trace.index("task-workflow-rules-retry-limit ?") + 1]
    assert after == "phase-5 implementer 1"


def test_a_large_one_asks_people_even_if_it_may_go_alone() -> None:
    drive = Drive(a_pipeline(Effort.L, auto_approve=True))

    trace = drive.run("proceed", "proceed")

    assert [line for line in trace if line.endswith("?")] == ["checkpoint-a ?", "checkpoint-b ?"]
