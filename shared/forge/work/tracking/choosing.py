"""Which tracker keeps the issues of a repository."""

from forge.context import Context
from forge.work.backlog.refusals import BacklogRefusal, refusal
from forge.work.backlog.repositories import Provider, RepositoryItem
from forge.work.tracking.native import NativeTracker
from forge.work.tracking.trackers import IssueTracker


def tracker_of(ctx: Context, repository: RepositoryItem) -> IssueTracker:
    if repository.provider is Provider.NATIVE:
        return NativeTracker(ctx, repository)
    raise _no_connection(repository)


def _no_connection(repository: RepositoryItem) -> BacklogRefusal:
    return refusal(
        "GITHUB_API_ERROR",
        f"GitHub API error: there is no connection to {repository.full_name} that works. Ask an admin to set "
        "it up, or use a native repository.",
        reason="api_error",
    )
