"""How the backlog says no: in the form of its contract, whichever tool is asked."""

from collections.abc import Mapping

from forge.errors import Refused


def refusal(
    code: str, error: str, *, reason: str | None = None, details: Mapping[str, object] | None = None
) -> Refused:
    answer: dict[str, object] = {"success": False, "error": error, "code": code}
    answer |= {"reason": reason} if reason else {}
    answer |= {"details": dict(details)} if details else {}
    return Refused(error, details=answer)
