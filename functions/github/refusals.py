"""What GitHub says instead of an answer, as callers are told it."""

from collections.abc import Iterator
from contextlib import contextmanager

from forge.errors import DomainError, NotFound, PreconditionFailed, RateLimited, Unavailable
from forge.github.failures import Exhausted, GitHubFailure, GitHubRefused, NotThere

_SOON = 30


@contextmanager
def told_as(what: str) -> Iterator[None]:
    """`what` is asked for, in words: issue 12 of demo/app."""
    try:
        yield
    except GitHubFailure as failure:
        raise refusal(failure, what) from failure


def refusal(failure: GitHubFailure, what: str) -> DomainError:
    match failure:
        case NotThere():
            return NotFound(
                f"GitHub has no {what}, or not for this connection.",
                hint="Check the number; an admin can give the connection access to the repository.",
            )
        case GitHubRefused():
            return PreconditionFailed(
                f"This connection gets no {what} from GitHub: {failure.message}",
                hint="Ask an admin to mend the connection: repositories.update.",
            )
        case Exhausted():
            seconds = failure.retry_after_seconds or _SOON
            return RateLimited(
                "The connection has used up what GitHub allows it to ask.",
                hint=f"Try again in {seconds} seconds.",
                retry_after_seconds=seconds,
            )
        case _:
            return Unavailable(
                "GitHub can't be reached now.",
                hint="Try again in a moment; nothing was changed.",
                retry_after_seconds=_SOON,
            )
