"""What goes wrong in the gateway, in the words of its protocol."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from forge.errors import (
    WIRE,
    Conflict,
    DomainError,
    ErrorCode,
    Forbidden,
    Internal,
    InvalidInput,
    PayloadTooLarge,
    Retold,
    Unavailable,
)


class ErrorType(StrEnum):
    TIMEOUT = "TIMEOUT"
    MCP_ERROR = "MCP_ERROR"
    VALIDATION = "VALIDATION"
    PERMISSION = "PERMISSION"
    UNKNOWN = "UNKNOWN"


_AS_ERRORS: Mapping[ErrorType, type[DomainError]] = {
    ErrorType.TIMEOUT: Conflict,
    ErrorType.MCP_ERROR: Conflict,
    ErrorType.VALIDATION: InvalidInput,
    ErrorType.PERMISSION: Forbidden,
    ErrorType.UNKNOWN: Internal,
}


class GatewayFailure(NamedTuple):
    type: ErrorType
    message: str
    recoverable: bool
    suggestion: str | None = None
    code: str | None = None
    details: Mapping[str, Any] | None = None
    is_worth_retrying: bool = False
    """Whether the very same call may go well a moment later."""

    def as_object(self) -> dict[str, Any]:
        body: dict[str, Any] = {
            "type": self.type.value,
            "message": self.message,
            "recoverable": self.recoverable,
            "suggestion": self.suggestion,
            "retryable": self.is_worth_retrying,
        }
        if self.code:
            body["code"] = self.code
        if self.details:
            body["details"] = dict(self.details)
        return body

    def as_error(self) -> DomainError:
        """What really happened, for the log and for the status."""
        return _AS_ERRORS[self.type](self.message)


class Failed(Exception):
    def __init__(self, failure: GatewayFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def refused(
    kind: ErrorType,
    message: str,
    *,
    code: str,
    suggestion: str | None,
    details: Mapping[str, Any] | None = None,
    is_worth_retrying: bool = False,
) -> Failed:
    """A failure that the caller can mend, by another call or by waiting."""
    return Failed(
        GatewayFailure(kind, message, True, suggestion, code, details, is_worth_retrying=is_worth_retrying)
    )


def failure_of(error: DomainError, *, limit_ms: int | None = None) -> GatewayFailure:
    """What a tool's failure is for the gateway; with a limit if that was over."""
    if limit_ms is not None and isinstance(error, Unavailable):
        return GatewayFailure(
            ErrorType.TIMEOUT,
            f"It was not done within {limit_ms} ms, and may or may not have taken effect.",
            recoverable=True,
            suggestion="Look whether it happened; allow a longer constraints.timeout_ms, or ask for less.",
            code="TIMEOUT",
            details={"timeout_ms": limit_ms},
            is_worth_retrying=True,
        )
    if isinstance(error, Retold):
        return _retold(error)
    kind = _type_of(error)
    return GatewayFailure(
        kind,
        error.message,
        recoverable=kind in (ErrorType.VALIDATION, ErrorType.MCP_ERROR),
        suggestion=error.hint,
        code=error.code.value,
        details=_details(error),
        is_worth_retrying=error.retryable,
    )


def _type_of(error: DomainError) -> ErrorType:
    match error:
        case Internal():
            return ErrorType.UNKNOWN
        case Forbidden():
            return ErrorType.PERMISSION
        case InvalidInput() | PayloadTooLarge():
            return ErrorType.VALIDATION
        case _:
            return ErrorType.MCP_ERROR


def _retold(error: Retold) -> GatewayFailure:
    """A tool with a contract of its own says itself what is wrong; all of it is in the details."""
    said = error.body.get("error")
    kind = _type_retold(WIRE[error.code].http_status)
    return GatewayFailure(
        kind,
        said if isinstance(said, str) else error.message,
        recoverable=kind is ErrorType.MCP_ERROR,
        suggestion="The details are the tool's own answer.",
        code=str(error.body.get("code") or error.code.value),
        details=error.body,
        is_worth_retrying=error.retryable,
    )


def _type_retold(status: int) -> ErrorType:
    """The gateway's type of a failure that a tool has worded by its own contract, by its HTTP status."""
    if status == WIRE[ErrorCode.FORBIDDEN].http_status:
        return ErrorType.PERMISSION
    return ErrorType.UNKNOWN if status >= 500 else ErrorType.MCP_ERROR


def _details(error: DomainError) -> dict[str, Any] | None:
    found = dict(error.details or {}) | ({"issues": dict(error.issues)} if error.issues else {})
    return found or None
