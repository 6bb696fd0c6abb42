"""What the fake GitHub answers: its paths, its pages and its refusals."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote, urlencode

from forge.testing.github_repository import FakeRepository, Json

_DEFAULT_PAGE, _LARGEST_PAGE = 30, 100


class Asked(NamedTuple):
    """One request that came."""

    method: str
    path: str
    """Without the base's own, without the query."""
    query: Mapping[str, str]
    body: Any = None
    token: str | None = None


class Said(NamedTuple):
    status: int
    body: Any = None
    headers: Mapping[str, str] = {}


NOT_FOUND = Said(404, {"message": "Not Found", "status": "404"})


def refused(message: str, *errors: Json) -> Said:
    return Said(422, {"message": message, **({"errors": [*errors]} if errors else {}), "status": "422"})


def answer(repository: FakeRepository, asked: Asked, rest: str, *, url: str) -> Said:
    """What a repository says to what follows its name; `url` is the whole of what was asked, for pages."""
    if asked.method != "GET" and not repository.can_push:
        return Said(403, {"message": "Resource not accessible by personal access token"})
    for method, pattern, act in _ROUTES:
        found = re.fullmatch(pattern, rest)
        if found and method == asked.method:
            said = act(repository, asked, *(unquote(part) for part in found.groups()))
            is_list = asked.method == "GET" and isinstance(said.body, list)
            return paged(said.body, asked.query, url) if is_list else said
    return NOT_FOUND


def paged(rows: list[Any], query: Mapping[str, str], url: str) -> Said:
    size = min(_LARGEST_PAGE, int(query.get("per_page", _DEFAULT_PAGE)))
    page = max(1, int(query.get("page", 1)))
    last = max(1, -(-len(rows) // size))

    def link(number: int, rel: str) -> str:
        return f'<{url}?{urlencode({**query, "page": number})}>; rel="{rel}"'

    before = [link(page - 1, "prev"), link(1, "first")] if page > 1 else []
    after = [link(page + 1, "next"), link(last, "last")] if page < last else []
    links = {"Link": ", ".join(before + after)} if before or after else {}
    return Said(200, rows[(page - 1) * size : page * size], links)


def search(repositories: Mapping[str, FakeRepository], asked: Asked) -> Said:
    """All the words must be in the title or the text."""
    terms = asked.query.get("q", "").split()
    wanted = [term[5:].lower() for term in terms if term.startswith("repo:")]
    kinds = {term[3:] for term in terms if term.startswith("is:")}
    words = [term.lower() for term in terms if not term.startswith(("repo:", "is:"))]
    found = [
        one.shown_issue(number)
        for name, one in repositories.items()
        if not wanted or name in wanted
        for number, issue in one.issues.items()
        if all(word in f"{issue['title']} {issue['body']}".lower() for word in words)
        and _is_of(kinds, issue, is_pull=number in one.pulls)
    ]
    page = paged(found, asked.query, "/search/issues")
    return Said(200, {"total_count": len(found), "incomplete_results": False, "items": page.body})


def _is_of(kinds: set[str], issue: Json, *, is_pull: bool) -> bool:
    own = {"pr" if is_pull else "issue", issue["state"]}
    return kinds <= own | ({"pull-request"} if is_pull else set())


def _repository(repository: FakeRepository, asked: Asked) -> Said:
    return Said(200, repository.shown())


def _issues(repository: FakeRepository, asked: Asked) -> Said:
    state, since = asked.query.get("state", "open"), asked.query.get("since", "")
    labels = {name.lower() for name in asked.query.get("labels", "").split(",") if name}
    field = f"{asked.query.get('sort', 'created')}_at"
    found = [
        number
        for number, issue in repository.issues.items()
        if state in ("all", issue["state"]) and issue["updated_at"] >= since
        if labels <= {name.lower() for name in issue["label_names"]}
    ]
    is_descending = asked.query.get("direction", "desc") == "desc"
    found.sort(key=lambda number: (repository.issues[number][field], number), reverse=is_descending)
    return Said(200, [repository.shown_issue(number) for number in found])


def _issue(repository: FakeRepository, asked: Asked, number: str) -> Said:
    if int(number) not in repository.issues:
        return NOT_FOUND
    return Said(200, repository.shown_issue(int(number)))


def _create_issue(repository: FakeRepository, asked: Asked) -> Said:
    if not asked.body.get("title"):
        return refused("Validation Failed", {"resource": "Issue", "field": "title", "code": "missing_field"})
    known = {name: asked.body[name] for name in ("body", "labels", "assignees") if asked.body.get(name)}
    number = repository.add_issue(asked.body["title"], **known)
    return Said(201, repository.shown_issue(number))


def _change_issue(repository: FakeRepository, asked: Asked, number: str) -> Said:
    if int(number) not in repository.issues:
        return NOT_FOUND
    repository.change_issue(int(number), **asked.body)
    return Said(200, repository.shown_issue(int(number)))


def _labels(repository: FakeRepository, asked: Asked) -> Said:
    return Said(200, [*repository.labels.values()])


def _label(repository: FakeRepository, asked: Asked, name: str) -> Said:
    found = repository.labels.get(name.lower())
    return Said(200, found) if found else NOT_FOUND


def _create_label(repository: FakeRepository, asked: Asked) -> Said:
    if asked.body["name"].lower() in repository.labels:
        error = {"resource": "Label", "code": "already_exists", "field": "name"}
        return refused("Validation Failed", error)
    known = {name: asked.body[name] for name in ("color", "description") if asked.body.get(name)}
    return Said(201, repository.add_label(asked.body["name"], **known))


def _add_labels(repository: FakeRepository, asked: Asked, number: str) -> Said:
    if int(number) not in repository.issues:
        return NOT_FOUND
    repository.put_labels(int(number), asked.body["labels"])
    return Said(200, repository.shown_issue(int(number))["labels"])


def _remove_label(repository: FakeRepository, asked: Asked, number: str, name: str) -> Said:
    if int(number) not in repository.issues:
        return NOT_FOUND
    if not repository.take_label(int(number), name):
        return Said(404, {"message": "Label does not exist", "status": "404"})
    return Said(200, repository.shown_issue(int(number))["labels"])


def _comments(repository: FakeRepository, asked: Asked, number: str) -> Said:
    if int(number) not in repository.issues:
        return NOT_FOUND
    since = asked.query.get("since", "")
    return Said(200, [one for one in repository.comments[int(number)] if one["updated_at"] >= since])


def _create_comment(repository: FakeRepository, asked: Asked, number: str) -> Said:
    if int(number) not in repository.issues:
        return NOT_FOUND
    return Said(201, repository.add_comment(int(number), asked.body["body"]))


def _blocked_by(repository: FakeRepository, asked: Asked, number: str) -> Said:
    if int(number) not in repository.issues:
        return NOT_FOUND
    return Said(200, [repository.shown_issue(one) for one in sorted(repository.blockers[int(number)])])


def _ref(repository: FakeRepository, asked: Asked, branch: str) -> Said:
    if branch not in repository.branches:
        return NOT_FOUND
    return Said(200, _shown_ref(branch, repository.branches[branch]))


def _create_ref(repository: FakeRepository, asked: Asked) -> Said:
    branch, commit = asked.body["ref"].removeprefix("refs/heads/"), asked.body["sha"]
    if branch in repository.branches:
        return refused("Reference already exists")
    if commit not in repository.branches.values():
        return refused("Object does not exist")
    return Said(201, _shown_ref(branch, repository.add_branch(branch, at=commit)))


def _shown_ref(branch: str, commit: str) -> Json:
    return {"ref": f"refs/heads/{branch}", "object": {"type": "commit", "sha": commit}}


def _pulls(repository: FakeRepository, asked: Asked) -> Said:
    state, head = asked.query.get("state", "open"), asked.query.get("head")
    found = [
        repository.shown_pull(number)
        for number, pull in repository.pulls.items()
        if state in ("all", repository.issues[number]["state"]) and head in (None, pull["head"]["label"])
    ]
    return Said(200, found[::-1])


def _pull(repository: FakeRepository, asked: Asked, number: str) -> Said:
    return Said(200, repository.shown_pull(int(number))) if int(number) in repository.pulls else NOT_FOUND


def _create_pull(repository: FakeRepository, asked: Asked) -> Said:
    branch, base = asked.body["head"], asked.body["base"]
    for field, name in (("head", branch), ("base", base)):
        if name not in repository.branches:
            error = {"resource": "PullRequest", "field": field, "code": "invalid"}
            return refused("Validation Failed", error)
    label = f"{repository.full_name.partition('/')[0]}:{branch}"
    wrong = f"A pull request already exists for {label}." if repository.open_pull_of(label) else None
    if not repository.has_commits:
        wrong = f"No commits between {base} and {branch}"
    if wrong:
        return refused("Validation Failed", {"resource": "PullRequest", "code": "custom", "message": wrong})
    number = repository.add_pull(
        branch, title=asked.body["title"], body=asked.body.get("body") or "", base=base
    )
    return Said(201, repository.shown_pull(number))


_Act = Callable[..., Said]
_ROUTES: tuple[tuple[str, str, _Act], ...] = (
    ("GET", "", _repository),
    ("GET", "/issues", _issues),
    ("POST", "/issues", _create_issue),
    ("GET", r"/issues/(\d+)", _issue),
    ("PATCH", r"/issues/(\d+)", _change_issue),
    ("GET", "/labels", _labels),
    ("POST", "/labels", _create_label),
    ("GET", "/labels/([^/]+)", _label),
    ("POST", r"/issues/(\d+)/labels", _add_labels),
    ("DELETE", r"/issues/(\d+)/labels/([^/]+)", _remove_label),
    ("GET", r"/issues/(\d+)/comments", _comments),
    ("POST", r"/issues/(\d+)/comments", _create_comment),
    ("GET", r"/issues/(\d+)/dependencies/blocked_by", _blocked_by),
    ("GET", "/git/ref/heads/(.+)", _ref),
    ("POST", "/git/refs", _create_ref),
    ("GET", "/pulls", _pulls),
    ("POST", "/pulls", _create_pull),
    ("GET", r"/pulls/(\d+)", _pull),
)
