import pytest

from forge.work.pipelines.markdown import MAX_CHARACTERS
from forge.work.pipelines.verdicts import Finding, Review, read


@pytest.mark.parametrize(
    "written",
    [
        "## Verdict: {}",
        "# Verdict: {}\n",
        "### Verdict: {}",
        "  ## Verdict: {}",
        "## Verdict:\t{}",
        "## Verdict\n\n{}",
        "## Verdict\n\n**{}**",
        "**Verdict**\n{}",
        "**Verdict:** {}",
        "**Verdict: {}**",
        "- Verdict: {}",
        "> Verdict: {}",
        "Verdict: {}",
        "Verdict：{}",
        "Verdict: `{}`",
        "## Verdict: {}.",
        "## Verdict: **{}**",
        "## Verdict: {} — all is well",
        "## Final Verdict: {}",
        "| Verdict | {} |\n|---|---|",
        "Text\n\nVerdict: {} and more",
        "## Verdict: MAYBE\n\n## Verdict: {}",
        "## Verdict: {0}\n\nAs I said: all tests PASS, nothing FAILs.\n\nVerdict: {0}",
        "```\nVerdict: OTHER or FAIL\n```\n\n## Verdict: {}",
        "```markdown\n## Verdict: {}\n```",
    ],
)
@pytest.mark.parametrize("word", ["APPROVE", "PASS_WITH_NOTES"])
def test_a_verdict_is_read_in_every_dress(written: str, word: str) -> None:
    assert read(written.format(word)).verdict == word


def test_notes_count_with_blanks_too() -> None:
    assert read("## Verdict: APPROVE WITH NOTES").verdict == "APPROVE_WITH_NOTES"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("## Verdict: APPROVE | APPROVE_WITH_NOTES | REVISE", "Several verdicts stand on one line."),
        ("Verdict: PASS (was FAIL)", "Several verdicts stand on one line."),
        ("Verdict: PASS\n\n## Verdict: FAIL", "It says FAIL and PASS."),
        ("## Verdict: APPROVE\n\n**Verdict:** REVISE", "It says APPROVE and REVISE."),
        ("## Verdict: approve", "It says none."),
        ("## Verdict: not APPROVE", "It says none."),
        ("All tests PASS", "It says none."),
        ("## Verdict\n", "It says none."),
        ("See below.\n\n```\n## Verdict: APPROVE\n```\n", "It says none."),
        ("", "It says none."),
        ("## Verdict: PASS\n" + "x" * MAX_CHARACTERS, "It has more than 300,000 characters."),
    ],
)
def test_who_says_none_or_two_is_told_so(text: str, problem: str) -> None:
    assert read(text) == Review(None, (), problem)


def test_findings_are_graded_one_a_line_as_headings_in_bold_or_in_lists() -> None:
    text = """
## Verdict: REVISE
**1. [CRITICAL] No error handling** in the parser
- **[MINOR] A typo** and **[MINOR] another**
- **[MAJOR]** No limit
### [CRITICAL] Anybody can read it
### 2. **[MINOR]: A name**
1. [MINOR] Plain, in a list
**CRITICAL:** No test
**[CRITICAL] 認証が無い**
There is no [CRITICAL] finding besides.
```
**[MINOR] an example**
```
"""

    assert read(text).findings == (
        Finding("CRITICAL", "No error handling"),
        Finding("MINOR", "A typo"),
        Finding("MAJOR", "No limit"),
        Finding("CRITICAL", "Anybody can read it"),
        Finding("MINOR", "A name"),
        Finding("MINOR", "Plain, in a list"),
        Finding("CRITICAL", "No test"),
        Finding("CRITICAL", "認証が無い"),
    )


def test_findings_without_a_verdict_count_for_nothing() -> None:
    assert read("**[CRITICAL] No error handling**").findings == ()
