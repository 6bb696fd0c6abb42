"""Every option of every checkpoint and gate, and where it leads."""

import pytest

from forge.work.pipelines.actions import Action, ActionType
from forge.work.pipelines.engine import answering
from forge.work.pipelines.phases import Effort
from forge.work.pipelines.pipelines import PipelineSource, Status
from forge.work.pipelines.tasks import Reviewed
from tests.unit.work.pipelines.engine.driving import FAIL, REVISE, Drive, a_pipeline, line_of

_GITHUB = {
    "source_type": PipelineSource.GITHUB,
    "source_id": "42",
    "source_url": "https://github.com/o/r/issues/42",
}
_GATE = "## Task 1: Ask\nmode: human_gate\n"


def waiting_at(name: str) -> Drive:
    """A pipeline that waits for a person there, by the way that leads there."""
    drive = Drive(a_pipeline(Effort.L, **_GITHUB))
    drive.rules = (lambda tasks: ["Never."]) if name.startswith("task-workflow") else drive.rules
    drive.scripted = {
        "checkpoint-a": {},
        "checkpoint-b": {},
        "design-approved": {"review-design.md": [REVISE] * 2},
        "design-retry-limit": {"review-design.md": [REVISE] * 5},
        "task-retry-limit": {"review-tasks.md": [REVISE] * 5},
        "task-workflow-rules-retry-limit": {},
        "impl-retry-limit-1": {"review-1.md": [FAIL] * 5},
        "1": {"tasks.md": [_GATE]},
        "post-to-source": {},
    }[name]
    outcome = drive.ask()
    while outcome.action is None or outcome.action.name != name:
        action = outcome.action
        if action is None:
            outcome = drive.ask()
        elif action.waits_for_a_person:
            word = "revise" if action.name == "design-approved" else "proceed"
            outcome = drive.answer(word)
        else:
            outcome = drive.work()
    return drive


@pytest.mark.parametrize(
    ("name", "said", "then"),
    [
        ("checkpoint-a", "proceed", "phase-4 task-decomposer"),
        ("checkpoint-a", "approve", "phase-4 task-decomposer"),
        ("checkpoint-a", "revise", "phase-3 architect"),
        ("checkpoint-a", "reject", "phase-3 architect"),
        ("checkpoint-a", "abandon", "done"),
        ("checkpoint-b", " Proceed ", "phase-5 implementer 1"),
        ("checkpoint-b", "revise", "phase-4 task-decomposer"),
        ("checkpoint-b", "abandon", "done"),
        ("design-approved", "proceed", "phase-4 task-decomposer"),
        ("design-approved", "revise", "phase-3 architect"),
        ("design-retry-limit", "approve", "phase-4 task-decomposer"),
        ("design-retry-limit", "abandon", "done"),
        ("task-retry-limit", "approve", "checkpoint-b ?"),
        ("task-retry-limit", "abandon", "done"),
        ("task-workflow-rules-retry-limit", "approve", "phase-4b task-reviewer"),
        ("task-workflow-rules-retry-limit", "abandon", "done"),
        ("impl-retry-limit-1", "approve", "phase-7 comprehensive-reviewer"),
        ("impl-retry-limit-1", "abandon", "done"),
        ("1", "done", "phase-7 comprehensive-reviewer"),
        ("1", "skip", "phase-7 comprehensive-reviewer"),
        ("1", "abandon", "done"),
        ("post-to-source", "post", "exec final-commit"),
        ("post-to-source", "skip", "exec final-commit"),
    ],
)
def test_each_option_leads_somewhere(name: str, said: str, then: str) -> None:
    drive = waiting_at(name)

    outcome = drive.answer(said)

    assert outcome.action is not None
    assert line_of(outcome.action) == then
    assert (drive.state.status is Status.ABANDONED) is (said == "abandon")


@pytest.mark.parametrize(
    ("name", "said"), [("design-approved", "proceed"), ("design-retry-limit", "approve")]
)
def test_a_design_that_is_accepted_with_its_findings_takes_them_along(name: str, said: str) -> None:
    outcome = waiting_at(name).answer(said)

    assert outcome.action is not None
    assert outcome.action.input_files == ["design.md", "review-design.md"]


@pytest.mark.parametrize(
    ("file", "verdict", "name", "said", "then"),
    [
        ("review-design.md", "Well.", "design-review-unknown", "approve", "phase-4 task-decomposer"),
        ("review-design.md", "Well.", "design-review-unknown", "revise", "phase-3 architect"),
        ("review-design.md", "Well.", "design-review-unknown", "abandon", "done"),
        ("review-design.md", "## Verdict: APPROVE", "design-approved", "proceed", "phase-4 task-decomposer"),
        ("review-tasks.md", "Well.", "task-review-unknown", "approve", "checkpoint-b ?"),
        ("review-tasks.md", "Well.", "task-review-unknown", "revise", "phase-4 task-decomposer"),
        ("review-tasks.md", "Well.", "task-review-unknown", "abandon", "done"),
        ("review-tasks.md", "## Verdict: APPROVE", "tasks-approved", "proceed", "checkpoint-b ?"),
        ("review-tasks.md", "## Verdict: APPROVE", "tasks-approved", "revise", "phase-4 task-decomposer"),
    ],
)
def test_a_review_that_came_without_a_report_is_decided_by_a_person(
    file: str, verdict: str, name: str, said: str, then: str
) -> None:
    phase = "phase-3b" if file == "review-design.md" else "phase-4b"
    drive = Drive(a_pipeline(Effort.L)).until(phase, "proceed")
    # As another build may leave it: nothing is due, and there is a review.
    drive.state = drive.state.changed(action=None)
    drive.put(file, verdict)

    asked = drive.ask().action
    outcome = drive.answer(said)

    assert asked is not None
    assert outcome.action is not None
    assert (asked.name, line_of(outcome.action)) == (name, then)


def test_what_a_person_did_and_what_was_left_out_are_told_apart() -> None:
    done, left_out = waiting_at("1"), waiting_at("1")

    done.answer("done")
    left_out.answer("skip")

    assert [one.state.tasks["1"].is_passed_over for one in (done, left_out)] == [False, True]
    assert done.state.tasks["1"].review is Reviewed.PASSED


def test_an_answer_is_logged_as_a_person_s() -> None:
    outcome = waiting_at("checkpoint-a").answer("proceed")

    assert outcome.progress.entries[0] == ("checkpoint-a", "checkpoint", 0, 0, None)


@pytest.mark.parametrize(
    ("options", "positive", "negative"),
    [
        (["proceed", "revise", "abandon"], "proceed", "revise"),
        (["approve", "abandon"], "approve", "abandon"),
        (["post", "skip"], "post", "skip"),
        (["done", "skip", "abandon"], "done", "abandon"),
    ],
)
def test_a_yes_and_a_no_are_options_too(options: list[str], positive: str, negative: str) -> None:
    asked = Action(type=ActionType.CHECKPOINT, phase="checkpoint-a", options=options)

    assert (answering.yes_to(asked), answering.no_to(asked)) == (positive, negative)


def test_a_gate_about_another_repository_comes_with_a_recipe() -> None:
    plain, elsewhere = Drive(a_pipeline()), Drive(a_pipeline())
    plain.scripted = {"tasks.md": [_GATE]}
    elsewhere.scripted = {"tasks.md": ["## Task 1: Merge the external PR\nmode: human_gate\n"]}

    texts = []
    for drive in (plain, elsewhere):
        asked = drive.until("phase-5", "proceed").state.action
        assert asked is not None
        texts.append(str(asked.present_to_user))

    assert "another repository" not in texts[0]
    assert "another repository" in texts[1]


def test_an_answer_that_is_sent_twice_does_not_answer_the_question_that_follows() -> None:
    drive = Drive(a_pipeline())
    gates = [_GATE, "## Task 2: Run the migration in production\nmode: human_gate\n"]
    drive.scripted = {"tasks.md": ["\n".join(gates)]}
    drive.until("phase-5", "proceed")
    drive.answer("done")

    again = drive.answer(" Done")
    quoted = drive.answer("done", action_id=again.action.id if again.action else "")

    assert (again.action and again.action.name, again.is_waiting) == ("2", True)
    assert "previous_action_id act-" in again.progress.warnings[0]
    assert quoted.state.tasks["2"].is_done


def test_another_answer_to_the_question_that_follows_is_taken() -> None:
    drive = Drive(a_pipeline(Effort.L))
    drive.scripted = {"tasks.md": ["## Task 1: A\nmode: human_gate\n"]}
    drive.until("checkpoint-b", "proceed")

    assert drive.answer("proceed").action == drive.state.action
    assert drive.answer("done").state.tasks["1"].is_done
