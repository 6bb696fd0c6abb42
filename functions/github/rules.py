"""Addresses on GitHub, what of a search is shown, and what a link keeps."""

import re
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from forge.errors import InvalidInput
from forge.github.records import GitHubIssue
from forge.store.folding import folded
from forge.work.backlog.github import resources, syncing
from forge.work.backlog.github.links import LinkKind
from forge.work.backlog.github.resources import ResourceItem, ResourceType, Snapshot
from forge.work.backlog.repositories import RepositoryItem

HOSTS = frozenset({"github.com", "www.github.com"})
_PATH = re.compile(
    r"/(?P<owner>[A-Za-z0-9][A-Za-z0-9-]{0,99})/(?P<repo>[A-Za-z0-9._-]{1,100})"
    r"/(?P<kind>issues|pull)/(?P<number>0*[1-9][0-9]{0,9})(?:/.*)?",
    re.DOTALL,
)
_TYPES = {"issues": ResourceType.ISSUE, "pull": ResourceType.PULL_REQUEST}
_LARGEST = 2**31 - 1
_ELSEWHERE = re.compile(r"""[-+]?\b(?:repo|org|user|owner):(?:"[^"]*"?|[^\s()]*)""", re.IGNORECASE)
"""What says where to search: a mapping says that already."""


class Address(NamedTuple):
    host: str
    owner: str
    repo: str
    type: ResourceType
    number: int

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.repo}"

    @property
    def url(self) -> str:
        host = "github.com" if self.host in HOSTS else self.host
        kind = "issues" if self.type is ResourceType.ISSUE else "pull"
        return f"https://{host}/{self.full_name}/{kind}/{self.number}"


def address(url: str) -> Address:
    """Of an issue or a pull request, on whatever host; what follows the number says nothing."""
    try:
        parts = urlsplit(url.strip())
        host, scheme = parts.hostname or "", parts.scheme
    except ValueError:
        raise no_address() from None
    found = _PATH.fullmatch(parts.path)
    if found is None or scheme not in ("http", "https") or int(found["number"]) > _LARGEST:
        raise no_address()
    return Address(host, found["owner"], found["repo"], _TYPES[found["kind"]], int(found["number"]))


def require_host(where: Address, hosts: frozenset[str]) -> None:
    if where.host not in hosts:
        raise no_address()


def hosts_of(repository: RepositoryItem) -> frozenset[str]:
    """Where its pages are: on GitHub, unless it is on a GitHub of one's own."""
    base_url = repository.connection.base_url if repository.connection else None
    own = urlsplit(base_url).hostname if base_url else None
    return HOSTS | {own} if own else HOSTS


def no_address() -> InvalidInput:
    wrong = "Such as https://github.com/owner/repo/issues/12 or https://github.com/owner/repo/pull/12."
    return InvalidInput("This is no address of an issue or a pull request on GitHub.", issues={"url": wrong})


def words_of(query: str) -> str:
    """What is searched for, without what would lead to other repositories."""
    words = " ".join(_ELSEWHERE.sub(" ", query).split())
    if not words:
        raise InvalidInput(
            "There is nothing to search for.",
            issues={"query": "Give words; where to search is mappingId's."},
        )
    return words


def is_of(repository: RepositoryItem, found: GitHubIssue) -> bool:
    """A query can ask for other repositories, too, which this mapping is not for."""
    return folded(urlsplit(found.url).path).startswith(f"/{folded(repository.full_name)}/")


def linked(
    before: ResourceItem | None,
    repository: RepositoryItem,
    snapshot: Snapshot,
    *,
    kind: LinkKind,
    issue_id: str,
    now: datetime,
) -> ResourceItem:
    """What was seen, to be kept with a link.

    If something happened meanwhile that a rule may be about, it stays as it was: github.sync finds that out.
    """
    if before is None:
        seen = resources.first_seen(repository, snapshot, now)
    elif syncing.happened(before, snapshot):
        seen = before
    else:
        seen = before.seen_again(repository, snapshot, now)
    if kind is LinkKind.SOURCE and seen.source_issue_id is None:
        return seen.changed(source_issue_id=issue_id)
    return seen
