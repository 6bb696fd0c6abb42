"""What a report does in each phase, and what it must show before it counts."""

import pytest

from forge.errors import Conflict, DomainError, InvalidInput, PreconditionFailed
from forge.work.pipelines.engine.engine import Said, report_result
from forge.work.pipelines.engine.reporting import Hint, Report, StepReported
from forge.work.pipelines.phases import Effort
from forge.work.pipelines.verdicts import Finding
from tests.unit.work.pipelines.engine.driving import FAIL, REVISE, THREE_TASKS, Drive, a_pipeline


def reported(drive: Drive, phase: str, **said: object) -> StepReported:
    outcome = report_result(drive.state, drive.around, Said(report=Report(), phase=phase, **said))  # type: ignore[arg-type]  # as a test names it
    drive.state, drive.texts = outcome.state, drive.texts | outcome.progress.written
    assert outcome.reported is not None
    return outcome.reported


@pytest.mark.parametrize(
    ("phase", "file", "unfit"),
    [
        ("phase-1", "analysis.md", " \n"),
        ("phase-2", "investigation.md", ""),
        ("phase-3", "design.md", "# Title only"),
        ("phase-3b", "review-design.md", "Looks good, APPROVE"),
        ("phase-3b", "review-design.md", "## Verdict: PASS"),
        ("phase-4", "tasks.md", "- a list"),
        ("phase-4", "tasks.md", "## Tasks\n"),
        ("phase-4b", "review-tasks.md", "## Verdict: APPROVE\n\n## Verdict: REVISE"),
        ("phase-6", "review-1.md", "## Verdict: maybe"),
        ("phase-7", "comprehensive-review.md", "\n"),
        ("final-verification", "final-verification.md", ""),
        ("final-summary", "summary.md", " "),
    ],
)
def test_a_phase_is_not_over_without_what_it_must_show(phase: str, file: str, unfit: str) -> None:
    drive = Drive(a_pipeline(Effort.L)).until(phase, "proceed", "proceed")
    before = drive.state

    with pytest.raises(PreconditionFailed) as missing:
        drive.report(tokens=5)
    drive.put(file, unfit)
    with pytest.raises(PreconditionFailed) as refused:
        drive.report(tokens=5)

    assert missing.value.details is not None
    assert missing.value.details["artifact"] == file
    assert refused.value.details == missing.value.details
    # Nothing is counted that did not count.
    assert drive.state.log_entries == before.log_entries
    assert drive.state.action == before.action


@pytest.mark.parametrize(
    ("phase", "file", "text", "hint", "verdict"),
    [
        ("phase-1", "analysis.md", "Text", "proceed", ""),
        ("phase-3", "design.md", "## One", "proceed", ""),
        ("phase-3b", "review-design.md", "## Verdict: APPROVE", "proceed", "APPROVE"),
        ("phase-3b", "review-design.md", "Verdict: APPROVE_WITH_NOTES", "proceed", "APPROVE_WITH_NOTES"),
        ("phase-3b", "review-design.md", REVISE, "revision_required", "REVISE"),
        ("phase-4", "tasks.md", "## Task 1: One", "proceed", ""),
        ("phase-4b", "review-tasks.md", "# Verdict: APPROVE", "proceed", "APPROVE"),
        ("phase-4b", "review-tasks.md", REVISE, "revision_required", "REVISE"),
        ("phase-5", "impl-1.md", "", "proceed", ""),
        ("phase-6", "review-1.md", "## Verdict: PASS", "proceed", "PASS"),
        ("phase-6", "review-1.md", "## Verdict: PASS_WITH_NOTES", "proceed", "PASS_WITH_NOTES"),
        ("phase-6", "review-1.md", FAIL, "revision_required", "FAIL"),
        ("phase-7", "comprehensive-review.md", "Clean", "proceed", ""),
        ("final-summary", "summary.md", "All of it", "proceed", ""),
    ],
)
def test_each_result_has_its_hint(phase: str, file: str, text: str, hint: str, verdict: str) -> None:
    drive = Drive(a_pipeline(Effort.L)).until(phase, "proceed", "proceed")
    drive.put(file, text)

    told = reported(drive, phase)

    assert (told.hint, told.verdict, told.artifact) == (hint, verdict, file)
    assert told.is_retry is (verdict == "FAIL")
    assert drive.state.action is None


def test_a_report_says_what_it_took() -> None:
    drive = Drive(a_pipeline()).until("phase-1")
    drive.put("analysis.md", "Text")

    outcome = drive.report(tokens=15_000, duration_ms=45_000, model="opus")

    (entry,) = outcome.progress.entries
    assert entry == ("phase-1", "opus", 15_000, 45_000, None)
    assert (drive.state.total_tokens, drive.state.total_duration_ms) == (15_000, 45_000)
    told = [event.event for event in outcome.progress.events]
    assert told == ["action-complete", "phase-complete", "phase-start", "agent-dispatch"]


def test_findings_are_read_and_kept_for_those_who_learn_from_them() -> None:
    drive = Drive(a_pipeline()).until("phase-3b")
    drive.put("review-design.md", REVISE)

    outcome = drive.report()

    assert outcome.action is None
    assert outcome.reported is not None
    assert outcome.reported.findings == (Finding("CRITICAL", "No error handling"),)
    assert outcome.progress.learned == [("design-reviewer", outcome.reported.findings)]


def test_a_caller_can_say_the_verdict_beside_the_file() -> None:
    drive = Drive(a_pipeline()).until("phase-3b")
    drive.put("review-design.md", "Prose without a verdict.")
    finding = (Finding("CRITICAL", "No tests"),)

    revised = drive.report(verdict="REVISE", findings=finding)
    again = drive.ask()

    assert revised.reported == StepReported(Hint.REVISION_REQUIRED, "review-design.md", "REVISE", finding)
    assert again.action is not None
    assert (again.action.agent, again.action.input_files[-1]) == ("architect", "review-design.md")


def test_a_word_that_is_no_verdict_of_the_phase_is_refused() -> None:
    drive = Drive(a_pipeline()).until("phase-3b")
    drive.put("review-design.md", "## Verdict: APPROVE")

    with pytest.raises(InvalidInput):
        drive.report(verdict="PASS")


def test_a_review_of_an_older_design_is_made_anew() -> None:
    drive = Drive(a_pipeline()).until("phase-3b")
    drive.put("review-design.md", REVISE)
    drive.put("design.md", "## Mended since")

    again = drive.report()

    assert again.action is not None
    assert again.action.phase == "phase-3b"
    assert drive.state.design_revisions == 0
    assert not drive.state.has("review-design.md")


def test_of_several_that_work_at_once_only_what_is_missing_is_handed_out_again() -> None:
    drive = Drive(a_pipeline())
    drive.scripted = {"tasks.md": [THREE_TASKS]}
    drive.until("phase-5", "proceed")
    drive.put("impl-1.md", "Done")

    committed = drive.report()
    again = drive.work()

    assert committed.progress.warnings
    assert again.action is not None
    assert again.action.task_ids == ["2"]


@pytest.mark.parametrize(
    ("phase", "again", "file"),
    [("phase-3b", "phase-3", "design.md"), ("phase-6", "phase-5", "impl-1.md")],
)
def test_what_is_done_again_with_the_old_result_is_told(phase: str, again: str, file: str) -> None:
    drive = Drive(a_pipeline()).until(phase, "proceed")
    drive.scripted = {"review-design.md": [REVISE], "review-1.md": [FAIL]}
    drive.work()
    due = drive.ask().action
    assert due is not None
    assert due.phase == again

    old = drive.report()

    assert [file in one for one in old.progress.warnings] == [True]
    assert old.action is not None
    assert old.action.phase == phase


def test_what_is_done_again_with_a_new_result_is_no_news() -> None:
    drive = Drive(a_pipeline()).until("phase-3b")
    drive.scripted = {"review-design.md": [REVISE]}
    drive.work()
    drive.ask()

    assert drive.work().progress.warnings == []


def test_a_report_of_setup_counts_for_setup_alone() -> None:
    drive = Drive(a_pipeline(Effort.S)).until("pr-creation", "proceed")
    due = drive.state.action
    assert due is not None
    assert due.setup_only

    created = drive.report(is_of_setup=True).action
    repeated = drive.report(is_of_setup=True)

    assert created is not None
    assert created.commands[:2] == ["gh", "pr"]
    assert (repeated.action, repeated.reported) == (created, None)
    assert repeated.progress.warnings
    assert repeated.progress.entries == []
    assert drive.report().state.current_phase == "final-summary"


def test_a_report_of_setup_completes_no_phase_that_an_agent_works_in() -> None:
    drive = Drive(a_pipeline()).until("phase-1")
    drive.put("analysis.md", "Text")

    said = report_result(
        drive.state, drive.around, Said(report=Report(tokens=5, is_of_setup=True), phase="phase-1")
    )

    assert said.reported is not None
    assert said.reported.hint is Hint.SETUP_CONTINUE
    assert said.state == drive.state


def test_a_review_is_what_its_file_says_whether_or_not_it_is_called_setup() -> None:
    drive = Drive(a_pipeline()).until("phase-3b")
    drive.put("review-design.md", "## Verdict: APPROVE")

    assert drive.report(is_of_setup=True).state.current_phase == "checkpoint-a"


def test_one_verdict_is_not_that_of_several_reviews() -> None:
    drive = Drive(a_pipeline())
    drive.scripted = {"tasks.md": [THREE_TASKS]}
    drive.until("phase-6", "proceed")

    with pytest.raises(InvalidInput):
        drive.report(verdict="PASS")


@pytest.mark.parametrize(
    ("phase", "error"),
    [("phase-2", Conflict), ("completed", Conflict), ("phase-99", InvalidInput), ("", InvalidInput)],
)
def test_a_report_of_what_is_not_due_changes_nothing(phase: str, error: type[DomainError]) -> None:
    drive = Drive(a_pipeline()).until("phase-1")
    drive.put("analysis.md", "Text")

    with pytest.raises(error) as refused:
        reported(drive, phase)

    assert refused.value.retryable is False
    if error is Conflict:
        assert refused.value.details is not None
        assert refused.value.details["current_action"] == {
            "action_id": "act-1",
            "type": "spawn_agent",
            "phase": "phase-1",
        }


def test_a_dependency_on_no_task_is_told_and_does_no_harm() -> None:
    drive = Drive(a_pipeline()).until("phase-4", "proceed")
    drive.put("tasks.md", "## Task 1: A\ndepends_on: 7\n")

    outcome = drive.report()

    assert outcome.progress.warnings
    assert outcome.action is not None
    assert outcome.action.task == "1"


def test_a_list_of_tasks_that_was_spoilt_since_is_written_anew() -> None:
    small, medium = Drive(a_pipeline(Effort.S)).until("checkpoint-a"), Drive(a_pipeline())
    medium.until("phase-4", "proceed")
    medium.put("tasks.md", "## Task 1: A")
    reported(medium, "phase-4")

    handed_out = []
    for drive in (small, medium):
        drive.put("tasks.md", "No tasks.")
        outcome = drive.answer("proceed")
        assert outcome.action is not None
        handed_out.append((outcome.action.type, outcome.action.phase))
    small.work()

    assert handed_out == [("write_file", "phase-5"), ("spawn_agent", "phase-4")]
    assert list(small.state.tasks) == ["1"]
