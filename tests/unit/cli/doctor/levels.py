"""What findings come to."""

from collections.abc import Iterable

from forge.cli.doctor.findings import Finding, Level

OK, SKIP, WARN, FAIL = Level.OK, Level.SKIP, Level.WARN, Level.FAIL


def levels(findings: Iterable[Finding]) -> list[Level]:
    """In their order; whatever is not well also says what to do."""
    found = list(findings)
    assert all(finding.next for finding in found if finding.level in (WARN, FAIL))
    return [finding.level for finding in found]
