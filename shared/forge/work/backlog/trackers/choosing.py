"""Which tracker keeps the issues of a repository."""

from forge.context import Context
from forge.work.backlog.refusals import refusal
from forge.work.backlog.repositories import Provider, RepositoryItem
from forge.work.backlog.trackers.github import GitHubTracker
from forge.work.backlog.trackers.native import NativeTracker
from forge.work.backlog.trackers.trackers import IssueTracker


def tracker_of(ctx: Context, repository: RepositoryItem) -> IssueTracker:
    if repository.provider is Provider.NATIVE:
        return NativeTracker(ctx, repository)
    if repository.provider is Provider.GITHUB:
        return GitHubTracker(ctx, repository)
    # Only a newer build knows it.
    raise refusal(
        "REPO_NOT_FOUND",
        f"The issues of {repository.full_name} are kept where this server can't reach them yet. Try again "
        "later, or choose another repository.",
    )
