"""One repository on GitHub: what is asked of it, and what is changed there.

Each method is one question or one change. Whoever changes something asks first whether it was done already:
an answer may be lost after the deed.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from urllib.parse import quote

from forge.github import records
from forge.github.calls import Calls, Params
from forge.github.failures import GitHubRefused, NotThere
from forge.github.records import FoundOnGitHub, GitHubComment, GitHubIssue, GitHubPull, RepositoryFacts

_PAGE = 100
_EXISTS = "already_exists"
_UNPROCESSABLE = 422


class GitHubRepository:
    def __init__(self, calls: Calls, full_name: str) -> None:
        self._calls = calls
        self.full_name = full_name
        self._path = f"/repos/{full_name}"

    def facts(self) -> RepositoryFacts:
        return records.repository(self._calls.get(self._path))

    def issue(self, number: int) -> GitHubIssue:
        """Also of a pull request, which is an issue there; NotThere if there is none."""
        return records.issue(self._calls.get(f"{self._path}/issues/{number}"))

    def pull(self, number: int) -> GitHubPull:
        return records.pull(self._calls.get(f"{self._path}/pulls/{number}"))

    def open_issues(self) -> Iterator[GitHubIssue]:
        """All of them, the oldest first, without pull requests."""
        params: Params = {"state": "open", "sort": "created", "direction": "asc", "per_page": _PAGE}
        for page in self._calls.pages(f"{self._path}/issues", params):
            yield from (one for given in page if not (one := records.issue(given)).is_pull_request)

    def recent_issues(self, since: datetime) -> list[GitHubIssue]:
        """Changed since, the newest first; one page."""
        params: Params = {
            "state": "all",
            "sort": "created",
            "direction": "desc",
            "per_page": _PAGE,
            "since": _time(since),
        }
        return records.issues(self._calls.get(f"{self._path}/issues", params))

    def blockers(self, number: int) -> list[int]:
        """The numbers of open issues that block this one."""
        path = f"{self._path}/issues/{number}/dependencies/blocked_by"
        found = records.issues(self._calls.get(path, {"per_page": _PAGE}))
        return sorted(one.number for one in found if one.is_open)

    def search(self, words: str, *, kind: str | None, most: int) -> FoundOnGitHub:
        """Issues (`issue`), pull requests (`pr`) or both that have these words."""
        wanted = [words, f"repo:{self.full_name}", *([f"is:{kind}"] if kind else [])]
        return records.found(self._calls.get("/search/issues", {"q": " ".join(wanted), "per_page": most}))

    def comments(self, number: int, *, since: datetime) -> list[GitHubComment]:
        params: Params = {"since": _time(since), "per_page": _PAGE}
        pages = self._calls.pages(f"{self._path}/issues/{number}/comments", params)
        return [records.comment(one) for page in pages for one in page]

    def branch_commit(self, branch: str) -> str | None:
        """The commit that a branch ends with; None if there is no such branch."""
        try:
            return records.commit(self._calls.get(f"{self._path}/git/ref/heads/{quote(branch)}"))
        except NotThere:
            return None

    def open_pull_of(self, branch: str) -> GitHubPull | None:
        owner = self.full_name.partition("/")[0]
        wanted: Params = {"state": "open", "head": f"{owner}:{branch}"}
        return records.first_pull(self._calls.get(f"{self._path}/pulls", wanted))

    def create_issue(self, *, title: str, body: str, labels: Sequence[str]) -> GitHubIssue:
        wanted = {"title": title, "body": body, "labels": [*labels]}
        return records.issue(self._calls.post(f"{self._path}/issues", wanted))

    def create_branch(self, branch: str, *, at: str) -> None:
        self._calls.post(f"{self._path}/git/refs", {"ref": f"refs/heads/{branch}", "sha": at})

    def create_pull(self, *, title: str, body: str, branch: str, base: str) -> GitHubPull:
        wanted = {"title": title, "body": body, "head": branch, "base": base}
        return records.pull(self._calls.post(f"{self._path}/pulls", wanted))

    def create_comment(self, number: int, body: str) -> GitHubComment:
        return records.comment(self._calls.post(f"{self._path}/issues/{number}/comments", {"body": body}))

    def create_label(self, name: str, *, color: str, description: str) -> None:
        """Nothing changes where somebody made it before."""
        wanted = {"name": name, "color": color, "description": description}
        try:
            self._calls.post(f"{self._path}/labels", wanted, repeats=True)
        except GitHubRefused as refusal:
            if refusal.status != _UNPROCESSABLE or _EXISTS not in refusal.message:
                raise

    def label_names(self) -> set[str]:
        pages = self._calls.pages(f"{self._path}/labels", {"per_page": _PAGE})
        return {records.label_name(one) for page in pages for one in page}

    def add_labels(self, number: int, names: Sequence[str]) -> None:
        self._calls.post(f"{self._path}/issues/{number}/labels", {"labels": [*names]}, repeats=True)

    def remove_label(self, number: int, name: str) -> None:
        """Nothing changes where the issue does not have it."""
        try:
            self._calls.delete(f"{self._path}/issues/{number}/labels/{quote(name, safe='')}")
        except NotThere:
            return

    def close_issue(self, number: int) -> None:
        self._calls.patch(f"{self._path}/issues/{number}", {"state": "closed", "state_reason": "completed"})


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
