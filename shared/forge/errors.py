"""Domain errors, and the one table that says how each looks on the wire.

DomainError
├── InvalidInput         the arguments alone are wrong
├── Unauthorized         no usable key came with the call
├── Forbidden            the key is good, but may not do this
│   ├── ScopeRequired    … because it lacks a scope
│   └── ModeForbidden    … because of the engagement mode of a live run
├── NotFound             no such thing, or not in this workspace
├── Conflict             the state moved or forbids it
├── PayloadTooLarge
├── PreconditionFailed   workspace settings or a quota forbid it
├── RateLimited          too many calls in this window
├── Internal             our fault; says only the request id
├── Unavailable          a dependency is out of reach for now
└── Retold               any of them, as the contract of its tool tells it
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, Self

ASKS = "asks"
"""The detail that says which argument would settle a refusal: see `forge.contract.questions`."""


class ErrorCode(StrEnum):
    INVALID_INPUT = "invalid_input"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    SCOPE_REQUIRED = "scope_required"
    MODE_FORBIDDEN = "mode_forbidden"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    PAYLOAD_TOO_LARGE = "payload_too_large"
    PRECONDITION_FAILED = "precondition_failed"
    RATE_LIMITED = "rate_limited"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


class Wire(NamedTuple):
    """How an error travels: `rpc_code` only when it ends the request, not a tool call."""

    http_status: int
    rpc_code: int
    retryable: bool = False


WIRE: Mapping[ErrorCode, Wire] = {
    ErrorCode.INVALID_INPUT: Wire(400, -32602),
    ErrorCode.UNAUTHORIZED: Wire(401, -32001),
    ErrorCode.FORBIDDEN: Wire(403, -32002),
    ErrorCode.SCOPE_REQUIRED: Wire(403, -32002),
    ErrorCode.MODE_FORBIDDEN: Wire(403, -32002),
    ErrorCode.NOT_FOUND: Wire(404, -32602),
    ErrorCode.CONFLICT: Wire(409, -32004),
    ErrorCode.PAYLOAD_TOO_LARGE: Wire(413, -32600),
    ErrorCode.PRECONDITION_FAILED: Wire(422, -32006),
    ErrorCode.RATE_LIMITED: Wire(429, -32003, retryable=True),
    ErrorCode.INTERNAL: Wire(500, -32603),
    ErrorCode.UNAVAILABLE: Wire(503, -32005, retryable=True),
}


_OURS = 500


class DomainError(Exception):
    """A failure the caller is told about, in words that say what to do next."""

    code: ClassVar[ErrorCode]

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        issues: Mapping[str, str] | None = None,
        details: Mapping[str, object] | None = None,
        retryable: bool | None = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.issues = issues
        self.details = details
        self.retryable = WIRE[self.code].retryable if retryable is None else retryable
        self.retry_after_seconds = retry_after_seconds

    @property
    def wire(self) -> Wire:
        return WIRE[self.code]

    def about(self, subject: str) -> Self:
        """The same of one among many, which it names."""
        self.message = f"{subject[:80]}: {self.message}"
        self.details = {**(self.details or {}), "id": subject}
        return self

    def as_object(self, request_id: str) -> dict[str, object]:
        """The error object every door answers with."""
        body: dict[str, object] = {"error": self.code.value, "message": self.message}
        if self.issues:
            body["issues"] = dict(self.issues)
        if self.hint:
            body["hint"] = self.hint
        body["retryable"] = self.retryable
        body["requestId"] = request_id
        # What somebody can be asked is for the wire; the issues say it to everybody.
        if details := {name: one for name, one in (self.details or {}).items() if name != ASKS}:
            body["details"] = details
        return body


class Unknown(NamedTuple):
    """What an argument refers to that is not there."""

    kind: str
    field: str
    given: str


class InvalidInput(DomainError):
    """Of an `unknown` reference the caller is told, besides, what there is: see `forge.work.references`."""

    code = ErrorCode.INVALID_INPUT

    def __init__(self, message: str, *, unknown: Unknown | None = None, **more: Any) -> None:
        super().__init__(message, **more)
        self.unknown = unknown


class Unauthorized(DomainError):
    code = ErrorCode.UNAUTHORIZED

    def __init__(self, message: str, *, key_was_sent: bool = True, **more: Any) -> None:
        super().__init__(message, **more)
        self.key_was_sent = key_was_sent


class Forbidden(DomainError):
    code = ErrorCode.FORBIDDEN


class ScopeRequired(Forbidden):
    code = ErrorCode.SCOPE_REQUIRED


class ModeForbidden(Forbidden):
    code = ErrorCode.MODE_FORBIDDEN


class NotFound(DomainError):
    code = ErrorCode.NOT_FOUND


class Conflict(DomainError):
    code = ErrorCode.CONFLICT


class PayloadTooLarge(DomainError):
    code = ErrorCode.PAYLOAD_TOO_LARGE


class PreconditionFailed(DomainError):
    code = ErrorCode.PRECONDITION_FAILED


class RateLimited(DomainError):
    code = ErrorCode.RATE_LIMITED


class Internal(DomainError):
    code = ErrorCode.INTERNAL


class Unavailable(DomainError):
    code = ErrorCode.UNAVAILABLE


class Retold(DomainError):
    """A failure in the words of a contract that answers with it as with any other value.

    It keeps the code of what really happened, for whoever counts; its status says nothing, unless it is ours.
    """

    def __init__(self, body: Mapping[str, object], reason: DomainError) -> None:
        # Not of the class: each tells of another failure.
        self.code = reason.code  # type: ignore[misc]
        super().__init__(
            reason.message, retryable=reason.retryable, retry_after_seconds=reason.retry_after_seconds
        )
        self.body = body

    @property
    def wire(self) -> Wire:
        wire = WIRE[self.code]
        return wire if wire.http_status >= _OURS else wire._replace(http_status=200)

    def as_object(self, request_id: str) -> dict[str, object]:
        return dict(self.body)
