"""What the backlog writes: texts of issues, names of branches, words of pull requests."""

import pytest

from forge.work.backlog import wording


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Login button unresponsive on Safari", "42-login-button-unresponsive-on-safari"),
        ("  Fix: API's /v1 -- crash!! ", "42-fix-apis-v1-crash"),
        ("-leading dash", "42-leading-dash"),
        ("Überprüfung läuft", "42-uberprufung-lauft"),
        ("日本語", "42-issue"),
        ("a" * 60, "42-" + "a" * 50),
        ("snake_case_name", "42-snakecasename"),
        ("foo/bar.baz", "42-foobarbaz"),
        ("x" * 49 + " y", "42-" + "x" * 49),
        ("Add  OAuth2.0 (PKCE) & refresh -- tokens", "42-add-oauth20-pkce-refresh-tokens"),
    ],
)
def test_a_branch_is_named_after_the_issue(title: str, expected: str) -> None:
    assert wording.branch_name(42, title) == expected


def test_a_text_has_the_sections_that_there_is_something_for() -> None:
    whole = wording.body(title="Login", context="Why", criteria=["a", "b"], notes="How")

    assert whole == (
        "## Summary\nLogin\n\n## Context\nWhy\n\n## Acceptance Criteria\n- [ ] a\n- [ ] b\n\n"
        "## Technical Notes\nHow"
    )
    assert wording.body(title="Login", notes="How") == "## Summary\nLogin\n\n## Technical Notes\nHow"
    assert wording.body(title="Login", given="", context="") == "## Summary\nLogin"
    assert wording.body(title="Login", given="As it is.", context="Why") == "As it is."


def test_a_pull_request_names_its_issue_whoever_worded_it() -> None:
    def words(title: str | None = None, body: str | None = None) -> wording.PullRequestWords:
        return wording.pull_request(
            number=42,
            title="Login",
            type_name="feature",
            given_title=title,
            given_body=body,
            evidence=wording.evidence_of(tests_passed=True, justification=None),
        )

    made = words()
    assert made.title == "feat: Login (#42)"
    assert made.body == (
        "## Summary\nLogin\n\n## Test Evidence\nThe tests passed.\n\n## Issue Reference\nCloses #42"
    )
    assert words("Mend it", "Done, see #421.") == ("Mend it (#42)", "Done, see #421.\n\nCloses #42")
    assert words("Mend #42", "For #42.") == ("Mend #42", "For #42.")
