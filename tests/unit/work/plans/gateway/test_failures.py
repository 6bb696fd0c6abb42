"""What a tool's failure is for the gateway, also where a contract words it in its own way."""

import pytest

from forge.errors import Conflict, DomainError, Forbidden, Retold, Unavailable
from forge.work.backlog.refusals import refusal
from forge.work.plans.gateway.failures import ErrorType, failure_of


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (Conflict("x"), (ErrorType.MCP_ERROR, True)),
        (Forbidden("x"), (ErrorType.PERMISSION, False)),
        (Unavailable("x"), (ErrorType.UNKNOWN, False)),
        (refusal("NOT_LOCKED", "x"), (ErrorType.MCP_ERROR, True)),
        (refusal("NO_WRITE_ACCESS", "x"), (ErrorType.PERMISSION, False)),
    ],
    ids=str,
)
def test_what_is_retold_is_what_it_would_be_untold(
    reason: DomainError, expected: tuple[ErrorType, bool]
) -> None:
    failure = failure_of(Retold({"error": "x", "code": "SAID"}, reason))

    assert (failure.type, failure.recoverable) == expected
    assert failure.code == "SAID"
