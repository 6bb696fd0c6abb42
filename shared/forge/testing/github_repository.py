"""A repository of the fake GitHub: what it keeps, and how GitHub's REST interface shows it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from hashlib import sha1
from typing import Any

Json = dict[str, Any]

_DEFAULT_COLOR = "ededed"


class FakeRepository:
    """Tests add to it and look at it as GitHub's own people would; each method is one deed.

    `can_push` is what the token may do; `has_commits` is whether branches differ from their base.
    """

    def __init__(
        self, full_name: str, *, web: str, now: Callable[[], datetime], can_push: bool = True
    ) -> None:
        self.full_name = full_name
        self.can_push = can_push
        self.has_commits = True
        self.default_branch = "main"
        self.branches: dict[str, str] = {"main": _commit(f"{full_name}@main")}
        self.labels: dict[str, Json] = {}
        """By names in lower case, as GitHub compares them."""
        self.issues: dict[int, Json] = {}
        """Pull requests, too: there, each is an issue."""
        self.pulls: dict[int, Json] = {}
        self.comments: dict[int, list[Json]] = defaultdict(list)
        self.blockers: dict[int, set[int]] = defaultdict(set)
        self._web = f"{web}/{full_name}"
        self._now = now

    def add_issue(
        self,
        title: str,
        *,
        body: str = "",
        labels: Iterable[str] = (),
        assignees: Sequence[str] = (),
        author: str = "octocat",
    ) -> int:
        number, now = len(self.issues) + 1, self._time()
        self.issues[number] = {
            "id": 1_000_000 + number,
            "number": number,
            "title": title,
            "body": body or None,
            "html_url": f"{self._web}/issues/{number}",
            "state": "open",
            "state_reason": None,
            "assignees": [{"login": login} for login in assignees],
            "user": {"login": author},
            "created_at": now,
            "updated_at": now,
            "closed_at": None,
            "label_names": [],
        }
        self.put_labels(number, labels)
        return number

    def change_issue(self, number: int, **changes: Any) -> None:
        """By the names of GitHub's fields; `state` moves what belongs to it."""
        issue = self.issues[number]
        if "labels" in changes:
            issue["label_names"] = []
            self.put_labels(number, changes.pop("labels"))
        if "assignees" in changes:
            issue["assignees"] = [{"login": login} for login in changes.pop("assignees")]
        if changes.get("state", issue["state"]) != issue["state"]:
            changes["closed_at"] = self._time() if changes["state"] == "closed" else None
        issue |= changes | {"updated_at": self._time()}

    def put_labels(self, number: int, names: Iterable[str]) -> None:
        """What does not exist is made, as GitHub does for whoever may push."""
        kept = self.issues[number]["label_names"]
        for name in names:
            label = self.labels.get(name.lower()) or self.add_label(name)
            if label["name"] not in kept:
                kept.append(label["name"])

    def take_label(self, number: int, name: str) -> bool:
        kept: list[str] = self.issues[number]["label_names"]
        found = next((one for one in kept if one.lower() == name.lower()), None)
        if found is not None:
            kept.remove(found)
        return found is not None

    def add_label(self, name: str, *, color: str = _DEFAULT_COLOR, description: str = "") -> Json:
        label: Json = {"id": len(self.labels) + 1, "name": name, "color": color, "description": description}
        self.labels[name.lower()] = label
        return label

    def add_comment(self, number: int, body: str, *, author: str = "octocat") -> Json:
        comment: Json = {
            "id": 5_000_000 + sum(len(known) for known in self.comments.values()),
            "body": body,
            "html_url": f"{self._web}/issues/{number}#issuecomment",
            "user": {"login": author},
            "created_at": self._time(),
            "updated_at": self._time(),
        }
        self.comments[number].append(comment)
        return comment

    def add_branch(self, name: str, *, at: str | None = None) -> str:
        self.branches[name] = at or self.branches[self.default_branch]
        return self.branches[name]

    def add_pull(self, branch: str, *, title: str, body: str = "", base: str = "main") -> int:
        number = self.add_issue(title, body=body)
        self.pulls[number] = {
            "head": {"ref": branch, "label": f"{self._owner}:{branch}", "sha": self.branches.get(branch)},
            "base": {"ref": base},
            "draft": False,
            "merged_at": None,
        }
        return number

    def merge(self, number: int) -> None:
        self.pulls[number]["merged_at"] = self._time()
        self.change_issue(number, state="closed")

    def block(self, number: int, *, by: int) -> None:
        self.blockers[number].add(by)

    def labels_of(self, number: int) -> list[str]:
        return [*self.issues[number]["label_names"]]

    def shown(self) -> Json:
        permissions = {"admin": False, "push": self.can_push, "pull": True}
        return {
            "full_name": self.full_name,
            "html_url": self._web,
            "default_branch": self.default_branch,
            "permissions": permissions,
        }

    def shown_issue(self, number: int) -> Json:
        kept = self.issues[number]
        shown = {name: value for name, value in kept.items() if name != "label_names"}
        shown["labels"] = [self.labels[name.lower()] for name in kept["label_names"]]
        shown["comments"] = len(self.comments[number])
        shown["issue_dependencies_summary"] = self._dependencies(number)
        if number in self.pulls:
            shown["pull_request"] = {"html_url": f"{self._web}/pull/{number}"}
        return shown

    def shown_pull(self, number: int) -> Json:
        issue, pull = self.shown_issue(number), self.pulls[number]
        issue.pop("pull_request")
        issue.pop("issue_dependencies_summary")
        own = {"html_url": f"{self._web}/pull/{number}", "merged": pull["merged_at"] is not None}
        return issue | pull | own

    def open_pull_of(self, label: str) -> int | None:
        """Of `owner:branch`."""
        found = (
            number
            for number, pull in self.pulls.items()
            if pull["head"]["label"] == label and self.issues[number]["state"] == "open"
        )
        return next(found, None)

    @property
    def _owner(self) -> str:
        return self.full_name.partition("/")[0]

    def _dependencies(self, number: int) -> Json:
        blocked_by, blocking = self.blockers[number], [n for n, by in self.blockers.items() if number in by]
        return {
            "blocked_by": sum(self.issues[one]["state"] == "open" for one in blocked_by),
            "total_blocked_by": len(blocked_by),
            "blocking": sum(self.issues[one]["state"] == "open" for one in blocking),
            "total_blocking": len(blocking),
        }

    def _time(self) -> str:
        return self._now().strftime("%Y-%m-%dT%H:%M:%SZ")


def _commit(name: str) -> str:
    return sha1(name.encode(), usedforsecurity=False).hexdigest()
