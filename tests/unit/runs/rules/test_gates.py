"""What a run must show, by its mode: everything that is missing is said at once."""

from typing import Any

import pytest

from forge.contract.terms import EngagementMode
from forge.errors import InvalidInput
from forge.testing.builders import a_run, an_artifact, an_issue
from forge.work.content.artifacts.artifacts import ArtifactItem, SourceType
from forge.work.issues.issues import ChecklistItem
from forge.work.issues.runs.reports import Confidence, RunVerdict
from functions.runs.rules import reporting as rules
from functions.runs.rules.reporting import Expected, RunReport

EXECUTE, RESEARCH, REVIEW, DISCUSS = (
    EngagementMode.EXECUTE,
    EngagementMode.RESEARCH,
    EngagementMode.REVIEW,
    EngagementMode.DISCUSS,
)
ENOUGH: dict[EngagementMode, dict[str, Any]] = {
    EXECUTE: {},
    RESEARCH: {"confidence": Confidence.LOW},
    REVIEW: {"verdict": RunVerdict.REQUEST_CHANGES},
    DISCUSS: {},
}
"""Beside the summary."""

RESULT: rules.Text = {"id": None, "label": "Tests pass", "kind": None, "value": None, "done": True}
FOLLOW_UP: rules.Text = {"title": "Tell support", "body": None, "kind": None}
TESTS = ChecklistItem(label="Tests pass")

every_mode = pytest.mark.parametrize("mode", EngagementMode)
every_other_mode = pytest.mark.parametrize("mode", [RESEARCH, REVIEW, DISCUSS])


def a_report(**said: Any) -> RunReport:
    usual: dict[str, Any] = {"summary": "Done.", "artifact_ids": [], "results": [], "follow_ups": []}
    return RunReport(**{"confidence": None, "verdict": None, **usual, **said})


def expecting(
    *checklist: ChecklistItem, artifacts: dict[str, ArtifactItem | None] | None = None, **issue: Any
) -> Expected:
    return rules.expected_of(a_run(), an_issue(**issue), checklist, artifacts or {})


def lacking(mode: EngagementMode, report: RunReport, expected: Expected | None = None) -> list[str]:
    """The fields of all problems, in order."""
    return [field for field, _ in rules.problems(mode, expected or expecting(), report)]


@every_mode
def test_a_mode_has_enough_with_this(mode: EngagementMode) -> None:
    rules.require_all(mode, expecting(), a_report(**ENOUGH[mode]))


@every_mode
@pytest.mark.parametrize("summary", [None, "", "  \n"])
def test_every_mode_needs_a_summary(mode: EngagementMode, summary: str | None) -> None:
    assert lacking(mode, a_report(summary=summary, **ENOUGH[mode])) == ["summary"]


@pytest.mark.parametrize("mode", [EXECUTE, RESEARCH, REVIEW])
def test_artifacts_exist_and_are_named_once(mode: EngagementMode) -> None:
    known = expecting(artifacts={"art_1": an_artifact(), "art_2": an_artifact(id="art_2"), "art_3": None})

    def lacks(*artifact_ids: str) -> list[str]:
        return lacking(mode, a_report(artifact_ids=[*artifact_ids], **ENOUGH[mode]), known)

    assert lacks("art_1", "art_2") == []
    assert lacks("art_1", "art_3") == ["producedArtifactIds"]
    assert lacks("art_1", "art_2", "art_1") == ["producedArtifactIds"]
    assert lacks("art_3", "art_3") == ["producedArtifactIds"] * 2


def test_an_artifact_that_nobody_looked_for_is_not_taken_for_an_unknown_one() -> None:
    with pytest.raises(KeyError):
        lacking(EXECUTE, a_report(artifact_ids=["art_1"]))


@every_mode
def test_research_needs_a_confidence_and_a_review_a_verdict(mode: EngagementMode) -> None:
    confidence, verdict = {"confidence": Confidence.HIGH}, {"verdict": RunVerdict.APPROVE}

    assert lacking(mode, a_report(**verdict)) == (["confidence"] if mode is RESEARCH else [])
    assert lacking(mode, a_report(**confidence)) == (["verdict"] if mode is REVIEW else [])
    assert lacking(mode, a_report(**confidence, **verdict)) == []


@every_mode
@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"artifact_ids": ["art_1"]}, "producedArtifactIds"),
        ({"results": [RESULT]}, "verificationResult"),
        ({"follow_ups": [FOLLOW_UP]}, "followUps"),
    ],
)
def test_only_a_discussion_takes_nothing_but_words(
    mode: EngagementMode, given: dict[str, Any], field: str
) -> None:
    known = expecting(artifacts={"art_1": an_artifact()})

    lacks = lacking(mode, a_report(**given, **ENOUGH[mode]), known)

    assert lacks == ([field] if mode is DISCUSS else [])


LINKED = an_artifact(issue_id="iss_1")
PROMOTED = an_artifact(source_type=SourceType.ISSUE, source_id="iss_1")
LOOSE, OF_ANOTHER = an_artifact(), an_artifact(issue_id="iss_2")
OF_A_COMMENT = an_artifact(source_type=SourceType.COMMENT, source_id="iss_1")


@pytest.mark.parametrize(
    ("made", "is_enough"),
    [
        ([], False),
        ([LINKED], True),
        ([PROMOTED], True),
        ([LOOSE], False),
        ([OF_ANOTHER], False),
        ([OF_A_COMMENT], False),
        ([LOOSE, LINKED], True),
        ([LOOSE, OF_ANOTHER], False),
    ],
)
def test_work_on_an_issue_that_requires_an_artifact_shows_one_of_the_issue(
    made: list[ArtifactItem], is_enough: bool
) -> None:
    known = {f"art_{place}": artifact for place, artifact in enumerate(made)}
    report = a_report(artifact_ids=list(known))

    required = expecting(artifacts={**known}, artifact_required=True)

    assert lacking(EXECUTE, report, required) == ([] if is_enough else ["producedArtifactIds"])
    assert lacking(EXECUTE, report, expecting(artifacts={**known})) == []


def test_an_unknown_artifact_is_none_of_the_issue() -> None:
    required = expecting(artifacts={"art_1": None}, artifact_required=True)

    assert lacking(EXECUTE, a_report(artifact_ids=["art_1"]), required) == ["producedArtifactIds"] * 2


@every_other_mode
def test_other_modes_need_neither_artifact_nor_checklist(mode: EngagementMode) -> None:
    assert lacking(mode, a_report(**ENOUGH[mode]), expecting(TESTS, artifact_required=True)) == []


@pytest.mark.parametrize(
    ("item", "result", "is_met"),
    [
        ({"label": "Tests pass"}, {"label": "Tests pass"}, True),
        ({"label": "Tests pass"}, {"label": "  tests PASS "}, True),
        ({"label": " Tests pass "}, {"label": "Tests pass"}, True),
        ({"label": "Tests pass"}, {"id": "c9", "label": "Tests pass"}, True),
        ({"label": "Tests pass"}, {"label": "Tests pass", "done": False}, False),
        ({"label": "Tests pass"}, {"label": "Docs"}, False),
        ({"id": "c1", "label": "Tests pass"}, {"id": "c1", "label": "Whatever"}, True),
        ({"id": "c1", "label": "Tests pass"}, {"id": "c1", "label": "Tests pass", "done": False}, False),
        ({"id": "c1", "label": "Tests pass"}, {"label": "Tests pass"}, False),
        ({"id": "c1", "label": "Tests pass"}, {"id": "C1", "label": "Tests pass"}, False),
        ({"label": "Tests pass", "done": True}, {"label": "Docs"}, False),
        ({"id": "c1", "label": "   "}, {"label": "Docs"}, True),
    ],
)
def test_an_item_of_the_checklist_is_met_by_a_done_result(
    item: dict[str, Any], result: dict[str, Any], is_met: bool
) -> None:
    expected = expecting(ChecklistItem(**item))

    lacks = lacking(EXECUTE, a_report(results=[{**RESULT, **result}]), expected)

    assert lacks == ([] if is_met else ["verificationResult"])


def test_one_done_result_among_several_meets_an_item() -> None:
    results = [{**RESULT, "done": done} for done in (False, True, False)]

    assert lacking(EXECUTE, a_report(results=results), expecting(TESTS)) == []


def test_all_items_that_are_not_met_are_named_in_one_text_though_not_in_full() -> None:
    labels = ("Tests", "Docs", "x" * 200)
    expected = expecting(*(ChecklistItem(label=label) for label in labels))

    ((_, text),) = rules.problems(EXECUTE, expected, a_report(results=[{**RESULT, "label": "docs"}]))

    assert ("'Tests'" in text, "Docs" in text) == (True, False)
    assert f"'{'x' * 80}'" in text


@pytest.mark.parametrize("mode", [EXECUTE, RESEARCH, REVIEW])
def test_texts_are_held_to_what_an_item_can_hold_in_bytes(mode: EngagementMode) -> None:
    def lacks(**given: Any) -> list[str]:
        return lacking(mode, a_report(**given, **ENOUGH[mode]))

    assert lacks(results=[{**RESULT, "label": "l", "value": "v" * 129_999}]) == []
    assert lacks(results=[{**RESULT, "label": "l", "value": "v" * 130_000}]) == ["verificationResult"]
    assert lacks(results=[{**RESULT, "label": "🚀" * 500, "value": "🚀" * 2_000}] * 13) == []
    assert lacks(results=[{**RESULT, "label": "🚀" * 500, "value": "🚀" * 2_000}] * 14) == [
        "verificationResult"
    ]
    assert lacks(follow_ups=[{**FOLLOW_UP, "title": "t", "body": "b" * 119_999}]) == []
    assert lacks(follow_ups=[{**FOLLOW_UP, "title": "t", "body": "b" * 120_000}]) == ["followUps"]


@pytest.mark.parametrize(
    ("mode", "fields"),
    [
        (EXECUTE, {"summary", "producedArtifactIds", "verificationResult"}),
        (RESEARCH, {"summary", "producedArtifactIds", "confidence"}),
        (REVIEW, {"summary", "producedArtifactIds", "verdict"}),
        (DISCUSS, {"summary", "producedArtifactIds", "verificationResult", "followUps"}),
    ],
)
def test_everything_that_a_mode_lacks_is_one_error_that_says_what_it_needs(
    mode: EngagementMode, fields: set[str]
) -> None:
    expected = expecting(ChecklistItem(label="Docs"), artifacts={"art_1": None}, artifact_required=True)
    report = a_report(summary=None, artifact_ids=["art_1", "art_1"], results=[RESULT], follow_ups=[FOLLOW_UP])

    with pytest.raises(InvalidInput) as refused:
        rules.require_all(mode, expected, report)

    assert set(refused.value.issues or ()) == fields
    assert mode in (refused.value.hint or "")


def test_a_run_for_a_step_owes_what_its_step_asks_for_and_not_what_the_issue_does() -> None:
    for_step = a_run(execution_step_id="step_1")
    issue = an_issue(artifact_required=True)

    assert lacking(EXECUTE, a_report(), rules.expected_of(for_step, issue, [TESTS], {})) == []
    assert lacking(EXECUTE, a_report(), rules.expected_of(a_run(), issue, [TESTS], {})) == [
        "producedArtifactIds",
        "verificationResult",
    ]
