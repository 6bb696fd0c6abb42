"""Which tracker keeps the issues of a repository."""

from forge.context import Context
from forge.work.backlog.repositories import Provider, RepositoryItem
from forge.work.tracking.github import GitHubTracker
from forge.work.tracking.native import NativeTracker
from forge.work.tracking.trackers import IssueTracker


def tracker_of(ctx: Context, repository: RepositoryItem) -> IssueTracker:
    if repository.provider is Provider.GITHUB:
        return GitHubTracker(ctx, repository)
    return NativeTracker(ctx, repository)
