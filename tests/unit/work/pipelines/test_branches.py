import pytest

from forge.work.pipelines.branches import branch_of, retyped, slugify, type_of


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Fix auth timeout!", "fix-auth-timeout"),
        ("https://github.com/owner/repo/issues/42", "https-github-com-owner-repo-issues-42"),
        ("a" * 59 + " b", "a" * 59),
        ("ログイン機能を実装する", ""),
        ("--- ", ""),
    ],
)
def test_a_slug_has_only_letters_digits_and_single_dashes(text: str, slug: str) -> None:
    assert slugify(text) == slug


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Fix auth timeout", "fix"),
        ("prefix the name", "feature"),
        ("fix_it", "feature"),
        ("Refactoring of a bug tracker", "fix"),
        ("Refactoring of the tracker", "refactor"),
        ("Update README", "docs"),
        ("Upgrade the config", "chore"),
        ("認証のタイムアウトを修正する", "fix"),
        ("設計をリファクタする", "refactor"),
        ("依存を更新", "chore"),
        ("Die Abhängigkeiten erneuern", "chore"),
        ("", "feature"),
    ],
)
def test_the_type_of_a_branch_follows_from_its_text(text: str, kind: str) -> None:
    assert type_of(text) == kind


def test_a_branch_is_named_after_its_spec_and_cut_at_a_word() -> None:
    assert branch_of("42-fix-auth-timeout", "Fix it") == "fix/42-fix-auth-timeout"
    assert branch_of("20260401-login", "") == "feature/login"
    assert branch_of("-".join(["word"] * 13), "") == "feature/" + "-".join(["word"] * 12)
    assert retyped("feature/login", "a bug") == "fix/login"
    assert retyped("main", "a bug") == "main"
