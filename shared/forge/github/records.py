"""What GitHub knows, as far as it matters here; each is read from a JSON object of its REST interface."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, NamedTuple, TypeVar

from forge.github.failures import OutOfReach

Json = Mapping[str, Any]
RecordT = TypeVar("RecordT")


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubThing:
    """What issues and pull requests have in common."""

    number: int
    title: str
    body: str
    url: str
    """For people."""
    state: str
    """open or closed."""
    labels: tuple[str, ...]
    assignees: tuple[str, ...]
    """Their logins."""
    author: str
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None

    @property
    def is_open(self) -> bool:
        return self.state == "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubIssue(GitHubThing):
    is_pull_request: bool
    open_blockers: int
    """How many open issues block it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubPull(GitHubThing):
    is_draft: bool
    is_merged: bool
    branch: str
    """Where its changes are."""
    base: str


class GitHubComment(NamedTuple):
    id: int
    body: str
    author: str
    created_at: datetime


class RepositoryFacts(NamedTuple):
    full_name: str
    default_branch: str
    can_push: bool


class FoundOnGitHub(NamedTuple):
    """A page of what a search found."""

    items: Sequence[GitHubIssue]
    total: int


def _or_no_answer(read: Callable[[Any], RecordT]) -> Callable[[Any], RecordT]:
    """What is not what it should be is no answer: something that is no GitHub may be at a base URL."""

    @wraps(read)
    def understood(given: Any) -> RecordT:
        try:
            return read(given)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise OutOfReach("What answered is no GitHub, or one that this product does not know.") from None

    return understood


@_or_no_answer
def issue(given: Json) -> GitHubIssue:
    dependencies = given.get("issue_dependencies_summary") or {}
    return GitHubIssue(
        **_in_common(given),
        is_pull_request="pull_request" in given,
        open_blockers=int(dependencies.get("blocked_by") or 0),
    )


@_or_no_answer
def pull(given: Json) -> GitHubPull:
    return GitHubPull(
        **_in_common(given),
        is_draft=bool(given.get("draft")),
        is_merged=bool(given.get("merged") or given.get("merged_at")),
        branch=given["head"]["ref"],
        base=given["base"]["ref"],
    )


@_or_no_answer
def comment(given: Json) -> GitHubComment:
    return GitHubComment(
        id=given["id"],
        body=given.get("body") or "",
        author=_login(given.get("user")),
        created_at=moment(given["created_at"]),
    )


@_or_no_answer
def issues(given: Sequence[Json]) -> list[GitHubIssue]:
    return [issue(one) for one in given]


@_or_no_answer
def found(given: Json) -> FoundOnGitHub:
    return FoundOnGitHub(issues(given["items"]), given["total_count"])


@_or_no_answer
def first_pull(given: Sequence[Json]) -> GitHubPull | None:
    return pull(given[0]) if given else None


@_or_no_answer
def commit(given: Json) -> str:
    """That a reference leads to."""
    return str(given["object"]["sha"])


@_or_no_answer
def label_name(given: Json) -> str:
    return str(given["name"])


@_or_no_answer
def repository(given: Json) -> RepositoryFacts:
    return RepositoryFacts(
        full_name=given["full_name"],
        default_branch=given["default_branch"],
        can_push=bool((given.get("permissions") or {}).get("push")),
    )


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _in_common(given: Json) -> dict[str, Any]:
    closed_at = given.get("closed_at")
    return {
        "number": given["number"],
        "title": given["title"],
        "body": given.get("body") or "",
        "url": given["html_url"],
        "state": given["state"],
        "labels": tuple(_name(one) for one in given.get("labels") or ()),
        "assignees": tuple(_login(one) for one in given.get("assignees") or ()),
        "author": _login(given.get("user")),
        "created_at": moment(given["created_at"]),
        "updated_at": moment(given["updated_at"]),
        "closed_at": moment(closed_at) if closed_at else None,
    }


def _name(label: Json | str) -> str:
    return label if isinstance(label, str) else str(label.get("name") or "")


def _login(user: Json | None) -> str:
    """Of an account that was deleted, GitHub tells nothing."""
    return str(user["login"]) if user else "ghost"
