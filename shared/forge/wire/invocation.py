"""The call from the router to a namespace's function: who calls what with which arguments, and the answer.

IAM lets only the router invoke these functions directly. What comes through the HTTP API is an event with a
`requestContext`, which this payload never has, so that no request can pass for one.
"""

from collections.abc import Mapping
from datetime import datetime
from math import inf
from typing import Any

from forge.context import Call, Caller, Door, KeyKind, Narrowing, Role
from forge.deadline import CALL_SECONDS
from forge.errors import DomainError, ErrorCode, Internal, Retold
from forge.store.strangers import understood

MARK = "forge"
VERSION = "call/1"

_LATE = frozenset({"run_id", "run_issue_id"})
"""What a build before this one can't read, and that most callers have none of."""

Payload = dict[str, Any]
_NEWER = frozenset({"takes_tasks", "task", "can_ask"})


def is_invocation(event: Mapping[str, Any]) -> bool:
    return event.get(MARK) == VERSION and "requestContext" not in event


def write_invocation(
    tool: str, arguments: Mapping[str, object], caller: Caller, call: Call, seconds: float = inf
) -> Payload:
    """`seconds` is what is left for it, where that is less than such a call has anyway."""
    limited = {"seconds": seconds} if seconds < CALL_SECONDS else {}
    return {
        **limited,
        MARK: VERSION,
        "tool": tool,
        "arguments": dict(arguments),
        "caller": {
            **{
                name: value
                for name, value in caller.as_dict().items()
                if value is not None or name not in _LATE
            },
            "scopes": sorted(caller.scopes),
            "narrowing": {name: sorted(ids) for name, ids in caller.narrowing._asdict().items() if ids},
            "expires_at": caller.expires_at.isoformat() if caller.expires_at else None,
        },
        "call": _written(call),
    }


def _written(call: Call) -> dict[str, Any]:
    """Without what says nothing: a build that does not know it yet reads the rest."""
    return {name: value for name, value in call.as_dict().items() if value or name not in _NEWER}


def read_invocation(event: Mapping[str, Any]) -> tuple[str, dict[str, object], Caller, Call]:
    caller, call = event["caller"], event["call"]
    return (
        event["tool"],
        event["arguments"],
        Caller(
            **caller
            | {
                "kind": understood(KeyKind, caller["kind"]),
                "scopes": frozenset(caller["scopes"]),
                "role": understood(Role, caller["role"]) if caller["role"] else None,
                "narrowing": Narrowing(**{name: frozenset(ids) for name, ids in caller["narrowing"].items()}),
                "expires_at": datetime.fromisoformat(caller["expires_at"]) if caller["expires_at"] else None,
            }
        ),
        Call(**call | {"door": Door(call["door"])}),
    )


def write_failure(error: DomainError) -> Payload:
    return {
        "failure": {
            "code": error.code.value,
            "message": error.message,
            "hint": error.hint,
            "issues": dict(error.issues) if error.issues else None,
            "details": dict(error.details) if error.details else None,
            "retryable": error.retryable,
            "retry_after_seconds": error.retry_after_seconds,
            **({"body": dict(error.body)} if isinstance(error, Retold) else {}),
        }
    }


def read_answer(answer: Mapping[str, Any]) -> str:
    """The output as JSON text; a failure is raised as what it was over there."""
    if "text" in answer:
        return str(answer["text"])
    failure = dict(answer["failure"])
    raise _error_of(ErrorCode(failure.pop("code")), failure)


def _error_of(code: ErrorCode, failure: Mapping[str, Any]) -> DomainError:
    kind = next((kind for kind in _all_kinds(DomainError) if vars(kind).get("code") is code), Internal)
    more = {name: value for name, value in failure.items() if name not in ("message", "body")}
    found = kind(failure["message"], **more)
    return Retold(failure["body"], found) if "body" in failure else found


def _all_kinds(kind: type[DomainError]) -> list[type[DomainError]]:
    return [found for child in kind.__subclasses__() for found in (child, *_all_kinds(child))]
