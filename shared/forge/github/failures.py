"""What GitHub says instead of an answer.

GitHubFailure
├── NotThere       404, or 410: not there, or not for this token
├── Refused        401, 403, 422 and the like: asking again changes nothing
├── Exhausted      the rate limit of the token; `retry_after_seconds` says when it is over
└── OutOfReach     no answer, or one that says that GitHub itself has failed, also the last time
"""


class GitHubFailure(Exception):
    def __init__(self, message: str, *, status: int = 0, retry_after_seconds: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.retry_after_seconds = retry_after_seconds


class NotThere(GitHubFailure):
    pass


class GitHubRefused(GitHubFailure):
    pass


class Exhausted(GitHubFailure):
    pass


class OutOfReach(GitHubFailure):
    """Whether GitHub did what it was asked is not known."""
