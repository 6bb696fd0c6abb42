"""What reports at the end of pipelines say rubbed."""

from datetime import timedelta

from forge.testing.clock import NOON
from forge.work.pipelines.learning.friction import MOST_POINTS, FrictionReported, learned, report_of, reported

REPORT = """
### Documentation
- Error codes are documented in one file only
  Mitigation: Link them from the README.
- The README lies about ports

### Other
Mitigation: Run the fixtures first.
1. Flaky fixture in the coverage job
- None.

### Code Readability
* Slow loop in the importer
"""


def test_each_line_that_speaks_of_a_category_is_a_point_with_its_mitigation() -> None:
    assert reported(REPORT) == [
        FrictionReported(
            "documentation", "Error codes are documented in one file only", "Link them from the README."
        ),
        FrictionReported("documentation", "The README lies about ports"),
        FrictionReported("test_coverage", "Flaky fixture in the coverage job", "Run the fixtures first."),
        FrictionReported("performance", "Slow loop in the importer"),
    ]


def test_a_category_is_the_same_every_time_however_many_fit() -> None:
    assert [one.category for one in reported("- error in the documented naming of a test case")] == [
        "test_coverage"
    ]


def test_a_point_is_one_line_of_200_characters() -> None:
    (point,) = reported("- error " + "x " * 500)

    assert len(point.description) <= 200


def test_the_report_is_a_file_of_its_own_or_else_a_section_of_the_summary() -> None:
    summary = "# Summary\n\n## Improvement Report\n\n### Other\n- error one\n\n## Later\n- error two\n"

    assert report_of("- mine", summary) == "- mine"
    assert [one.description for one in reported(report_of(None, summary))] == ["error one"]
    assert [one.description for one in reported(report_of(" ", summary))] == ["error one"]
    assert report_of(None, None) == report_of(None, "# Summary\n- error") == ""


def test_the_same_point_is_counted_and_keeps_the_newest_mitigation() -> None:
    first = learned([], [FrictionReported("security", "Tokens expire", "Renew them.")], now=NOON)
    later = NOON + timedelta(days=1)

    (again,) = learned(first, [FrictionReported("security", "Tokens expire")], now=later)
    (better,) = learned(
        first, [FrictionReported("security", "Tokens expire", "Ask for longer ones.")], now=later
    )

    assert (again.frequency, again.mitigation, again.last_seen) == (2, "Renew them.", later)
    assert better.mitigation == "Ask for longer ones."


def test_the_rarest_points_are_forgotten_where_there_are_too_many() -> None:
    known = learned(
        [], (FrictionReported("other", f"point {number}") for number in range(MOST_POINTS)), now=NOON
    )
    twice = learned(known, [FrictionReported("other", "point 0")], now=NOON)

    newer = learned(twice, [FrictionReported("other", "new")], now=NOON + timedelta(days=1))

    assert len(newer) == MOST_POINTS
    assert [one.description for one in newer[:2]] == ["point 0", "new"]
