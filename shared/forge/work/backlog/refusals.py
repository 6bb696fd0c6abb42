"""How the backlog says no: in the form of its contract, whichever tool is asked."""

from collections.abc import Mapping

from forge.errors import Conflict, DomainError


class BacklogRefusal(Conflict):
    """What the contract has an answer of its own for."""

    def __init__(self, answer: Mapping[str, object]) -> None:
        super().__init__(str(answer["error"]))
        self.answer = answer


def refusal(
    code: str, error: str, *, reason: str | None = None, details: Mapping[str, object] | None = None
) -> BacklogRefusal:
    answer: dict[str, object] = {"success": False, "error": error, "code": code}
    answer |= {"reason": reason} if reason else {}
    answer |= {"details": dict(details)} if details else {}
    return BacklogRefusal(answer)


def retell(error: DomainError, arguments: Mapping[str, object]) -> Mapping[str, object] | None:
    """A refusal as the contract words it; whatever else fails is told as by every other tool."""
    return error.answer if isinstance(error, BacklogRefusal) else None
