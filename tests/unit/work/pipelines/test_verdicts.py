import pytest

from forge.work.pipelines.verdicts import Finding, Review, read


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("## Verdict: APPROVE", "APPROVE"),
        ("# Verdict: REVISE\n", "REVISE"),
        ("Text\n\nVerdict: PASS_WITH_NOTES and more", "PASS_WITH_NOTES"),
        ("Verdict: PASS\n\n## Verdict: FAIL", "FAIL"),
        ("## Verdict: MAYBE\n## Verdict: APPROVE_WITH_NOTES", "APPROVE_WITH_NOTES"),
        ("## Verdict:\tFAIL", "FAIL"),
        ("## Verdict: approve", None),
        ("## Verdict: APPROVE.", None),
        ("## Verdict: **REVISE**", None),
        ("### Verdict: REVISE", None),
        ("  ## Verdict: REVISE", None),
        ("**Verdict:** PASS", None),
        ("All tests PASS", None),
        ("", None),
    ],
)
def test_a_verdict_is_read_only_where_it_is_said(text: str, verdict: str | None) -> None:
    assert read(text).verdict == verdict


def test_findings_are_bold_and_graded_one_a_line() -> None:
    text = (
        "## Verdict: REVISE\n"
        "**1. [CRITICAL] No error handling** in the parser\n"
        "- **[MINOR] A typo** and **[MINOR] another**\n"
        "**[MAJOR] Unknown grade**\n"
        "[CRITICAL] not bold\n"
        "**[CRITICAL] 認証が無い**\n"
    )

    assert read(text).findings == (
        Finding("CRITICAL", "No error handling"),
        Finding("MINOR", "A typo"),
        Finding("CRITICAL", "認証が無い"),
    )


def test_findings_without_a_verdict_count_for_nothing() -> None:
    assert read("**[CRITICAL] No error handling**") == Review(None)
