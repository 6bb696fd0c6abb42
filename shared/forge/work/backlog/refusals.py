"""How the backlog says no: in the form of its contract, whichever tool is asked."""

from collections.abc import Mapping

from forge.errors import Conflict, DomainError, ErrorCode
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
    wait = failure.retry_after_seconds
    return refusal(
        "GITHUB_API_ERROR",
        f"GitHub API error: {failure.message}",
        reason="api_error",
        details={"status": failure.status} | ({"retryAfterSeconds": wait} if wait else {}),
    )


def retell(error: DomainError, arguments: Mapping[str, object]) -> Mapping[str, object] | None:
    """A refusal as the contract words it; whatever else fails is told as by every other tool."""
    return error.answer if isinstance(error, BacklogRefusal) else None
