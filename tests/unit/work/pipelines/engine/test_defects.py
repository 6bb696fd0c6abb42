"""What went wrong elsewhere and must not here: a test for each defect that the engine could have."""

import pytest

from forge.errors import InvalidInput, PreconditionFailed
from forge.work.pipelines.actions import ActionType
from forge.work.pipelines.engine import commands
from forge.work.pipelines.engine.engine import abandon
from forge.work.pipelines.engine.reporting import Report
from forge.work.pipelines.phases import Effort
from forge.work.pipelines.pipelines import Status
from forge.work.pipelines.tasks import Reviewed
from forge.work.pipelines.verdicts import Finding
from tests.unit.work.pipelines.engine.driving import (
    FAIL,
    REVISE,
    THREE_TASKS,
    Drive,
    a_pipeline,
    at_design_checkpoint,
    line_of,
)


def test_a_phase_that_is_skipped_after_a_command_looks_like_no_end() -> None:
    """1: after a renamed branch of a small one that goes alone, three phases are skipped at once."""
    drive = Drive(a_pipeline(Effort.S, auto_approve=True))
    drive.scripted = {"design.md": ["## Fix the bug\n"]}
    drive.until("checkpoint-a")

    then = drive.work().action

    assert then is not None
    assert line_of(then) == "write tasks.md"
    assert drive.state.branch == "fix/fix-auth-timeout"


def test_an_abandoned_pipeline_stays_abandoned() -> None:
    """3."""
    drive = at_design_checkpoint()
    drive.answer("abandon")
    before = drive.state

    answers = [drive.ask(), drive.report(), drive.answer("proceed"), drive.say(feedback="Come back")]

    assert {str(one.action.summary) for one in answers if one.action} == {
        "Pipeline abandoned at checkpoint-a"
    }
    assert drive.state == before
    assert abandon(drive.state, drive.around, "again").state == before


def test_only_an_answer_opens_a_gate() -> None:
    """4."""
    drive = Drive(a_pipeline())
    drive.scripted = {"tasks.md": ["## Task 1: Ask\nmode: human_gate\n"]}
    drive.until("phase-5", "proceed")

    calls = [drive.ask(), drive.report(tokens=5), drive.answer("perhaps")]

    assert all(one.is_waiting for one in calls)
    assert calls[1].progress.warnings
    assert calls[2].progress.warnings
    assert not drive.state.tasks["1"].is_done


def test_who_goes_alone_stops_where_reviewers_do_not_agree_and_nowhere_before() -> None:
    """5: an approved design goes on, one that was sent back twice is for a person, small ones included."""
    for effort in (Effort.S, Effort.M):
        agreed, disputed = (Drive(a_pipeline(effort, auto_approve=True)) for _ in range(2))
        disputed.scripted = {"review-design.md": [REVISE] * 2}

        assert agreed.run()[-1] == "done"
        assert disputed.run()[-1] == "design-approved ?"
        assert disputed.state.is_design_cap_reached


def test_a_failed_review_that_mentions_passing_has_failed() -> None:
    """6."""
    drive = Drive(a_pipeline())
    drive.scripted = {"review-1.md": ["All tests PASS, and yet.\n\n## Verdict: FAIL\n"] * 5}

    trace = drive.run("proceed")

    assert trace[-1] == "impl-retry-limit-1 ?"
    assert drive.state.tasks["1"].impl_retries == 5


def test_each_task_that_failed_is_done_again_and_reviewed_again() -> None:
    """7."""
    drive = Drive(a_pipeline())
    drive.scripted = {
        "tasks.md": [THREE_TASKS],
        "review-1.md": [FAIL, "## Verdict: PASS"],
        "review-3.md": [FAIL, "## Verdict: PASS"],
    }

    trace = drive.run("proceed")

    first = trace.index("phase-6 impl-reviewer {1,2,3}")
    assert trace[first + 1 : first + 4] == [
        "phase-5 implementer 1",
        "phase-5 implementer 3",
        "phase-6 impl-reviewer {1,3}",
    ]


@pytest.mark.parametrize(("phase", "file"), [("phase-3b", "review-design.md"), ("phase-6", "review-1.md")])
def test_a_review_without_a_verdict_passes_nothing(phase: str, file: str) -> None:
    """8."""
    drive = Drive(a_pipeline()).until(phase, "proceed")
    drive.put(file, "I would APPROVE this, it should PASS.")

    with pytest.raises(PreconditionFailed):
        drive.report()

    assert drive.state.current_phase == phase


def test_a_report_answers_no_checkpoint() -> None:
    """9."""
    drive = at_design_checkpoint()

    outcome = drive.report(tokens=100)

    assert outcome.is_waiting
    assert drive.state.current_phase == "checkpoint-a"
    assert (outcome.progress.entries, drive.state.total_tokens) == ([], 400)


def test_tasks_that_wait_for_one_another_go_back_and_are_never_forgotten() -> None:
    """10."""
    drive = Drive(a_pipeline())
    circle = "## Task 1: A\ndepends_on: 2\n## Task 2: B\ndepends_on: [1]\n## Task 3: C\n"
    drive.scripted = {"tasks.md": [circle] * 5}

    trace = drive.run("proceed", "approve")

    assert trace.count("revision") == 5
    assert [line for line in trace if "implementer" in line] == [
        "phase-5 implementer 3",
        "phase-5 implementer 1",
        "phase-5 implementer 2",
    ]


def test_what_is_refused_is_not_counted() -> None:
    """11."""
    drive = Drive(a_pipeline()).until("phase-1")

    with pytest.raises(PreconditionFailed):
        drive.report(tokens=1000)
    drive.work()

    assert (drive.state.log_entries, drive.state.total_tokens) == (1, 100)


def test_a_commit_that_fails_is_due_again_and_can_be_left_out() -> None:
    """15."""
    drive = Drive(a_pipeline())
    drive.scripted = {"tasks.md": [THREE_TASKS]}
    drive.until("phase-5", "proceed")
    commit = drive.work().action

    failed = drive.report(verdict="FAIL", findings=(Finding("CRITICAL", "hook failed"),))
    left_out = drive.report()

    assert failed.action == commit
    assert failed.state.error is not None
    assert left_out.action is not None
    assert (left_out.action.task, left_out.state.needs_batch_commit) == ("3", False)
    assert left_out.state.error is None


@pytest.mark.parametrize(("verdict", "branch"), [(None, "fix/login"), ("SKIP", "feature/login")])
def test_a_branch_has_its_new_name_only_where_it_was_renamed_in_the_end(
    verdict: str | None, branch: str
) -> None:
    drive = Drive(a_pipeline(branch="feature/login"))
    drive.scripted = {"design.md": ["## Fix the bug\n\nThe login has a bug that crashes: a fix.\n"]}
    drive.until("checkpoint-a", "proceed")
    rename = drive.report(verdict="FAIL").action
    assert rename is not None
    assert rename.commands[:3] == ["git", "branch", "-m"]
    assert drive.state.branch == "feature/login"

    asked = drive.report(verdict=verdict)

    assert (asked.state.branch, asked.state.branch_classified, asked.state.error) == (branch, True, None)
    assert asked.action is not None
    assert asked.action.waits_for_a_person


def test_the_final_commit_is_logged_once_and_ends_the_pipeline() -> None:
    """16 and 17."""
    drive = Drive(a_pipeline(Effort.S)).until("final-commit", "proceed")

    outcome = drive.work()

    assert [entry.phase for entry in outcome.progress.entries] == ["final-commit"]
    assert [event.event for event in outcome.progress.events][-1] == "pipeline-complete"
    assert (drive.state.status, drive.state.current_phase) == (Status.COMPLETED, "completed")


def test_a_pipeline_without_a_pull_request_tells_of_its_end_too() -> None:
    """17, the other way."""
    drive = Drive(a_pipeline(Effort.S, skip_pr=True)).until("final-summary", "proceed")

    outcome = drive.work()

    assert [event.event for event in outcome.progress.events][-1] == "pipeline-complete"


def test_asking_again_gives_the_same_action_with_the_same_files() -> None:
    """18."""
    drive = Drive(a_pipeline()).until("phase-3b")
    drive.put("review-design.md", REVISE)
    drive.report()

    first, second = drive.ask(), drive.ask()

    assert first.action == second.action
    assert (first.is_new, second.is_new) == (True, False)
    assert first.action is not None
    drawn_from = ["request.md", "analysis.md", "investigation.md"]
    assert first.action.input_files == [*drawn_from, "design.md", "review-design.md"]


def test_a_report_that_comes_twice_counts_once() -> None:
    """18, the other half."""
    drive = Drive(a_pipeline()).until("phase-1")
    drive.put("analysis.md", "Text")

    once = drive.report(tokens=100)
    with pytest.raises(PreconditionFailed):
        drive.report(tokens=100)
    named = drive.say(action_id="act-1", report=Report(tokens=100), artifacts=[("design.md", "")])

    assert named.action == once.action
    assert drive.state.total_tokens == 100
    assert not drive.state.has("design.md")
    for never in ("act-7", "act-0"):
        with pytest.raises(InvalidInput):
            drive.say(action_id=never)


def test_a_word_that_is_no_option_gets_a_hint_and_what_was_said_reaches_the_next_agent_once() -> None:
    """19, and the human's reasons."""
    drive = at_design_checkpoint()

    unclear = drive.answer("looks fine to me")
    revised = drive.answer("revise", feedback="Use the queue.")
    reviewed = drive.work()

    assert unclear.is_waiting
    assert unclear.progress.warnings
    assert (revised.feedback, reviewed.feedback) == ("Use the queue.", None)
    assert revised.action is not None
    assert revised.action.input_files == ["request.md", "analysis.md", "investigation.md", "design.md"]


def test_a_late_answer_to_an_old_question_answers_no_other() -> None:
    drive = Drive(a_pipeline(Effort.L)).until("checkpoint-a")
    asked = drive.state.action
    assert asked is not None
    drive.answer("proceed")
    drive.until("checkpoint-b")

    late = drive.answer("proceed", action_id=asked.id)

    assert late.is_waiting
    assert drive.state.current_phase == "checkpoint-b"


def test_words_of_tasks_and_branches_never_reach_a_shell_unquoted() -> None:
    tasks = {"tasks.md": ["## Task 1: A\nmode: parallel\nfiles:\n- `a b.py`\n- $(rm -rf ~)\n"]}
    drive = Drive(a_pipeline(branch="feature/$(x)"))
    drive.scripted = tasks
    drive.until("phase-5", "proceed")

    commit = drive.work().action

    assert commit is not None
    assert commit.commands[:2] == ["sh", "-c"]
    assert "rm" not in commit.commands[2]
    assert commit.commands[-2:] == ["a b.py", "$(rm -rf ~)"]
    assert commands.final_commit(drive.state).type is ActionType.EXEC
    assert drive.state.tasks["1"].review is Reviewed.NO
