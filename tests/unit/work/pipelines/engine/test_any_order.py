"""Whatever is called, in whatever order and how often: the pipeline stays one that can be finished."""

from hypothesis import given, settings
from hypothesis import strategies as st

from forge.errors import DomainError
from forge.work.pipelines import phases
from forge.work.pipelines.engine.engine import Said, abandon, report_result, step
from forge.work.pipelines.engine.progress import ANSWERED, Progress
from forge.work.pipelines.engine.reporting import Report
from forge.work.pipelines.phases import ORDER, Effort
from forge.work.pipelines.pipelines import PipelineSource, Status
from tests.unit.work.pipelines.engine.driving import FAIL, REVISE, THREE_TASKS, Drive, a_pipeline

_FILES = ["analysis.md", "design.md", "tasks.md", "review-design.md", "review-tasks.md", "summary.md"]
_TEXTS = ["", "Text", "## Verdict: APPROVE", "## Verdict: PASS", REVISE, FAIL, THREE_TASKS, "## Task 1: A"]
_IDS = st.one_of(st.none(), st.integers(0, 12).map(lambda number: f"act-{number}"), st.just("act-x"))
_REPORTS = st.builds(
    Report, st.integers(0, 9), verdict=st.sampled_from([None, None, "PASS", "REVISE", "FAIL"])
)

_CALLS = st.one_of(
    st.tuples(st.just("work")),
    st.tuples(st.just("work")),
    st.tuples(st.just("ask")),
    st.tuples(st.just("report"), _REPORTS, _IDS),
    st.tuples(st.just("result"), _REPORTS, st.sampled_from([*ORDER, "phase-x"])),
    st.tuples(
        st.just("answer"),
        st.sampled_from(["proceed", "approve", "revise", "done", "skip", "post", "perhaps"]),
        _IDS,
    ),
    st.tuples(
        st.just("put"), st.sampled_from([*_FILES, "impl-1.md", "review-1.md"]), st.sampled_from(_TEXTS)
    ),
)


def play(drive: Drive, call: tuple[object, ...]) -> Progress | None:
    """What became of one call; None where it was refused, as only the domain refuses."""
    try:
        match call:
            case ("work",):
                due = drive.state.action
                return drive.work().progress if due and not due.waits_for_a_person else None
            case ("report", Report() as report, action_id):
                return drive.say(report=report, action_id=action_id).progress
            case ("result", Report() as report, str(phase)):
                outcome = report_result(drive.state, drive.around, Said(report=report, phase=phase))
                drive.state, drive.texts = outcome.state, drive.texts | outcome.progress.written
                return outcome.progress
            case ("answer", str(response), action_id):
                return drive.say(response=response, action_id=action_id).progress
            case ("put", str(file), str(text)):
                drive.put(file, text)
                return None
            case _:
                return drive.ask().progress
    except DomainError:
        return None


@settings(max_examples=150, deadline=None)
@given(
    effort=st.sampled_from(Effort),
    is_alone=st.booleans(),
    has_source=st.booleans(),
    calls=st.lists(_CALLS, max_size=60),
)
def test_no_order_of_calls_loses_a_phase_or_answers_for_a_person(
    effort: Effort, *, is_alone: bool, has_source: bool, calls: list[tuple[object, ...]]
) -> None:
    source = {"source_type": PipelineSource.JIRA, "source_url": "https://x.atlassian.net/browse/A-1"}
    drive = Drive(a_pipeline(effort, auto_approve=is_alone, **(source if has_source else {})))
    has_answered: set[str] = set()

    for call in calls:
        before = drive.state
        progress = play(drive, call)
        if progress is not None:
            has_answered |= {entry.phase for entry in progress.entries if entry.model == ANSWERED}
        _require_sound(drive, has_answered, is_alone=is_alone)
        if progress is None and call[0] != "put":
            assert drive.state.log_entries == before.log_entries

    # However it got there, somebody who does what is asked brings it to its end.
    while not drive.state.is_over:
        outcome = drive.ask()
        if outcome.action and outcome.action.waits_for_a_person:
            drive.answer(outcome.action.options[0])
        elif outcome.action and not drive.state.is_over:
            drive.work()
    assert drive.state.status is Status.COMPLETED
    assert [phase for phase in drive.state.completed_phases if phase not in ORDER] == []


def _require_sound(drive: Drive, has_answered: set[str], *, is_alone: bool) -> None:
    state = drive.state
    over = set(state.completed_phases)
    due = state.action
    assert state.current_phase in ORDER
    assert due is None or due.phase == state.current_phase
    assert (state.status is Status.AWAITING_HUMAN) is bool(due and due.waits_for_a_person)
    for phase, file in [("phase-1", "analysis.md"), ("phase-3", "design.md"), ("phase-4", "tasks.md")]:
        assert phase not in over or state.skips(phase) or state.has(file)
    if phases.DESIGN_CHECKPOINT in over and not is_alone:
        assert has_answered & {phases.DESIGN_CHECKPOINT, phases.DESIGN_REVIEW}
    if phases.TASKS_CHECKPOINT in over and not state.skips(phases.TASKS_CHECKPOINT):
        assert phases.TASKS_CHECKPOINT in has_answered
    if phases.CODE_REVIEW in over and not state.skips(phases.CODE_REVIEW):
        assert all(task.has_passed for task in state.tasks.values())


@given(calls=st.lists(_CALLS, max_size=15))
def test_the_same_calls_lead_to_the_same_state(calls: list[tuple[object, ...]]) -> None:
    one, other = Drive(a_pipeline()), Drive(a_pipeline())

    for call in calls:
        play(one, call)
        play(other, call)

    assert one.state == other.state
    assert one.texts == other.texts


@given(calls=st.lists(_CALLS, max_size=15))
def test_nothing_brings_back_what_was_abandoned(calls: list[tuple[object, ...]]) -> None:
    drive = Drive(a_pipeline())
    drive.ask()
    drive.state = abandon(drive.state, drive.around, "Not needed").state

    for call in calls:
        if call[0] != "put":
            play(drive, call)

    assert drive.state.status is Status.ABANDONED
    action = step(drive.state, drive.around).action
    assert action is not None
    assert action.summary == "Pipeline abandoned at phase-1"
