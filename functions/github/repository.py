"""Asking GitHub, and reading what is known of it here."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from forge.context import Context
from forge.errors import DomainError, InvalidInput, NotFound, PreconditionFailed, RateLimited, Unavailable
from forge.github.client import GitHubRepository
from forge.github.failures import Exhausted, GitHubFailure, GitHubRefused, NotThere
from forge.github.records import FoundOnGitHub
from forge.work.backlog.github import links, resources, syncing
from forge.work.backlog.github.connections import connect
from forge.work.backlog.github.links import HEAD_AND_LINKS, LinkItem
from forge.work.backlog.github.resources import ResourceItem, ResourceType, Snapshot
from forge.work.backlog.github.syncing import Linked
from forge.work.backlog.repositories import RepositoryItem
from forge.work.issues.desks import Desk, no_such_issue, open_with_parts, resolve
from forge.work.workspace.workers import worker_of
from functions.github import rules
from functions.github.models import SearchGitHub

_MOST_LINKS = 99
_NAMES = {ResourceType.ISSUE: "issue", ResourceType.PULL_REQUEST: "pull request"}


def look(
    ctx: Context, repository: RepositoryItem, kind: ResourceType, number: int, *, field: str
) -> Snapshot:
    """How it is there now; asked once for a call, also where that is decided again."""
    place = f"{repository.id} {kind} {number}"
    if place not in ctx.memory:
        with told_as(f"{_NAMES[kind]} {number} of {repository.full_name}"):
            github = connect(worker_of(ctx.services, ctx.tool), repository)
            ctx.memory[place] = _ask(github, kind, number, field=field)
    found: Snapshot = ctx.memory[place]
    return found


def looking(ctx: Context, repository: RepositoryItem, number: int) -> Callable[[], Snapshot]:
    return lambda: look(ctx, repository, ResourceType.ISSUE, number, field="number")


def search(ctx: Context, repository: RepositoryItem, request: SearchGitHub) -> FoundOnGitHub:
    with told_as(f"repository {repository.full_name}"):
        github = connect(worker_of(ctx.services, ctx.tool), repository)
        return github.search(rules.words_of(request.query), kind=request.type, most=request.limit)


def open_linked(ctx: Context, given: str) -> tuple[Desk, list[LinkItem]]:
    """An issue and its links."""
    desk, rows = open_with_parts(
        ctx,
        resolve(ctx, given),
        parts=HEAD_AND_LINKS,
        most=_MOST_LINKS + 1,
        missing=no_such_issue(given),
    )
    return desk, links.links_in(rows)


def resources_of(desk: Desk, own: list[LinkItem]) -> list[tuple[LinkItem, ResourceItem]]:
    """The links with the GitHub resources that they lead to; one request."""
    places = [ResourceItem.at(one.workspace_id, one.resource_id) for one in own]
    desk.fetch(places)
    found = [(link, desk.find(ResourceItem, place)) for link, place in zip(own, places, strict=True)]
    return [(link, resource) for link, resource in found if resource]


def get_resource(ctx: Context, resource_id: str) -> tuple[ResourceItem, list[Linked]]:
    """With the issues that are linked to it, all of which the caller may see."""
    known = links.find_known(ctx.table, ctx.caller.workspace_id, resource_id)
    if known.resource is None:
        raise NotFound(
            f"There is no external resource {resource_id[:60]!r}.",
            hint="github.listLinked shows those of an issue.",
        )
    return known.resource, syncing.open_linked(ctx, known.linked)


def _ask(github: GitHubRepository, kind: ResourceType, number: int, *, field: str) -> Snapshot:
    if kind is ResourceType.PULL_REQUEST:
        return resources.snapshot_of_pull(github.pull(number))
    issue = github.issue(number)
    if issue.is_pull_request:
        wrong = f"{number} is a pull request; link it with github.link and its own URL, …/pull/{number}."
        raise InvalidInput("This is no issue on GitHub.", issues={field: wrong})
    return resources.snapshot_of_issue(issue)


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
