"""What an initiative is called in addresses when nobody says it."""

import pytest

from forge.work.content.cycles.initiatives import MAX_SLUG, candidates, derived_slug, first_free


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Faster onboarding", "faster-onboarding"),
        ("  Q3 / 2027: Größe & Ruhm! ", "q3-2027-grosse-ruhm"),
        ("Ünïcödé", "unicode"),
        ("x" * 47 + " and more", "x" * 47),
        ("戦略", "initiative"),
        ("A", "initiative"),
        ("---", "initiative"),
    ],
)
def test_a_slug_is_what_an_address_can_hold_of_a_name(name: str, slug: str) -> None:
    assert derived_slug(name) == slug


def test_a_slug_that_is_taken_gets_the_first_free_number() -> None:
    assert first_free("growth", {"other"}, otherwise=99) == "growth"
    assert first_free("growth", {"growth", "growth-3"}, otherwise=99) == "growth-2"
    assert first_free("growth", set(candidates("growth")), otherwise=99) == "growth-99"


def test_a_numbered_slug_is_never_too_long() -> None:
    long = "x" * MAX_SLUG

    assert first_free(long, {long}, otherwise=99) == "x" * (MAX_SLUG - 2) + "-2"
    assert all(len(one) <= MAX_SLUG for one in candidates(long))
