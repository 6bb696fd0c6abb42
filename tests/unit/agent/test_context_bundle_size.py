"""However much there is to say about an issue, the answer can be read, and says what it leaves out."""

import json
from datetime import timedelta

import pytest

from forge.work.issues.pages.sizes import MAX_ANSWER, length_of
from forge.work.overviews.bundles.fitting import fitted
from forge.work.overviews.bundles.views import BundledCheck, BundledStep, ContextBundle
from forge.work.record.texts import KeptText
from tests.workshop.bundles import a_comment, an_artifact, bundle, comments
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office

ESCAPED = '\x01\n"\\'


def a_short_bundle(office: Office, issue_id: str) -> Body:
    """The bundle, once it is sure that it is not too long."""
    answer = office.send("agent.context.bundle", {"issueId": issue_id})
    assert answer.status == 200
    assert len(answer.body) < MAX_ANSWER
    found: Body = json.loads(answer.body)
    return found


def relate(office: Office, issue_id: str, number: int) -> None:
    for _ in range(number):
        other = an_issue(office, title="t" * 300)
        office.call("relations.add", {"fromIssueId": issue_id, "toIssueId": other, "kind": "RELATES_TO"})


def test_a_description_is_cut_at_twenty_thousand_characters(office: Office) -> None:
    whole = an_issue(office, description="d" * 20_000)
    long = an_issue(office, description="d" * 19_999 + "!" + "e" * 30_000)

    assert bundle(office, whole)["description"] == "d" * 20_000
    assert "descriptionTruncated" not in bundle(office, whole)
    found = a_short_bundle(office, long)
    assert found["description"] == "d" * 19_999 + "!"
    assert found["descriptionTruncated"] is True


def test_a_huge_comment_is_cut_and_says_so(office: Office) -> None:
    issue_id = an_issue(office)
    comments(office, issue_id, "c" * 50_000, "c" * 8_000)

    cut, whole = a_short_bundle(office, issue_id)["comments"]

    assert (cut["body"], cut["bodyTruncated"]) == ("c" * 8_000, True)
    assert whole["body"] == "c" * 8_000
    assert "bodyTruncated" not in whole


def test_a_comment_that_is_kept_apart_is_cut_like_others(office: Office) -> None:
    issue_id = an_issue(office)
    office.call("comments.create", {"issueId": issue_id, "body": "😀" * 50_000})

    (cut,) = a_short_bundle(office, issue_id)["comments"]

    assert (cut["body"], cut["bodyTruncated"]) == ("😀" * 8_000, True)


def test_texts_that_could_not_be_shown_are_not_fetched(office: Office) -> None:
    issue_id = an_issue(office)
    gone = KeptText(blob="texts/nowhere")
    comments(office, issue_id, *(["c" * 8_000] * 6))
    office.put(a_comment(office, issue_id, gone).changed(created_at=office.world.clock() - timedelta(days=1)))

    found = a_short_bundle(office, issue_id)

    assert len(found["comments"]) == 4
    assert found["commentsTruncated"] is True


def test_the_oldest_comments_are_left_out_until_it_fits(office: Office) -> None:
    issue_id = an_issue(office, description="d" * 30_000)
    ids = comments(office, issue_id, *(["c" * 2_000] * 50))

    found = a_short_bundle(office, issue_id)

    shown = [comment["id"] for comment in found["comments"]]
    assert 5 < len(shown) < 10
    assert shown == ids[-len(shown) :]
    assert found["commentsTruncated"] is True
    assert len(found["description"]) == 20_000


def test_no_more_is_left_out_than_must_be(office: Office) -> None:
    issue_id = an_issue(office)
    comments(office, issue_id, *(["c" * 1_000] * 50))

    answer = office.send("agent.context.bundle", {"issueId": issue_id})

    assert MAX_ANSWER - 2_000 < len(answer.body) < MAX_ANSWER


def test_the_newest_comment_stays_when_relations_and_artifacts_must_go(office: Office) -> None:
    issue_id = an_issue(office, description="d" * 20_000)
    relate(office, issue_id, 20)
    for _ in range(20):
        an_artifact(office, issue_id, title="t" * 200, summary="s" * 200)
    ids = comments(office, issue_id, *(["c" * 8_000] * 3))

    found = a_short_bundle(office, issue_id)

    assert [comment["id"] for comment in found["comments"]] == ids[-1:]
    assert len(found["description"]) == 20_000
    assert len(found["relations"]) < 20
    assert len(found["artifacts"]) < 20
    assert found["relationsTruncated"] is found["artifactsTruncated"] is True


def test_what_is_expected_is_cut_and_says_so(office: Office) -> None:
    issue_id = an_issue(office)
    office.call("issues.update", {"id": issue_id, "expectedOutput": "e" * 50_000})

    contract = a_short_bundle(office, issue_id)["completionContract"]

    assert contract["expectedOutput"] == "e" * 6_000
    assert contract["expectedOutputTruncated"] is True


def test_a_usual_checklist_is_whole_and_an_endless_one_is_not(office: Office) -> None:
    usual, endless = an_issue(office), an_issue(office)
    checks = [{"label": f"{place} " + "l" * 100} for place in range(50)]
    office.call("issues.update", {"id": usual, "verificationChecklist": checks})
    long = [{"label": "l" * 500, "value": "v" * 1_400} for _ in range(50)]
    office.call("issues.update", {"id": endless, "verificationChecklist": long})

    contract = a_short_bundle(office, usual)["completionContract"]
    assert [check["label"] for check in contract["verificationChecklist"]] == [
        check["label"] for check in checks
    ]
    assert "verificationChecklistTruncated" not in contract

    contract = a_short_bundle(office, endless)["completionContract"]
    assert 3 < len(contract["verificationChecklist"]) < 50
    assert contract["verificationChecklistTruncated"] is True


@pytest.mark.parametrize("text", ["x", "\x01", "\n", '"', ESCAPED, "😀"])
def test_everything_at_once_is_still_short_enough(office: Office, text: str) -> None:
    def long(size: int) -> str:
        return (text * size)[:size]

    issue_id = an_issue(office, description=long(50_000))
    office.call(
        "issues.update",
        {
            "id": issue_id,
            "expectedOutput": long(50_000),
            "verificationChecklist": [{"label": long(250)} for _ in range(50)],
        },
    )
    relate(office, issue_id, 10)
    an_artifact(office, issue_id, summary=long(1_500))
    comments(office, issue_id, *([long(20_000)] * 10))

    found = a_short_bundle(office, issue_id)

    assert found["descriptionTruncated"] is True
    assert found["description"]
    assert long(50_000).startswith(found["description"])
    assert found["commentsTruncated"] is True


def test_a_step_loses_what_its_contract_repeats_and_then_its_end(office: Office) -> None:
    whole = ContextBundle.model_validate(bundle(office, an_issue(office)))
    repeated = {"expected_output": "e" * 6_000, "verification": [BundledCheck(label="Runs")]}
    brief = BundledStep(id="s", plan_id="p", title="t", body="b" * 34_000, depends_on=[], retry_count=0)

    with_repeated = fitted(whole.model_copy(update={"step": brief.model_copy(update=repeated)})).step
    long = brief.model_copy(update={**repeated, "body": "b" * 50_000})
    with_a_long_one = fitted(whole.model_copy(update={"step": long}))

    assert with_repeated == brief
    assert with_a_long_one.step is not None
    assert (with_a_long_one.step.body_truncated, with_a_long_one.step.verification) == (True, [])
    assert MAX_ANSWER - 1_000 < length_of(with_a_long_one) <= MAX_ANSWER


def test_the_last_checks_go_where_nothing_else_can(office: Office) -> None:
    whole = ContextBundle.model_validate(bundle(office, an_issue(office)))
    checks = [BundledCheck(label=f"{place} " + "l" * 1_000) for place in range(50)]
    contract = whole.completion_contract.model_copy(update={"verification_checklist": checks})

    found = fitted(whole.model_copy(update={"completion_contract": contract}))

    shown = found.completion_contract.verification_checklist
    assert shown == checks[: len(shown)]
    assert found.completion_contract.verification_checklist_truncated is True
    assert MAX_ANSWER - 2_000 < length_of(found) <= MAX_ANSWER


def test_a_short_issue_says_nothing_of_being_cut(office: Office) -> None:
    issue_id = an_issue(office, description="Short.")
    comments(office, issue_id, "Short.")

    assert not [name for name in bundle(office, issue_id) if name.endswith("Truncated")]
