"""What a run must show depends on its mode, and all that is missing is said at once."""

import json
from typing import Any

import pytest

from tests.unit.office import Body, Office
from tests.unit.runs.engagements import (
    MODES,
    Engagement,
    an_artifact,
    engaged,
    with_checklist,
)

DONE = {"summary": "Fixed the timeout."}
ENOUGH: dict[str, Body] = {
    "EXECUTE": {},
    "RESEARCH": {"confidence": "LOW"},
    "REVIEW": {"verdict": "REQUEST_CHANGES"},
    "DISCUSS": {},
}
"""Beside the summary."""

EXTRAS: dict[str, Any] = {
    "verificationResult": [{"label": "Tests pass", "done": True}],
    "followUps": [{"title": "Tell support"}],
    "confidence": "MEDIUM",
    "verdict": "APPROVE",
}


def lacks(worker: Engagement, **report: object) -> set[str]:
    """The fields for which the run was not completed; nothing may have changed."""
    run, head, logged = worker.run, worker.head, worker.office.log()
    status, code, fields = worker.refused("runs.complete", report)
    assert (status, code) == (400, "invalid_input")
    assert (worker.run, worker.head, worker.text, worker.office.log()) == (run, head, None, logged)
    return fields


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_has_enough_with_this(office: Office, mode: str) -> None:
    told = engaged(office, mode).call("runs.complete", {**DONE, **ENOUGH[mode]})

    assert told["completionMeta"]["mode"] == mode


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("summary", [None, "", "  \n"])
def test_every_mode_needs_a_summary(office: Office, mode: str, summary: str | None) -> None:
    worker = engaged(office, mode)

    assert lacks(worker, summary=summary, **ENOUGH[mode]) == {"summary"}


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_needs_artifacts_that_exist(office: Office, other_office: Office, mode: str) -> None:
    worker, foreign = engaged(office, mode), an_artifact(other_office)

    for unknown in ("art_none", foreign):
        report = {**DONE, **ENOUGH[mode], "producedArtifactIds": [unknown]}
        assert lacks(worker, **report) == {"producedArtifactIds"}


@pytest.mark.parametrize("mode", ["EXECUTE", "RESEARCH", "REVIEW"])
def test_an_artifact_is_named_once(office: Office, mode: str) -> None:
    worker, one, other = engaged(office, mode), an_artifact(office), an_artifact(office)
    report = {**DONE, **ENOUGH[mode]}

    assert lacks(worker, **report, producedArtifactIds=[one, other, one]) == {"producedArtifactIds"}
    told = worker.call("runs.complete", {**report, "producedArtifactIds": [one, other]})

    assert told["producedArtifactIds"] == [one, other]


@pytest.mark.parametrize(("mode", "field"), [("RESEARCH", "confidence"), ("REVIEW", "verdict")])
def test_a_mode_needs_its_own_word(office: Office, mode: str, field: str) -> None:
    worker = engaged(office, mode)
    other_words = {name: EXTRAS[name] for name in ("confidence", "verdict") if name != field}

    assert lacks(worker, **DONE) == {field}
    assert lacks(worker, **DONE, **other_words) == {field}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("field", ["confidence", "verdict"])
def test_words_that_a_mode_does_not_need_are_kept(office: Office, mode: str, field: str) -> None:
    told = engaged(office, mode).call("runs.complete", {**DONE, field: EXTRAS[field], **ENOUGH[mode]})

    assert told["completionMeta"][field] == ENOUGH[mode].get(field, EXTRAS[field])


@pytest.mark.parametrize("field", ["producedArtifactIds", "verificationResult", "followUps"])
@pytest.mark.parametrize("mode", MODES)
def test_only_a_discussion_takes_nothing_but_words(office: Office, mode: str, field: str) -> None:
    worker = engaged(office, mode)
    report = {**DONE, **ENOUGH[mode], field: EXTRAS.get(field) or [an_artifact(office)]}

    if mode == "DISCUSS":
        assert lacks(worker, **report) == {field}
        return
    assert worker.call("runs.complete", report)["status"] == "COMPLETED"


def test_empty_lists_are_nothing(office: Office) -> None:
    report = {**DONE, "producedArtifactIds": [], "verificationResult": [], "followUps": []}

    assert engaged(office, "DISCUSS").call("runs.complete", report)["status"] == "COMPLETED"


def test_work_on_an_issue_that_requires_an_artifact_shows_one_of_the_issue(office: Office) -> None:
    worker, other = engaged(office), engaged(office)
    office.call("issues.update", {"id": worker.issue_id, "artifactRequired": True})
    loose = an_artifact(office)
    of_another = an_artifact(office, issue_id=other.issue_id)
    of_a_comment = an_artifact(office, source_type="comment", source_id=worker.issue_id)

    assert lacks(worker, **DONE) == {"producedArtifactIds"}
    for wrong in ([], [loose], [of_another], [of_a_comment], [loose, of_another]):
        assert lacks(worker, **DONE, producedArtifactIds=wrong) == {"producedArtifactIds"}
    linked = an_artifact(office, issue_id=worker.issue_id)
    told = worker.call("runs.complete", {**DONE, "producedArtifactIds": [loose, linked]})

    assert told["producedArtifactIds"] == [loose, linked]


def test_an_artifact_made_from_the_issue_is_one_of_the_issue(office: Office) -> None:
    worker = engaged(office)
    office.call("issues.update", {"id": worker.issue_id, "artifactRequired": True})
    promoted = an_artifact(office, source_type="issue", source_id=worker.issue_id)

    told = worker.call("runs.complete", {**DONE, "producedArtifactIds": [promoted]})

    assert told["producedArtifactIds"] == [promoted]


def test_an_artifact_that_the_agent_made_for_the_issue_is_enough(office: Office) -> None:
    worker = engaged(office)
    office.call("issues.update", {"id": worker.issue_id, "artifactRequired": True})
    document = {"title": "What was done", "body": "Everything.", "issueId": worker.issue_id}
    made = office.call("artifacts.create", document, key=worker.key)

    told = worker.call("runs.complete", {**DONE, "producedArtifactIds": [made["id"]]})

    assert told["producedArtifactIds"] == [made["id"]]


@pytest.mark.parametrize("mode", ["RESEARCH", "REVIEW", "DISCUSS"])
def test_other_modes_need_neither_artifact_nor_checklist(office: Office, mode: str) -> None:
    worker = engaged(office, mode)
    office.call("issues.update", {"id": worker.issue_id, "artifactRequired": True})
    with_checklist(office, worker.issue_id, {"label": "Tests pass"})

    assert worker.call("runs.complete", {**DONE, **ENOUGH[mode]})["status"] == "COMPLETED"


@pytest.mark.parametrize(
    ("item", "result", "is_met"),
    [
        ({"label": "Tests pass"}, {"label": "Tests pass", "done": True}, True),
        ({"label": "Tests pass"}, {"label": "  tests PASS ", "done": True}, True),
        ({"label": " Tests pass "}, {"label": "Tests pass", "done": True}, True),
        ({"label": "Tests pass"}, {"id": "c9", "label": "Tests pass", "done": True}, True),
        ({"label": "Tests pass"}, {"label": "Tests pass", "done": False}, False),
        ({"label": "Tests pass"}, {"label": "Docs", "done": True}, False),
        ({"id": "c1", "label": "Tests pass"}, {"id": "c1", "label": "Whatever", "done": True}, True),
        ({"id": "c1", "label": "Tests pass"}, {"id": "c1", "label": "Tests pass", "done": False}, False),
        ({"id": "c1", "label": "Tests pass"}, {"label": "Tests pass", "done": True}, False),
        ({"id": "c1", "label": "Tests pass"}, {"id": "C1", "label": "Tests pass", "done": True}, False),
        ({"label": "Tests pass", "done": True}, {"label": "Docs", "done": True}, False),
        ({"id": "c1", "label": "   "}, {"label": "Docs", "done": True}, True),
    ],
)
def test_an_item_of_the_checklist_is_met_by_a_done_result(
    office: Office, item: Body, result: Body, is_met: bool
) -> None:
    worker = engaged(office)
    with_checklist(office, worker.issue_id, item)
    report = {**DONE, "verificationResult": [result]}

    if not is_met:
        assert lacks(worker, **report) == {"verificationResult"}
        return
    assert worker.call("runs.complete", report)["status"] == "COMPLETED"


def test_one_done_result_among_several_meets_an_item(office: Office) -> None:
    worker = engaged(office)
    with_checklist(office, worker.issue_id, {"label": "Tests pass"})
    results = [{"label": "Tests pass", "done": done} for done in (False, True, False)]

    told = worker.call("runs.complete", {**DONE, "verificationResult": results})

    assert told["verificationResult"][1]["done"] is True


def test_all_items_that_are_not_met_are_named_in_one_text(office: Office) -> None:
    worker = engaged(office)
    with_checklist(office, worker.issue_id, *({"label": label} for label in ("Tests", "Docs", "Types")))

    answer = office.send(
        "runs.complete",
        {"runId": worker.run_id, **DONE, "verificationResult": [{"label": "Docs", "done": True}]},
        key=worker.key,
    )

    issues = json.loads(answer.body)["issues"]
    assert set(issues) == {"verificationResult"}
    assert [label in issues["verificationResult"] for label in ("Tests", "Types", "Docs")] == [
        True,
        True,
        False,
    ]


def test_everything_that_work_lacks_is_said_together_with_what_it_needs(office: Office) -> None:
    worker = engaged(office)
    office.call("issues.update", {"id": worker.issue_id, "artifactRequired": True})
    with_checklist(office, worker.issue_id, {"label": "Tests pass"})

    answer = office.send("runs.complete", {"runId": worker.run_id}, key=worker.key)

    error = json.loads(answer.body)
    assert answer.status == 400
    assert set(error["issues"]) == {"summary", "producedArtifactIds", "verificationResult"}
    assert "EXECUTE" in error["hint"]


@pytest.mark.parametrize(
    ("mode", "fields"),
    [
        ("RESEARCH", {"summary", "producedArtifactIds", "confidence"}),
        ("REVIEW", {"summary", "producedArtifactIds", "verdict"}),
        ("DISCUSS", {"summary", "producedArtifactIds", "verificationResult", "followUps"}),
    ],
)
def test_everything_that_a_mode_lacks_is_said_together(office: Office, mode: str, fields: set[str]) -> None:
    worker = engaged(office, mode)
    given = {name: EXTRAS[name] for name in ("verificationResult", "followUps")}

    assert lacks(worker, producedArtifactIds=["art_none", "art_none"], **given) == fields


def test_the_mode_is_the_run_s_as_it_is_now(office: Office) -> None:
    worker = engaged(office, "RESEARCH")
    office.call("issues.assign", {"issueId": worker.issue_id, "agentId": None})
    again = engaged(office, "DISCUSS", agent_id=worker.agent_id, issue_id=worker.issue_id)

    assert again.call("runs.complete", DONE)["completionMeta"]["mode"] == "DISCUSS"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verificationResult", [{"label": "🚀" * 500, "value": "🚀" * 2000, "done": True}] * 50),
        ("followUps", [{"title": "t", "body": "🚀" * 5000}] * 20),
    ],
)
def test_a_report_that_no_item_could_hold_is_refused(office: Office, field: str, value: Any) -> None:
    worker = engaged(office)

    assert lacks(worker, **DONE, **{field: value}) == {field}
