"""Findings: what AWS says instead of facts, and how bad it all is."""

from collections.abc import Iterable

import pytest

from forge.cli.doctor.checkup import looked
from forge.cli.doctor.findings import Finding, Level, listed, of_refusal, worst_of
from forge.errors import Unavailable
from forge.store.answers import NoAnswer, Refused
from tests.unit.cli.doctor.levels import FAIL, OK, SKIP, WARN, levels


def test_a_right_that_is_missing_is_named_and_is_no_failure() -> None:
    told = "User: arn:aws:iam::1:user/ada is not authorized to perform: sqs:GetQueueAttributes on resource: x"

    finding = of_refusal("queues", Refused("AccessDenied", told, status=403))

    assert finding.level is WARN
    assert "sqs:GetQueueAttributes" in finding.message
    assert of_refusal("bucket", Refused("403", "Forbidden", status=403)).level is WARN


@pytest.mark.parametrize(
    ("raised", "level"),
    [
        (Refused("ResourceNotFoundException", "no such table"), FAIL),
        (Refused("ExpiredTokenException", "the token is old"), FAIL),
        (Refused("UnknownOperationException"), SKIP),
        (NoAnswer("Unable to locate credentials"), FAIL),
        (Unavailable("not in time"), FAIL),
        (KeyError("SomethingNewer"), FAIL),
    ],
)
def test_whatever_aws_says_is_a_finding(raised: Exception, level: Level) -> None:
    def look() -> Iterable[Finding]:
        raise raised

    assert levels(looked("queues", look)) == [level]


def test_the_worst_counts_and_nothing_is_well() -> None:
    assert worst_of([]) is OK
    assert worst_of([Finding("a", WARN, "", "-"), Finding("b", FAIL, "", "-"), Finding("c", OK, "")]) is FAIL
    assert listed("abcdefg") == "a, b, c, d, e and 2 more"
    assert {level.symbol for level in Level} == set("✓–!✗")
