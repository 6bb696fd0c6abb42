"""How the backlog says no: in the form of its contract, whichever tool is asked."""

from collections.abc import Callable, Mapping

from forge.errors import Conflict, DomainError, ErrorCode, Unavailable
from forge.github.failures import GitHubFailure

_NO_WRITE_ACCESS = "NO_WRITE_ACCESS"


class BacklogRefusal(Conflict):
    """What the contract has an answer of its own for."""

    def __init__(self, answer: Mapping[str, object]) -> None:
        super().__init__(str(answer["error"]))
        self.answer = answer


class NoWriteAccess(BacklogRefusal):
    """Not what is there is in the way, but who asks: the same call never goes well."""

    code = ErrorCode.FORBIDDEN


def refusal(
    code: str, error: str, *, reason: str | None = None, details: Mapping[str, object] | None = None
) -> BacklogRefusal:
    answer: dict[str, object] = {"success": False, "error": error, "code": code}
    answer |= {"reason": reason} if reason else {}
    answer |= {"details": dict(details)} if details else {}
    return NoWriteAccess(answer) if code == _NO_WRITE_ACCESS else BacklogRefusal(answer)


def of_github(failure: GitHubFailure) -> BacklogRefusal:
    """Nothing has changed here; what GitHub says, and when to try again, if it says so."""
    return because_of_github("GITHUB_API_ERROR", f"GitHub API error: {failure.message}", failure)


def because_of_github(code: str, error: str, failure: GitHubFailure) -> BacklogRefusal:
    wait = failure.retry_after_seconds
    details = {"status": failure.status} | ({"retryAfterSeconds": wait} if wait else {})
    return refusal(code, error, reason="api_error", details=details)


def retell_lock(code: str) -> Callable[[DomainError, Mapping[str, object]], Mapping[str, object] | None]:
    """The same of a tool that takes a lock: that it was not stored, as far as anybody knows."""

    def told(error: DomainError, arguments: Mapping[str, object]) -> Mapping[str, object] | None:
        if not isinstance(error, Unavailable):
            return retell(error, arguments)
        wait = error.retry_after_seconds
        details = {"retryable": True} | ({"retryAfterSeconds": wait} if wait else {})
        text = f"Could not store the lock: {error.message} Look with get_workflow_status, or try again."
        return refusal(code, text, reason="lock_failed", details=details).answer

    return told


def retell(error: DomainError, arguments: Mapping[str, object]) -> Mapping[str, object] | None:
    """A refusal as the contract words it; whatever else fails is told as by every other tool."""
    return error.answer if isinstance(error, BacklogRefusal) else None
